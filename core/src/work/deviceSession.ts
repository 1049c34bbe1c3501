/** The common part of sessions: one scan at a time, status while scanning, explained failures, and closing. */
import type { Call, Capabilities, Device, Session, Status } from '../contract/driver.js';
import { ScanError } from '../contract/errors.js';
import type { ScanOrder } from '../contract/order.js';
import type { Page } from '../contract/page.js';
import type { Log } from '../contract/plugin.js';
import { unlessAborted } from '../time/wait.js';
import type { Mutex } from './semaphore.js';
import { oneScan } from './oneScan.js';

export interface DeviceScan {
  /** Feed nothing more. Not aborted yet when the scan starts. */
  readonly stop: AbortSignal;
  /** The scan is abandoned: by its signal, by `return()`, or because the session is closed. */
  readonly ended: AbortSignal;
  /** The last known paper state. */
  paper(): Status['paper'];
  /** Records the paper state that the scan learned; `status` reports it meanwhile. */
  seePaper(paper: Status['paper']): void;
  /** Records that the feeder is empty. Only for a feeder with a sensor; without one the state stays `unknown`. */
  onEmpty(): void;
}

export interface DeviceWork<P extends Page> {
  readonly device: Device;
  readonly log: Log;
  /** For a device that takes one call at a time: `capabilities` and `status` are serialised. */
  readonly alone?: Mutex;
  /** Turns a failure of the device into an error. Also called with what the device returned. */
  explain(error: unknown): ScanError;
  /** Capabilities that are already known: answered at once, whatever the device does. */
  known(): Capabilities | undefined;
  capabilities(call: Call): Promise<Capabilities>;
  /** The paper state is kept during a scan. @param paper last known state */
  status(call: Call, paper: () => Status['paper']): Promise<Status>;
  /** For a device that answers while it scans. Absent: the last known paper state. */
  statusWhileScanning?(call: Call, paper: () => Status['paper']): Promise<Status>;
  /** Starts when the previous scan has ended; never after `stop`. Its errors are explained. */
  scan(order: ScanOrder, scan: DeviceScan): AsyncGenerator<P, void, undefined>;
  /** Called once, when nothing scans any more. */
  onClose(): Promise<void> | void;
}

const offline: Status = { online: false, paper: 'unknown' };

export function deviceSession<P extends Page>(work: DeviceWork<P>): Session {
  const { device, log, explain, alone = call => call() } = work;
  const { name } = device;
  const scans = oneScan<P>(name);
  let paper: Status['paper'] = 'unknown';
  const lastPaper = (): Status['paper'] => paper;
  let closing: Promise<void> | undefined;

  function refuseClosed(): void {
    if (closing) throw new ScanError('device-offline', `"${name}" was closed.`);
  }

  /** @param before settles when the previous scan has ended */
  async function* run(order: ScanOrder, scan: DeviceScan, before?: Promise<void>): AsyncGenerator<P, void, undefined> {
    await before;
    scan.ended.throwIfAborted();
    if (scan.stop.aborted) return;
    try {
      yield* work.scan(order, scan);
    } catch (error) {
      throw scan.ended.aborted ? scan.ended.reason : explain(error);
    }
  }

  /** The answer without asking the device. */
  function fromMemory(call: Call): Status | Promise<Status> | undefined {
    if (closing) return offline;
    if (!scans.running) return undefined;
    return work.statusWhileScanning?.(call, lastPaper) ?? { online: true, paper };
  }

  async function ask(call: Call): Promise<Status> {
    const status = await work.status(call, lastPaper);
    if (status.online) ({ paper } = status);
    return status;
  }

  return {
    device,
    async capabilities(call) {
      const { signal } = call;
      signal.throwIfAborted();
      const known = work.known();
      if (known) return known;
      refuseClosed();
      return unlessAborted(
        alone(() => work.capabilities(call)),
        signal,
      ).catch((error: unknown) => {
        throw signal.aborted ? signal.reason : explain(error);
      });
    },
    async status(call) {
      const { signal } = call;
      signal.throwIfAborted();
      const answer = async () => fromMemory(call) ?? alone(async () => fromMemory(call) ?? ask(call));
      return unlessAborted(answer(), signal).catch((error: unknown) => {
        if (signal.aborted) throw signal.reason;
        log.debug(`"${name}" did not report its status: ${explain(error).message}`);
        return offline;
      });
    },
    scan(order, { signal, stop }) {
      return scans.start(signal, (ended, before) => {
        refuseClosed();
        const scan: DeviceScan = {
          stop,
          ended,
          paper: lastPaper,
          seePaper: now => void (paper = now),
          onEmpty() {
            if (paper !== 'unknown') paper = 'empty';
          },
        };
        return run(order, scan, before);
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
