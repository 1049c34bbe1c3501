/** What every session has whose device takes one call at a time: who scans, who may ask meanwhile, and the end. */
import { oneScan, ScanError, unlessAborted, type Capabilities, type Device, type Log, type Mutex, type Page, type ScanOrder, type Session, type Status } from '@platen/core/plugin';

export interface DeviceScan {
  readonly stop: AbortSignal;
  /** The scan is abandoned: by its signal, by `return()`, or because the session is closed. */
  readonly ended: AbortSignal;
  /** Resolves when the scan before it has let go. */
  readonly before: Promise<void> | undefined;
}

export interface DeviceWork<P extends Page> {
  readonly device: Device;
  readonly log: Log;
  readonly alone: Mutex;
  /** What a failure of the helper's means. */
  explain(error: unknown): ScanError;
  /** Those that were asked already: they are told at once, whatever the device does. */
  known(): Capabilities | undefined;
  /** Called in turn. */
  capabilities(): Promise<Capabilities>;
  /** Called in turn, and while nothing scans. */
  status(): Promise<Status>;
  /** As it was last known: what `status` says while the device scans. */
  paper(): Status['paper'];
  scan(order: ScanOrder, scan: DeviceScan): AsyncGenerator<P, void, undefined>;
  /** Called once, when nothing scans any more. */
  onClose(): Promise<void>;
}

export function deviceSession<P extends Page>(work: DeviceWork<P>): Session {
  const { device, log, alone, explain } = work;
  const { name } = device;
  const scans = oneScan<P>(name);
  let closing: Promise<void> | undefined;

  function refuseClosed(): void {
    if (closing) throw new ScanError('device-offline', `"${name}" was closed.`);
  }

  return {
    device,
    async capabilities({ signal }) {
      signal.throwIfAborted();
      const known = work.known();
      if (known) return known;
      refuseClosed();
      return unlessAborted(alone(() => work.capabilities()), signal).catch((error: unknown) => {
        throw signal.aborted ? signal.reason : explain(error);
      });
    },
    async status({ signal }) {
      signal.throwIfAborted();
      const cached = (): Status | undefined =>
        closing ? { online: false, paper: 'unknown' } : scans.running && { online: true, paper: work.paper() };
      return cached() ?? unlessAborted(alone(async () => cached() ?? work.status()), signal).catch((error: unknown): Status => {
        if (signal.aborted) throw signal.reason;
        log.debug(`"${name}" does not say how it is: ${explain(error).message}`);
        return { online: false, paper: 'unknown' };
      });
    },
    scan(order, { signal, stop }) {
      return scans.start(signal, (ended, before) => {
        refuseClosed();
        return work.scan(order, { stop, ended, before });
      });
    },
    close() {
      closing ??= (async () => {
        await scans.running?.end(new ScanError('cancelled', `"${name}" was closed while it scanned.`));
        await work.onClose();
      })();
      return closing;
    },
  };
}
