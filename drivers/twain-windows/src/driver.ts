/** The driver of TWAIN's sources. */
import { codeOf, messageOf, ScanError, unlessAborted, type Driver, type Log, type Session } from '@platen/core/plugin';
import type { Helper } from '@platen/driver-wire';
import { asScanError } from './conditions.js';
import { createHandle, type Handle } from './handle.js';
import { createLister, type Found } from './lister.js';
import { createNegotiation } from './negotiation.js';
import { createSession } from './session.js';
import { deadlines as usual, type Bits, type Deadlines, type TwainOptions } from './settings.js';

export interface DriverParts {
  readonly options: Omit<TwainOptions, 'helpers'>;
  readonly log: Log;
  /** A helper of its own for each open source, and for each listing. */
  createHelper(bits: Bits, log: Log): Helper;
  readonly deadlines?: Partial<Deadlines>;
}

export function twainDriver({ options, log, createHelper, deadlines: own }: DriverParts): Driver {
  const deadlines: Deadlines = { ...usual, page: options.pageSeconds * 1000, ...own };
  const sessions = new Map<string, Session>();
  /** Open, or about to be. */
  const inUse = new Set<string>();
  // What a helper of a listing dies of is said once, here.
  const quiet: Log = { ...log, warn: log.debug };
  const lister = createLister({ createHelper: bits => createHelper(bits, quiet), log, deadlines, options, isInUse: id => inUse.has(id) });
  const closing = new AbortController();
  let said = '';

  /** Once until it works again: listings are frequent. */
  function sayOnce(error: unknown): void {
    const words = messageOf(error);
    if (said !== words) log.warn(`TWAIN's scanners cannot be used: ${words}`);
    said = words;
  }

  async function openIn(helper: Helper, handle: Handle, found: Found): Promise<Session> {
    const { id, name } = found.device;
    await lister.letGo(id);
    await handle.open(id);
    const { device, abilities } = found.abilities ? { ...found, abilities: found.abilities } : await lister.learn(handle, found);
    const talk = createNegotiation(handle, log, name);
    await talk.refresh();
    lister.answered(id, true);
    const session = createSession({
      device: { ...device, online: true },
      abilities, handle, talk, log, deadlines,
      async onClose() {
        await helper.close();
        sessions.delete(id);
        inUse.delete(id);
      },
    });
    sessions.set(id, session);
    return session;
  }

  return {
    id: 'twain',
    async *devices({ signal }) {
      signal.throwIfAborted();
      if (closing.signal.aborted) return;
      try {
        for await (const { device } of lister.list(AbortSignal.any([signal, closing.signal]))) yield device;
        if (said !== '') log.info("TWAIN's scanners can be used again.");
        said = '';
      } catch (error) {
        signal.throwIfAborted();
        if (!closing.signal.aborted) sayOnce(error);
      }
    },
    async open(deviceId, { signal }) {
      signal.throwIfAborted();
      closing.signal.throwIfAborted();
      if (inUse.has(deviceId)) throw new ScanError('busy', `"${deviceId}" is already open.`);
      inUse.add(deviceId);
      const ended = AbortSignal.any([signal, closing.signal]);
      let helper: Helper | undefined;
      const opening = (async () => {
        const known = lister.known(deviceId);
        const failures: unknown[] = [];
        const kinds = known ? [known.bits] : options.bits;
        for (const bits of kinds) {
          ended.throwIfAborted();
          helper = createHelper(bits, log);
          const handle = createHandle(helper, deadlines, log);
          const found = known ?? (await lister.recognise(handle, bits, deviceId).catch((error: unknown) => void failures.push(error)));
          if (found) return openIn(helper, handle, found);
          await helper.close();
        }
        if (failures.length === kinds.length) throw failures[0];
        throw new ScanError('device-not-found', `TWAIN has no source with the name "${deviceId}".`);
      })();
      try {
        return await unlessAborted(opening, ended);
      } catch (error) {
        if (ended.aborted) helper?.kill('opening the scanner was abandoned');
        await opening.then(session => session.close(), () => helper?.close());
        inUse.delete(deviceId);
        if (ended.aborted) throw ended.reason;
        const meant = asScanError(error, deviceId, false);
        if (codeOf(meant) === 'device-offline') lister.answered(deviceId, false);
        throw meant;
      }
    },
    async close() {
      closing.abort(new ScanError('driver-failed', "The driver of TWAIN's scanners was closed."));
      await Promise.all([...sessions.values()].map(session => session.close()));
    },
  };
}
