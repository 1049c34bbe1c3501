/** The driver of SANE's scanners. */
import { codeOf, messageOf, ScanError, unlessAborted, type Driver, type Log, type Session } from '@platen/core/plugin';
import type { Helper } from '@platen/driver-wire';
import { createHandle } from './handle.js';
import { repair } from './helper.js';
import { createLister } from './lister.js';
import { createSession } from './session.js';
import { deadlines as usual, isAllowed, type Deadlines, type SaneOptions } from './settings.js';
import { asScanError } from './statuses.js';

export interface DriverParts {
  readonly options: Omit<SaneOptions, 'configDir'>;
  readonly log: Log;
  /** A helper of its own for each open device, and for each listing. */
  createHelper(log: Log): Helper;
  readonly deadlines?: Partial<Deadlines>;
}

export interface SaneDriver extends Driver {
  /** Whether the helper starts; says once in the log what to do where it does not. */
  check(): Promise<boolean>;
}

export function saneDriver({ options, log, createHelper, deadlines: own }: DriverParts): SaneDriver {
  const deadlines: Deadlines = { ...usual, silence: options.silenceSeconds * 1000, ...own };
  const sessions = new Map<string, Session>();
  /** Open, or about to be. */
  const inUse = new Set<string>();
  // What a helper of a listing dies of is said once, here.
  const quiet: Log = { ...log, warn: log.debug };
  const lister = createLister({ createHelper: () => createHelper(quiet), log, deadlines, ...options, devices: options.devices, isInUse: id => inUse.has(id) });
  const closing = new AbortController();
  let said = false;

  /** Once until it works again: listings are frequent. */
  function sayOnce(error: unknown): void {
    const words = messageOf(error);
    const isTold = words.includes(repair) || !/cannot be started|before it said hello/.test(words);
    if (!said) log.warn(`SANE's scanners cannot be used: ${words}${isTold ? '' : `. ${repair}`}`);
    said = true;
  }

  function works(): void {
    if (said) log.info("SANE's scanners can be used again.");
    said = false;
  }

  async function openIn(helper: Helper, deviceId: string): Promise<Session> {
    await lister.letGo(deviceId);
    const handle = createHandle(helper, deviceId, deadlines);
    // SANE opens some devices that it does not find by itself.
    const asked = lister.known(deviceId) ?? (await lister.ask(handle, deviceId));
    await handle.ensure();
    lister.answered(deviceId, true);
    const { device, type } = lister.known(deviceId) ?? asked;
    const session = createSession({
      device,
      type,
      handle,
      log,
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
    id: 'sane',
    async check() {
      const helper = createHelper(quiet);
      try {
        await helper.call('close', {}, { deadlineMs: deadlines.option });
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
      const listed = new Set<string>();
      try {
        for await (const { device } of lister.list(AbortSignal.any([signal, closing.signal]))) {
          listed.add(device.id);
          yield device;
        }
        works();
      } catch (error) {
        signal.throwIfAborted();
        if (closing.signal.aborted) return;
        sayOnce(error);
      }
      // A backend may not find a device that another process has open.
      for (const [id, { device }] of sessions) if (!listed.has(id)) yield device;
    },
    async open(deviceId, { signal }) {
      signal.throwIfAborted();
      closing.signal.throwIfAborted();
      if (!isAllowed(deviceId, options.devices)) throw new ScanError('device-not-found', `The configuration does not name the SANE device "${deviceId}".`);
      if (inUse.has(deviceId)) throw new ScanError('busy', `"${deviceId}" is already open.`);
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
        const meant = asScanError(error, lister.known(deviceId)?.device.name ?? deviceId, false);
        if (codeOf(meant) === 'device-offline') lister.answered(deviceId, false);
        throw meant;
      }
    },
    async close() {
      closing.abort(new ScanError('driver-failed', "The driver of SANE's scanners was closed."));
      await Promise.all([...sessions.values()].map(session => session.close()));
    },
  };
}
