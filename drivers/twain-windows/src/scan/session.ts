/** An open TWAIN source. */
import { createMutex, deviceSession } from '@platen/core/driver';
import { codeOf, ScanError } from '@platen/core/plugin';
import type { DeviceScan } from '@platen/core/driver';
import type { Device, Log, RawPage, ScanOrder, Session, Status } from '@platen/core/plugin';
import { takeSource, type Abilities } from '../capabilities/abilities.js';
import type { CapabilityNegotiation } from '../capabilities/capabilityNegotiation.js';
import { asScanError } from '../protocol/conditions.js';
import type { DataSource } from '../source/dataSource.js';
import { prepare, sensesPaper, type Prepared } from './prepare.js';
import { scanPages } from './scan.js';
import type { Deadlines, TwainOptions } from '../settings.js';
import { createTemporarySettings } from '../capabilities/temporarySettings.js';

export interface SessionParts {
  readonly device: Device;
  readonly abilities: Abilities;
  readonly dataSource: DataSource;
  readonly negotiation: CapabilityNegotiation;
  readonly log: Log;
  readonly deadlines: Deadlines;
  readonly options: Pick<TwainOptions, 'feeding' | 'mostSheets'>;
  /** The source was opened again, or failed because the scanner is away. */
  onAnswer(online: boolean): void;
  /** Ends the helper; called once. */
  onClose(): Promise<void>;
}

/** After these the source is closed and reopened for the next scan; after others it stays usable. */
const reopenAfter: readonly unknown[] = ['driver-failed', 'timeout', 'device-offline'];

/** `status` does not retry a failed opening for this long. */
const REST_MS = 5000;

export function createSession(parts: SessionParts): Session {
  const { device, abilities, dataSource, negotiation, log, deadlines, options, onClose, onAnswer } = parts;
  const { name, id: product } = device;
  const { feeder } = abilities.capabilities;
  const alone = createMutex();
  const temporary = createTemporarySettings(negotiation);
  const explain = (error: unknown) => {
    const meant = asScanError(error, name, dataSource.isOpen);
    if (meant.code === 'device-offline') onAnswer(false);
    return meant;
  };
  let restsUntil = 0;

  /** Opens the source again after its helper was replaced or it failed. */
  async function ready(): Promise<void> {
    if (!(await dataSource.open(product))) return;
    onAnswer(true);
    await negotiation.refresh();
  }

  async function paper(): Promise<Status['paper']> {
    // Some sources report their sensor only while the feeder is selected.
    if (!feeder || !(await takeSource(negotiation, 'feeder')) || !(await sensesPaper(negotiation))) return 'unknown';
    const loaded = await negotiation.current('FEEDERLOADED');
    if (typeof loaded !== 'boolean') return 'unknown';
    return loaded ? 'loaded' : 'empty';
  }

  async function settle(order: ScanOrder): Promise<Prepared> {
    await ready();
    const { source } = order;
    if (!abilities.capabilities[source]) throw new ScanError('unsupported', `"${name}" has no ${source}.`);
    await temporary.undo();
    return prepare({ dataSource, negotiation, temporary, abilities, order, name, batch: options.feeding === 'batch' });
  }

  async function* scan(order: ScanOrder, call: DeviceScan): AsyncGenerator<RawPage, void, undefined> {
    const { stop, ended, onEmpty } = call;
    let late: NodeJS.Timeout | undefined;
    const abandon = () => {
      dataSource.interrupt();
      late = setTimeout(() => dataSource.kill('a scan was abandoned, and the driver did not stop'), deadlines.abandon);
    };
    ended.addEventListener('abort', abandon, { once: true });
    let failure: unknown;
    try {
      const prepared = await alone(() => settle(order));
      ended.throwIfAborted();
      yield* scanPages({
        dataSource,
        negotiation,
        prepared,
        name,
        log,
        stop,
        ended,
        onEmpty,
        source: order.source,
        pageMs: deadlines.page,
        sheets: order.sheets ?? Infinity,
        mostSheets: options.mostSheets,
        maxPixels: order.maxPixels,
      });
    } catch (error) {
      // Evaluated now, because the meaning of a failure depends on whether the source is open.
      failure = ended.aborted ? ended.reason : explain(error);
      throw failure;
    } finally {
      const again = !ended.aborted && reopenAfter.includes(codeOf(failure));
      await alone(async () => {
        await dataSource.stepDownTo('open', ended.aborted ? deadlines.settle : 0);
        // Some sources keep their settings when they are closed. What cannot be undone now is before the next scan.
        if (dataSource.isOpen) await temporary.undo().catch(() => undefined);
        if (again) await dataSource.stepDownTo('managed');
      });
      ended.removeEventListener('abort', abandon);
      clearTimeout(late);
    }
  }

  return deviceSession<RawPage>({
    device,
    log,
    alone,
    explain,
    scan,
    known: () => abilities.capabilities,
    capabilities: async () => abilities.capabilities,
    async status() {
      // Auto-scan asks twice a second, and a driver may show a window each time that it cannot open its scanner.
      if (!dataSource.isOpen && performance.now() < restsUntil) return { online: false, paper: 'unknown' };
      restsUntil = performance.now() + REST_MS;
      await ready();
      if ((await negotiation.current('DEVICEONLINE')) === false) return { online: false, paper: 'unknown' };
      return { online: true, paper: await paper() };
    },
    async onClose() {
      await alone(() => dataSource.stepDownTo('loaded'));
      await onClose();
    },
  });
}
