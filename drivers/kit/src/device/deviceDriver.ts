/** The shell of a driver whose devices are opened in helpers: what such drivers do, whatever their scanners are. */
import {
  type Device,
  type Driver,
  type Log,
  messageOf,
  type Opening,
  type Openings,
  type ScanError,
  type Session,
} from '@platen/core/plugin';
import type { Helper } from '../helper/helperTypes.js';
import { onceLog, quietLog } from '../logs.js';

export interface DeviceDriverParts {
  readonly id: string;
  readonly openings: Openings;
  readonly log: Log;
  /**
   * The scanners that are there; a device that is listed twice counts once.
   * @param signal also aborted when the driver is closed
   */
  list(signal: AbortSignal): AsyncIterable<Device>;
  /** What is listed besides where `list` failed; absent: nothing. What it throws fails the listing. */
  recall?(error: unknown): Iterable<Device>;
  /** Opens a device in a helper that it makes with `opening.use`. */
  open(deviceId: string, opening: Opening): Promise<Session>;
  /** What a failure of `open` means. */
  explain(error: unknown, deviceId: string): ScanError;
  /** Why nothing can be listed, as a sentence for people. Absent: `… cannot be used: …` */
  complaint?(error: unknown): string;
  /** How `check` learns whether a helper starts: by a verb that touches no scanner. */
  readonly probe?: HelperProbe;
  watch?(onChange: () => void): () => void;
  /** Called after the sessions were closed. */
  onClose?(): Promise<void>;
}

export interface HelperProbe {
  /** @param log gets what the helper ends of as debugging: the driver tells it */
  createHelper(log: Log): Helper;
  readonly verb: string;
  readonly deadlineMs: number;
}

export interface DeviceDriver extends Driver {
  /** @returns what is missing where no helper starts, with what to do; the driver does not say it again */
  check(): Promise<string | undefined>;
}

export function deviceDriver(parts: DeviceDriverParts): DeviceDriver {
  const { id, openings, log, probe } = parts;
  const { closed } = openings;
  const scanners = openings.scanners.replace(/^./, first => first.toUpperCase());
  // Listings are frequent: what fails them is said once, until one succeeds.
  const once = onceLog(log);
  const complaint = (error: unknown) => parts.complaint?.(error) ?? `${scanners} cannot be used: ${messageOf(error)}`;

  async function* devices(signal: AbortSignal): AsyncGenerator<Device, void, undefined> {
    try {
      yield* parts.list(AbortSignal.any([signal, closed]));
      if (once.again()) log.info(`${scanners} can be used again.`);
    } catch (error) {
      signal.throwIfAborted();
      if (closed.aborted) return;
      once.warn(complaint(error));
      yield* parts.recall?.(error) ?? [];
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
