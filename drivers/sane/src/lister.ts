/** Finds the scanners that SANE knows, in a helper that lives as long as a listing. */
import type { Device, Log } from '@platen/core/plugin';
import type { Helper } from '@platen/driver-wire';
import { askAbilities } from './capabilities.js';
import { createHandle, jsonOf } from './handle.js';
import { isAllowed, type Deadlines } from './settings.js';
import { guessedWays } from './sources.js';
import { asScanError } from './statuses.js';

/** A device that could not be opened to be asked what it has is not asked again before. */
const REST_MS = 60_000;
/** Backends of things that are no scanners of documents. */
const foreign = /^(?:v4l|gphoto2|dc\d+|dmc|qcam|stv680):/;

export interface Found {
  readonly device: Device;
  /** As SANE lists the device: `flatbed scanner`. */
  readonly type: string;
}

export interface ListerParts {
  createHelper(): Helper;
  readonly log: Log;
  readonly deadlines: Deadlines;
  readonly localOnly: boolean;
  readonly devices: readonly string[] | undefined;
  /** Devices in use are not opened to be asked. */
  isInUse(id: string): boolean;
}

export interface Lister {
  /** @throws the signal's reason; what the helper failed with */
  list(signal: AbortSignal): AsyncGenerator<Found, void, undefined>;
  /** What is known of a device from earlier listings. */
  known(id: string): Found | undefined;
  /** Resolves when the lister has the device not open. */
  letGo(id: string): Promise<void>;
}

/** SANE_Device. */
interface Entry {
  readonly name: string;
  readonly vendor: string;
  readonly model: string;
  readonly type: string;
}

export function createLister({ createHelper, log, deadlines, localOnly, devices, isInUse }: ListerParts): Lister {
  const known = new Map<string, Found>();
  /** Devices that could not be asked, and until when they are left alone; `undefined`: not to be listed. */
  const unasked = new Map<string, { readonly found: Found | undefined; readonly until: number }>();
  const asking = new Map<string, Promise<unknown>>();

  async function foundOf(entry: Entry, helper: Helper): Promise<Found | undefined> {
    const before = known.get(entry.name);
    if (before) return { ...before, device: { ...before.device, online: true } };
    const rested = unasked.get(entry.name);
    if ((rested && performance.now() < rested.until) || isInUse(entry.name)) return rested?.found;
    const label = nameOf(entry);
    const abilities = askAbilities(createHandle(helper, entry.name, deadlines), label, entry.type, log);
    asking.set(entry.name, abilities.catch(() => undefined));
    try {
      const { capabilities } = await abilities;
      const found: Found = { device: deviceOf(entry, { ...capabilities, duplex: capabilities.feeder?.duplex ?? false, online: true }), type: entry.type };
      known.set(entry.name, found);
      return found;
    } catch (error) {
      const { code, message } = asScanError(error, label, 'open') as { code?: unknown; message: string };
      log.warn(`${message} Until it can be opened, what it has is a guess.`);
      const guess = { ...guessedWays(entry.type), duplex: false, online: code === 'busy' };
      const found = code === 'unsupported' ? undefined : { device: deviceOf(entry, guess), type: entry.type };
      unasked.set(entry.name, { found, until: performance.now() + REST_MS });
      return found;
    } finally {
      asking.delete(entry.name);
    }
  }

  return {
    known: id => known.get(id) ?? unasked.get(id)?.found,
    letGo: async id => void (await asking.get(id)),
    async *list(signal) {
      signal.throwIfAborted();
      const helper = createHelper();
      const abandon = () => helper.kill('looking for scanners was abandoned');
      signal.addEventListener('abort', abandon, { once: true });
      try {
        const ask = (verb: string, args: object, deadlineMs: number, more = {}) => helper.call(verb, args, { deadlineMs, ...more });
        await ask('init', {}, deadlines.init);
        const entries = (await jsonOf(ask, 'devices', { localOnly }, deadlines.list)) as readonly Entry[];
        for (const entry of entries) {
          signal.throwIfAborted();
          if (foreign.test(entry.name) || !isAllowed(entry.name, devices)) continue;
          const found = await foundOf(entry, helper);
          signal.throwIfAborted();
          if (found) yield found;
        }
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      } finally {
        signal.removeEventListener('abort', abandon);
        await helper.close();
      }
    },
  };
}

/** A device that was opened without having been listed. */
export function unlisted(id: string): Entry {
  return { name: id, vendor: '', model: '', type: '' };
}

export function deviceOf(entry: Entry, has: { readonly feeder?: unknown; readonly flatbed?: unknown; readonly duplex: boolean; readonly online: boolean }): Device {
  return {
    id: entry.name,
    name: nameOf(entry),
    manufacturer: entry.vendor,
    model: entry.model,
    online: has.online,
    feeder: has.feeder !== undefined,
    flatbed: has.flatbed !== undefined,
    duplex: has.duplex,
    feeding: 'perSheet',
  };
}

/** `Noname frontend-tester`; backends that repeat the maker in the model are not repeated. */
export function nameOf({ name, vendor, model }: Entry): string {
  const has = model.toLowerCase().startsWith(vendor.toLowerCase());
  return (has ? model : `${vendor} ${model}`).replace(/\s+/g, ' ').trim() || name;
}
