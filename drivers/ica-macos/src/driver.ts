/** The driver of the scanners that macOS knows. */
import { codeOf, messageOf, ScanError, unlessAborted, type Driver, type Log, type Session } from '@platen/core/plugin';
import type { Helper } from '@platen/driver-wire';
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
  /** Whether the helper starts; says once in the log what to do where it does not. */
  check(): Promise<boolean>;
}

export function icaDriver({ options, log, createHelper, deadlines: own }: DriverParts): IcaDriver {
  const { network, transfer } = options;
  const deadlines: Deadlines = { ...usual, scan: options.silenceSeconds * 1000, ...own };
  const sessions = new Map<string, Session>();
  /** Open, or about to be. */
  const inUse = new Set<string>();
  const lister = createLister({ createHelper, log, deadlines, network, isInUse: id => inUse.has(id) });
  const closing = new AbortController();
  let said = false;

  /** Once until it works again: listings are frequent. */
  function sayOnce(error: unknown): void {
    const words = messageOf(error);
    if (!said) log.warn(`The scanners of this Mac cannot be used: ${words}${words.includes(repair) ? '' : `. ${repair}`}`);
    said = true;
  }

  async function openIn(helper: Helper, deviceId: string): Promise<Session> {
    await lister.letGo(deviceId);
    const handle = createHandle({ helper, device: deviceId, network, deadlines });
    await handle.ensure();
    const known = lister.known(deviceId);
    const capabilities = known?.capabilities ?? (await askCapabilities(handle, deviceId));
    const session = createSession({
      device: known?.device ?? lister.learn(deviceId, capabilities, handle.name),
      handle,
      transfer,
      log,
      capabilities,
      async onClose() {
        await helper.close();
        sessions.delete(deviceId);
        inUse.delete(deviceId);
      },
    });
    sessions.set(deviceId, session);
    return session;
  }

  return {
    id: 'ica-macos',
    async check() {
      const helper = createHelper({ ...log, warn: log.debug });
      try {
        await helper.call('quiet', {}, { deadlineMs: deadlines.describe });
        return true;
      } catch (error) {
        sayOnce(error);
        return false;
      } finally {
        await helper.close();
      }
    },
    async *devices({ signal }) {
      signal.throwIfAborted();
      if (closing.signal.aborted) return;
      try {
        yield* lister.list(AbortSignal.any([signal, closing.signal]));
        said = false;
      } catch (error) {
        signal.throwIfAborted();
        if (!closing.signal.aborted) sayOnce(error);
      }
    },
    async open(deviceId, { signal }) {
      signal.throwIfAborted();
      closing.signal.throwIfAborted();
      if (inUse.has(deviceId)) throw new ScanError('busy', `"${lister.known(deviceId)?.device.name ?? deviceId}" is already open.`);
      inUse.add(deviceId);
      const helper = createHelper(log);
      const opening = openIn(helper, deviceId);
      const ended = AbortSignal.any([signal, closing.signal]);
      try {
        return await unlessAborted(opening, ended);
      } catch (error) {
        if (ended.aborted) helper.kill('opening the scanner was abandoned');
        await opening.then(session => session.close(), () => helper.close());
        inUse.delete(deviceId);
        if (ended.aborted) throw ended.reason;
        const name = lister.known(deviceId)?.device.name;
        const meant = asScanError(error, name ?? deviceId);
        // It was there: it is switched off, or unplugged.
        throw name !== undefined && codeOf(meant) === 'device-not-found' ? new ScanError('device-offline', meant.message, { cause: error }) : meant;
      }
    },
    watch: onChange => lister.watch(onChange),
    async close() {
      closing.abort(new ScanError('driver-failed', "The driver of this Mac's scanners was closed."));
      await Promise.all([...sessions.values()].map(session => session.close()));
      await lister.close();
    },
  };
}
