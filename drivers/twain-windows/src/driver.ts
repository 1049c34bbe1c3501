/** The driver of TWAIN's sources. */
import { codeOf, createOpenings, messageOf, ScanError, type Driver, type Log, type Opening, type Session } from '@platen/core/plugin';
import type { Helper } from '@platen/driver-kit';
import { asScanError } from './conditions.js';
import { createCulprits } from './culprits.js';
import { createHandle, type Handle } from './handle.js';
import { sourceFolders, watchInstalled } from './installed.js';
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
  /** Where sources are installed, if not where Windows has them. */
  readonly folders?: readonly string[];
}

export function twainDriver({ options, log, createHelper, deadlines: own, folders = sourceFolders }: DriverParts): Driver {
  const deadlines: Deadlines = { ...usual, page: options.pageSeconds * 1000, ...own };
  const openings = createOpenings("TWAIN's scanners");
  // What a helper of a listing dies of is said once, here.
  const quiet: Log = { ...log, warn: log.debug };
  const culprits = createCulprits(log);
  const lister = createLister({ createHelper: bits => createHelper(bits, quiet), culprits, log, deadlines, options, isInUse: openings.isInUse });
  let said = '';

  /** Once until it works again: listings are frequent. */
  function sayOnce(error: unknown): void {
    const words = messageOf(error);
    if (said !== words) log.warn(`TWAIN's scanners cannot be used: ${words}`);
    said = words;
  }

  async function openIn(handle: Handle, found: Found, onClose: Opening['onClose']): Promise<Session> {
    const { id, name } = found.device;
    await lister.letGo(id);
    await handle.open(id);
    const { device, abilities } = found.abilities ? { ...found, abilities: found.abilities } : await lister.learn(handle, found);
    const talk = createNegotiation(handle, log, name);
    await talk.refresh();
    lister.answered(id, true);
    return createSession({ device: { ...device, online: true }, abilities, handle, talk, log, deadlines, options, onClose });
  }

  async function find(id: string, { use, ended, onClose }: Opening): Promise<Session> {
    const known = lister.known(id);
    const failures: unknown[] = [];
    const kinds = known ? [known.bits] : options.bits;
    for (const bits of kinds) {
      ended.throwIfAborted();
      const helper = use(createHelper(bits, log));
      const handle = createHandle(helper, deadlines, log, culprits.of(bits, ended));
      const found = known ?? (await lister.recognise(handle, bits, id).catch((error: unknown) => void failures.push(error)));
      if (found) return openIn(handle, found, onClose);
      await helper.close();
    }
    if (failures.length === kinds.length) throw failures[0];
    throw new ScanError('device-not-found', `TWAIN has no source with the name "${id}".`);
  }

  return {
    id: 'twain',
    async *devices({ signal }) {
      signal.throwIfAborted();
      if (openings.closed.aborted) return;
      try {
        for await (const { device } of lister.list(AbortSignal.any([signal, openings.closed]))) yield device;
        if (said !== '') log.info("TWAIN's scanners can be used again.");
        said = '';
      } catch (error) {
        signal.throwIfAborted();
        if (!openings.closed.aborted) sayOnce(error);
      }
    },
    open: (id, call) => openings.open(id, call, opening => find(id, opening).catch((error: unknown) => {
      if (opening.ended.aborted) throw error;
      const meant = asScanError(error, id, false);
      if (codeOf(meant) === 'device-offline') lister.answered(id, false);
      throw meant;
    })),
    watch: onChange => watchInstalled(folders, () => {
      lister.changed();
      onChange();
    }),
    close: () => openings.close(),
  };
}
