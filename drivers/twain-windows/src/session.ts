/** An open TWAIN source. */
import { codeOf, createMutex, deviceSession, ScanError } from '@platen/core/plugin';
import type { Device, DeviceScan, Log, RawPage, ScanOrder, Session, Status } from '@platen/core/plugin';
import { takeSource, type Abilities } from './abilities.js';
import { asScanError } from './conditions.js';
import type { Handle } from './handle.js';
import type { Negotiation } from './negotiation.js';
import { pass } from './pass.js';
import { prepare, sensesPaper, type Prepared } from './prepare.js';
import type { Deadlines, TwainOptions } from './settings.js';

export interface SessionParts {
  readonly device: Device;
  readonly abilities: Abilities;
  readonly handle: Handle;
  readonly talk: Negotiation;
  readonly log: Log;
  readonly deadlines: Deadlines;
  readonly options: Pick<TwainOptions, 'feeding' | 'mostSheets'>;
  /** Ends the helper; called once. */
  onClose(): Promise<void>;
}

/** After these the driver is loaded anew before the next scan; after others the source is as good as before. */
const reopenAfter: readonly unknown[] = ['driver-failed', 'timeout', 'device-offline'];

/** A source that could not be opened again is not tried by those who only ask how it is. */
const REST_MS = 5000;

export function createSession({ device, abilities, handle, talk, log, deadlines, options, onClose }: SessionParts): Session {
  const { name, id: product } = device;
  const { feeder } = abilities.capabilities;
  const alone = createMutex();
  const explain = (error: unknown) => asScanError(error, name, handle.isOpen);
  let restsUntil = 0;

  /** It is opened again where its helper was replaced, or where it failed. */
  async function ready(): Promise<void> {
    if (await handle.open(product)) await talk.refresh();
  }

  async function paper(): Promise<Status['paper']> {
    // Some know their sensor only while the feeder is chosen.
    if (!feeder || !(await takeSource(talk, 'feeder')) || !(await sensesPaper(talk))) return 'unknown';
    const loaded = await talk.current('FEEDERLOADED');
    if (typeof loaded !== 'boolean') return 'unknown';
    return loaded ? 'loaded' : 'empty';
  }

  async function settle(order: ScanOrder): Promise<Prepared> {
    await ready();
    const { source } = order;
    if (!abilities.capabilities[source]) throw new ScanError('unsupported', `"${name}" has no ${source}.`);
    return prepare({ handle, talk, abilities, order, name, batch: options.feeding === 'batch' });
  }

  async function* scan(order: ScanOrder, call: DeviceScan): AsyncGenerator<RawPage, void, undefined> {
    const { stop, ended, onEmpty } = call;
    let late: NodeJS.Timeout | undefined;
    const abandon = () => {
      handle.interrupt();
      late = setTimeout(() => handle.kill('a scan was abandoned, and the driver did not stop'), deadlines.abandon);
    };
    ended.addEventListener('abort', abandon, { once: true });
    let failure: unknown;
    try {
      const prepared = await alone(() => settle(order));
      ended.throwIfAborted();
      yield* pass({
        handle, talk, prepared, name, log, stop, ended, onEmpty,
        source: order.source,
        patience: deadlines.page,
        sheets: order.sheets ?? Infinity,
        mostSheets: options.mostSheets,
        maxPixels: order.maxPixels,
      });
    } catch (error) {
      // Now, because what a failure means depends on whether the source is open.
      failure = ended.aborted ? ended.reason : explain(error);
      throw failure;
    } finally {
      const again = !ended.aborted && reopenAfter.includes(codeOf(failure));
      await alone(() => handle.settle(again ? 'managed' : 'open', ended.aborted ? deadlines.settle : 0));
      ended.removeEventListener('abort', abandon);
      clearTimeout(late);
    }
  }

  return deviceSession<RawPage>({
    device, log, alone, explain, scan,
    known: () => abilities.capabilities,
    capabilities: async () => abilities.capabilities,
    async status() {
      // Whoever watches for paper asks twice a second; a driver may show a window each time that it cannot open its scanner.
      if (!handle.isOpen && performance.now() < restsUntil) return { online: false, paper: 'unknown' };
      restsUntil = performance.now() + REST_MS;
      await ready();
      if ((await talk.current('DEVICEONLINE')) === false) return { online: false, paper: 'unknown' };
      return { online: true, paper: await paper() };
    },
    async onClose() {
      await alone(() => handle.settle('loaded'));
      await onClose();
    },
  });
}
