/** The driver of SANE's scanners. */
import { asDriverError, codeOf, messageOf, ScanError, unlessAborted, type Driver, type Log, type Session } from '@platen/core/plugin';
import { createOpenings, type Opening } from '@platen/driver-kit';
import { createHandle } from './handle.js';
import { repair, type MakeHelper } from './helper.js';
import { watchUsb } from './hotPlug.js';
import { createLister } from './lister.js';
import { createSession } from './session.js';
import { deadlines as usual, isAllowed, type Deadlines, type SaneOptions } from './settings.js';
import { asScanError } from './statuses.js';

export interface DriverParts {
  readonly options: Omit<SaneOptions, 'configDir'>;
  readonly log: Log;
  /** A helper of its own for each open device, and for each listing. */
  readonly createHelper: MakeHelper;
  readonly deadlines?: Partial<Deadlines>;
  /** In place of /dev/bus/usb. */
  readonly usb?: string;
}

export interface SaneDriver extends Driver {
  /** @returns what is missing where the helper does not start, with what to do; the driver does not say it again */
  check(): Promise<string | undefined>;
}

/** Of a helper that did not start: without it, or without libsane, no scanner can be used. */
function isMissing(error: unknown): boolean {
  return /cannot be started|before it said hello/.test(messageOf(error));
}

export function saneDriver({ options, log, createHelper, deadlines: own, usb }: DriverParts): SaneDriver {
  const deadlines: Deadlines = { ...usual, silence: options.silenceSeconds * 1000, ...own };
  const openings = createOpenings("SANE's scanners");
  // What a helper of a listing dies of is said once, here.
  const quiet: Log = { ...log, warn: log.debug };
  const lister = createLister({ createHelper, log, quiet, deadlines, ...options, devices: options.devices, isInUse: openings.isInUse });
  let said = false;

  function complaint(error: unknown): string {
    const words = messageOf(error);
    const isTold = words.includes(repair) || !isMissing(error);
    return `SANE's scanners ${isMissing(error) ? 'cannot be used' : 'could not be listed'}: ${words}${isTold ? '' : `. ${repair}`}`;
  }

  /** Once until it works again: listings are frequent. */
  function sayOnce(error: unknown): void {
    if (!said) log.warn(complaint(error));
    said = true;
  }

  function works(): void {
    if (said) log.info("SANE's scanners can be used again.");
    said = false;
  }

  async function openIn(deviceId: string, { use, ended, onClose }: Opening): Promise<Session> {
    const helper = use(createHelper(log));
    await unlessAborted(lister.letGo(deviceId), ended);
    const handle = createHandle(helper, deviceId, deadlines);
    // SANE opens some devices that it does not find by itself.
    const asked = lister.known(deviceId) ?? (await lister.ask(handle, deviceId));
    await handle.ensure();
    lister.answered(deviceId, true);
    const { device, type } = lister.known(deviceId) ?? asked;
    return createSession({ device, type, handle, log, onClose });
  }

  return {
    id: 'sane',
    async check() {
      const helper = createHelper(quiet);
      try {
        await helper.call('close', {}, { deadlineMs: deadlines.option });
        return undefined;
      } catch (error) {
        said = true;
        return complaint(error);
      } finally {
        await helper.close();
      }
    },
    async *devices({ signal }) {
      signal.throwIfAborted();
      if (openings.closed.aborted) return;
      const listed = new Set<string>();
      try {
        for await (const { device } of lister.list(AbortSignal.any([signal, openings.closed]))) {
          listed.add(device.id);
          yield device;
        }
        works();
      } catch (error) {
        signal.throwIfAborted();
        if (openings.closed.aborted) return;
        sayOnce(error);
        const before = lister.before();
        // Core knows more than nothing then: scanners of the last run.
        if (!before && !isMissing(error)) throw asDriverError(error);
        for (const { device } of before ?? []) {
          if (listed.has(device.id)) continue;
          listed.add(device.id);
          yield device;
        }
      }
      // A backend may not find a device that another process has open.
      for (const [id, { device }] of openings.sessions) if (!listed.has(id)) yield device;
    },
    async open(deviceId, call) {
      if (!isAllowed(deviceId, options.devices)) throw new ScanError('device-not-found', `The configuration does not name the SANE device "${deviceId}".`);
      return openings.open(deviceId, call, opening =>
        openIn(deviceId, opening).catch((error: unknown) => {
          if (opening.ended.aborted) throw error;
          const meant = asScanError(error, lister.known(deviceId)?.device.name ?? deviceId, false);
          if (codeOf(meant) === 'device-offline') lister.answered(deviceId, false);
          throw meant;
        }),
      );
    },
    watch(onChange) {
      return watchUsb(() => {
        lister.lookAgain();
        onChange();
      }, usb);
    },
    close: () => openings.close(),
  };
}
