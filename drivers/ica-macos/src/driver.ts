/** The driver of the scanners that macOS knows. */
import { codeOf, createOpenings, messageOf, ScanError, type Driver, type Log, type Opening, type Session } from '@platen/core/plugin';
import type { Helper } from '@platen/driver-kit';
import { askCapabilities } from './capabilities.js';
import { createHandle } from './handle.js';
import { repair } from './helper.js';
import { createLister } from './lister.js';
import { createSession } from './session.js';
import { deadlines as usual, type Deadlines, type IcaOptions } from './settings.js';
import { asScanError } from './statuses.js';

export interface DriverParts {
  readonly options: IcaOptions;
  readonly log: Log;
  /** A helper of its own for each open scanner, and one that browses. */
  createHelper(log: Log): Helper;
  readonly deadlines?: Partial<Deadlines>;
}

export interface IcaDriver extends Driver {
  /** @returns what is missing where the helper does not start, with what to do; the driver does not say it again */
  check(): Promise<string | undefined>;
}

export function icaDriver({ options, log, createHelper, deadlines: own }: DriverParts): IcaDriver {
  const { network, transfer } = options;
  const deadlines: Deadlines = { ...usual, scan: options.silenceSeconds * 1000, ...own };
  const openings = createOpenings("this Mac's scanners");
  const lister = createLister({ createHelper, log, deadlines, network, isInUse: openings.isInUse });
  let said = false;

  function complaint(error: unknown): string {
    const words = messageOf(error);
    return `The scanners of this Mac cannot be used: ${words}${words.includes(repair) ? '' : `. ${repair}`}`;
  }

  /** Once until it works again: listings are frequent. */
  function sayOnce(error: unknown): void {
    if (!said) log.warn(complaint(error));
    said = true;
  }

  async function openIn(deviceId: string, { use, onClose }: Opening): Promise<Session> {
    const helper = use(createHelper(log));
    await lister.letGo(deviceId);
    const handle = createHandle({ helper, device: deviceId, network, deadlines });
    await handle.ensure();
    const known = lister.known(deviceId);
    const capabilities = known?.capabilities ?? (await askCapabilities(handle, deviceId));
    const device = known?.device ?? lister.learn(deviceId, capabilities, handle.name);
    return createSession({ device, handle, transfer, log, capabilities, onClose });
  }

  return {
    id: 'ica-macos',
    async check() {
      const helper = createHelper({ ...log, warn: log.debug });
      try {
        await helper.call('quiet', {}, { deadlineMs: deadlines.describe });
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
      try {
        yield* lister.list(AbortSignal.any([signal, openings.closed]));
        said = false;
      } catch (error) {
        signal.throwIfAborted();
        if (!openings.closed.aborted) sayOnce(error);
      }
    },
    open: (deviceId, call) =>
      openings.open(deviceId, call, opening =>
        openIn(deviceId, opening).catch((error: unknown) => {
          if (opening.ended.aborted) throw error;
          const name = lister.known(deviceId)?.device.name;
          const meant = asScanError(error, name ?? deviceId);
          // It was there: it is switched off, or unplugged.
          throw name !== undefined && codeOf(meant) === 'device-not-found' ? new ScanError('device-offline', meant.message, { cause: error }) : meant;
        }),
      ),
    watch: onChange => lister.watch(onChange),
    async close() {
      await openings.close();
      await lister.close();
    },
  };
}
