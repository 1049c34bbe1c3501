/** The shell of a driver whose devices are opened in helpers: the parts that all such drivers share. */
import { eitherSignal, type Opening, type Openings } from '@platen/core/driver';
import { type Device, type Driver, type Log, messageOf, ScanError, type Session } from '@platen/core/plugin';
import type { Helper } from '../helper/helperTypes.js';
import { onceLog, quietLog } from '../logs.js';

export interface DeviceDriverParts {
  readonly id: string;
  readonly openings: Openings;
  readonly log: Log;
  /**
   * The connected scanners; a device that is yielded twice is listed once.
   * @param signal also aborted when the driver is closed
   */
  list(signal: AbortSignal): AsyncIterable<Device>;
  /** Devices to list if `list` fails; absent: none. An error that it throws fails the listing. */
  recall?(error: unknown): Iterable<Device>;
  /**
   * What the last list leaves out, with the fix; the driver has logged it. The listing then ends with this error, so that
   * core keeps the scanners of the last run and names it.
   */
  leftOut?(): string | undefined;
  /** Opens a device in a helper that it makes with `opening.use`. */
  open(deviceId: string, opening: Opening): Promise<Session>;
  /** The error for a failure of `open`. */
  explain(error: unknown, deviceId: string): ScanError;
  /** A message for the user: why listing fails. Absent: `… cannot be used: …` */
  complaint?(error: unknown): string;
  /** How `check` learns whether a helper starts: by a verb that touches no scanner. */
  readonly probe?: HelperProbe;
  watch?(onChange: () => void): () => void;
  /** Called after all sessions were closed. */
  onClose?(): Promise<void>;
}

export interface HelperProbe {
  /** @param log gets the helper's end at level debug, because the driver reports it */
  createHelper(log: Log): Helper;
  readonly verb: string;
  readonly deadlineMs: number;
}

export interface DeviceDriver extends Driver {
  /** @returns what is missing if no helper starts, with the fix; the driver does not report it again */
  check(): Promise<string | undefined>;
}

export function deviceDriver(parts: DeviceDriverParts): DeviceDriver {
  const { id, openings, log, probe } = parts;
  const { closed } = openings;
  const scanners = openings.scanners.replace(/^./, first => first.toUpperCase());
  // Listings are frequent: log a failure once, until a listing succeeds.
  const once = onceLog(log);
  const complaint = (error: unknown) => parts.complaint?.(error) ?? `${scanners} cannot be used: ${messageOf(error)}`;

  async function* devices(signal: AbortSignal): AsyncGenerator<Device, void, undefined> {
    const either = eitherSignal(signal, closed);
    try {
      yield* parts.list(either.signal);
      if (once.again()) log.info(`${scanners} can be used again.`);
    } catch (error) {
      signal.throwIfAborted();
      if (closed.aborted) return;
      once.warn(complaint(error));
      yield* parts.recall?.(error) ?? [];
    } finally {
      either.release();
    }
  }

  return {
    id,
    async check() {
      if (!probe) return undefined;
      const helper = probe.createHelper(quietLog(log));
      try {
        await helper.call(probe.verb, {}, { deadlineMs: probe.deadlineMs });
        return undefined;
      } catch (error) {
        const sentence = complaint(error);
        once.told(sentence);
        return sentence;
      } finally {
        await helper.close();
      }
    },
    async *devices({ signal }) {
      signal.throwIfAborted();
      if (closed.aborted) return;
      const listed = new Set<string>();
      for await (const device of devices(signal)) {
        if (listed.has(device.id)) continue;
        listed.add(device.id);
        yield device;
      }
      const leftOut = closed.aborted ? undefined : parts.leftOut?.();
      if (leftOut !== undefined) throw new ScanError('driver-failed', leftOut);
    },
    open: (deviceId, call) =>
      openings.open(deviceId, call, opening =>
        parts.open(deviceId, opening).catch((error: unknown) => {
          throw opening.ended.aborted ? error : parts.explain(error, deviceId);
        }),
      ),
    ...(parts.watch && { watch: parts.watch }),
    async close() {
      await openings.close();
      await parts.onClose?.();
    },
  };
}
