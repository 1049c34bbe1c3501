/** An open TWAIN source. */
import { oneScan, ScanError, unlessAborted, type Capabilities, type Device, type Log, type RawPage, type ScanOrder, type Session, type Source, type Status } from '@platen/core/plugin';
import type { Abilities } from './abilities.js';
import { asScanError } from './conditions.js';
import type { Handle } from './handle.js';
import type { Negotiation } from './negotiation.js';
import { pass } from './pass.js';
import { prepare, sensesPaper } from './prepare.js';
import type { Deadlines } from './settings.js';

export interface SessionParts {
  readonly device: Device;
  readonly abilities: Abilities;
  readonly handle: Handle;
  readonly talk: Negotiation;
  readonly log: Log;
  readonly deadlines: Deadlines;
  /** Ends the helper; called once. */
  onClose(): Promise<void>;
}

/** After these the driver is loaded anew before the next scan; after others the source is as good as before. */
const reopenAfter: readonly unknown[] = ['driver-failed', 'timeout', 'device-offline'];

export function createSession({ device, abilities, handle, talk, log, deadlines, onClose }: SessionParts): Session {
  const { name, id: product } = device;
  const { feeder, flatbed } = abilities.capabilities;
  const scans = oneScan<RawPage>(name);
  let closing: Promise<void> | undefined;
  let paper: Status['paper'] = 'unknown';
  let last: Promise<unknown> = Promise.resolve();

  /** One thing at a time is asked of the source. */
  function alone<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  }

  /** It is opened again where its helper was replaced, or where it failed. */
  async function ready(): Promise<void> {
    if (await handle.open(product)) await talk.refresh();
  }

  async function askPaper(): Promise<void> {
    paper = 'unknown';
    if (!feeder || !(await sensesPaper(talk))) return;
    // Some know their sensor only while the feeder is chosen.
    if (flatbed) await talk.set('FEEDERENABLED', true);
    const loaded = await talk.current('FEEDERLOADED');
    if (typeof loaded === 'boolean') paper = loaded ? 'loaded' : 'empty';
  }

  async function sourceOf({ source }: ScanOrder): Promise<Source> {
    if (source) return source;
    if (!feeder) return 'flatbed';
    await askPaper();
    return flatbed && paper === 'empty' ? 'flatbed' : 'feeder';
  }

  async function* begin(order: ScanOrder, stop: AbortSignal, ended: AbortSignal, before: Promise<void> | undefined): AsyncGenerator<RawPage, void, undefined> {
    await before;
    ended.throwIfAborted();
    if (stop.aborted) return;
    let late: NodeJS.Timeout | undefined;
    const abandon = () => {
      handle.interrupt();
      late = setTimeout(() => handle.kill('a scan was abandoned, and the driver did not stop'), deadlines.abandon);
    };
    ended.addEventListener('abort', abandon, { once: true });
    let failure: unknown;
    try {
      const prepared = await alone(async () => {
        await ready();
        const source = await sourceOf(order);
        if (!abilities.capabilities[source]) throw new ScanError('unsupported', `"${name}" has no ${source}.`);
        return prepare(handle, talk, source, abilities, order, name);
      });
      ended.throwIfAborted();
      yield* pass({
        handle, talk, prepared, name, log, stop, ended,
        patience: deadlines.page,
        sheets: order.sheets ?? Infinity,
        maxPixels: order.maxPixels,
        onEmpty() {
          if (paper !== 'unknown') paper = 'empty';
        },
      });
    } catch (error) {
      failure = ended.aborted ? ended.reason : asScanError(error, name, handle.isOpen);
      throw failure;
    } finally {
      const again = !ended.aborted && reopenAfter.includes((failure as { code?: unknown } | undefined)?.code);
      await alone(() => handle.settle(again ? 'managed' : 'open', ended.aborted ? deadlines.settle : 0));
      ended.removeEventListener('abort', abandon);
      clearTimeout(late);
    }
  }

  async function ask(): Promise<Status> {
    await ready();
    if ((await talk.current('DEVICEONLINE')) === false) return { online: false, paper: 'unknown' };
    await askPaper();
    return { online: true, paper };
  }

  function refuseClosed(): void {
    if (closing) throw new ScanError('device-offline', `"${name}" was closed.`);
  }

  return {
    device,
    async capabilities({ signal }): Promise<Capabilities> {
      signal.throwIfAborted();
      return abilities.capabilities;
    },
    async status({ signal }) {
      signal.throwIfAborted();
      if (closing) return { online: false, paper: 'unknown' };
      if (scans.running) return { online: true, paper };
      return unlessAborted(alone(async () => (scans.running || closing ? { online: !closing, paper } : ask())), signal).catch((error: unknown): Status => {
        if (signal.aborted) throw signal.reason;
        log.debug(`"${name}" does not say how it is: ${asScanError(error, name, handle.isOpen).message}`);
        return { online: false, paper: 'unknown' };
      });
    },
    scan(order, { signal, stop }) {
      return scans.start(signal, (ended, before) => {
        refuseClosed();
        return begin(order, stop, ended, before);
      });
    },
    close() {
      closing ??= (async () => {
        await scans.running?.end(new ScanError('cancelled', `"${name}" was closed while it scanned.`));
        await alone(() => handle.settle('loaded'));
        await onClose();
      })();
      return closing;
    },
  };
}
