/** Finds the scanners that SANE knows, in a helper that lives as long as a listing. */
import { codeOf, type Device, type Log } from '@platen/core/plugin';
import type { Helper } from '@platen/driver-kit';
import { backendAsked } from './backendAsked.js';
import { askAbilities } from './capabilities.js';
import { createHandle, jsonOf, type Handle } from './handle.js';
import type { MakeHelper } from './helper.js';
import { isAllowed, type Deadlines } from './settings.js';
import { guessedWays } from './sources.js';
import { asScanError } from './statuses.js';

/** A device that could not be opened to be asked what it has is not asked again before. */
const REST_MS = 60_000;
/** A listing is not repeated before ten times as long as it took, and this at most: some backends search the network for seconds. */
const TIMES_AS_LONG = 10;
const MOST_FRESH_MS = 30_000;
/** Backends of things that are no scanners of documents. */
const foreign = /^(?:v4l|gphoto2|dc\d+|dmc|qcam|stv680):/;

export interface Found {
  readonly device: Device;
  /** As SANE lists the device: `flatbed scanner`. */
  readonly type: string;
}

export interface ListerParts {
  readonly createHelper: MakeHelper;
  readonly log: Log;
  /** Of the helpers: what they die of is said by the driver. */
  readonly quiet: Log;
  readonly deadlines: Deadlines;
  readonly localOnly: boolean;
  readonly devices: readonly string[] | undefined;
  /** Devices in use are not opened to be asked. */
  isInUse(id: string): boolean;
}

export interface Lister {
  /** @throws the signal's reason; what the helper failed with */
  list(signal: AbortSignal): AsyncGenerator<Found, void, undefined>;
  /** What the last listing that came to its end found; undefined before the first. */
  before(): readonly Found[] | undefined;
  /** Scanners came or went: the next listing looks, however fresh the last one is. */
  lookAgain(): void;
  /** What is known for certain of a device. */
  known(id: string): Found | undefined;
  /** Asks a device that is not known what it has, and leaves it open. */
  ask(handle: Handle, id: string): Promise<Found>;
  /** Whether a device answered when it was opened: it stays listed where it did not, as offline. */
  answered(id: string, online: boolean): void;
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

export function createLister({ createHelper, log, quiet, deadlines, localOnly, devices, isInUse }: ListerParts): Lister {
  const known = new Map<string, Found>();
  const entries = new Map<string, Entry>();
  /** Devices that could not be asked, and until when they are left alone; `undefined`: not to be listed. */
  const unasked = new Map<string, { readonly found: Found | undefined; readonly until: number }>();
  const asking = new Map<string, Promise<unknown>>();
  let last: { readonly found: readonly Found[]; readonly until: number } | undefined;
  let complete: readonly Found[] | undefined;
  let changes = 0;
  /** The backend that the log has named as the one that a listing waits for. */
  let named: string | undefined;

  async function learn(handle: Handle, entry: Entry): Promise<Found> {
    const { capabilities } = await askAbilities(handle, nameOf(entry), entry.type, log);
    const device = deviceOf(entry, { ...capabilities, duplex: capabilities.feeder?.duplex ?? false, online: true });
    known.set(entry.name, { device, type: entry.type });
    last = undefined;
    return { device, type: entry.type };
  }

  async function foundOf(entry: Entry, helper: Helper): Promise<Found | undefined> {
    const before = known.get(entry.name);
    // Addresses of USB are given again to what is plugged in next.
    const same = before?.device.manufacturer === entry.vendor && before.device.model === entry.model ? before : undefined;
    if (same?.device.online) return same;
    const rested = unasked.get(entry.name);
    if ((rested && performance.now() < rested.until) || isInUse(entry.name)) return rested?.found ?? same;
    const handle = createHandle(helper, entry.name, deadlines);
    const answer = learn(handle, entry).finally(() => handle.close().catch(() => undefined));
    asking.set(entry.name, answer.catch(() => undefined));
    try {
      return await answer;
    } catch (error) {
      const { code, message } = asScanError(error, nameOf(entry), handle.isOpen);
      log.warn(`${message} Until it can be opened, what it has is ${same ? 'what it had' : 'a guess'}.`);
      const guess = { ...guessedWays(entry.type), duplex: false };
      const device = { ...(same?.device ?? deviceOf(entry, { ...guess, online: false })), online: code === 'busy' };
      const found = code === 'unsupported' ? undefined : { device, type: entry.type };
      unasked.set(entry.name, { found, until: performance.now() + REST_MS });
      return found;
    } finally {
      asking.delete(entry.name);
    }
  }

  function blame(backend: string | undefined): void {
    if (backend === undefined || backend === named) return;
    named = backend;
    log.warn(`SANE's backend "${backend}" holds up the search for scanners: those that were known stay listed. If no scanner of yours needs it, put a # before it in dll.conf.`);
  }

  return {
    before: () => complete?.map(found => known.get(found.device.id) ?? found),
    lookAgain() {
      changes++;
      last = undefined;
      unasked.clear();
    },
    known: id => known.get(id),
    ask: (handle, id) => learn(handle, entries.get(id) ?? { name: id, vendor: '', model: '', type: '' }),
    answered(id, online) {
      const before = known.get(id);
      if (!before || before.device.online === online) return;
      const found = { ...before, device: { ...before.device, online } };
      known.set(id, found);
      if (online) unasked.delete(id);
      else unasked.set(id, { found, until: performance.now() + REST_MS });
      last = undefined;
    },
    letGo: async id => void (await asking.get(id)),
    async *list(signal) {
      signal.throwIfAborted();
      if (last && performance.now() < last.until) return yield* last.found;
      const [began, changesBefore] = [performance.now(), changes];
      const all: Found[] = [];
      const asked = backendAsked(quiet);
      const helper = createHelper(asked.log, asked.env);
      let isAsking = true;
      // In order: a device that is being asked is closed before its process goes.
      const abandon = () => void helper.close();
      signal.addEventListener('abort', abandon, { once: true });
      try {
        const ask = (verb: string, args: object, deadlineMs: number, more = {}) => helper.call(verb, args, { deadlineMs, ...more });
        await ask('init', {}, deadlines.init);
        const listed = (await jsonOf(ask, 'devices', { localOnly }, deadlines.list)) as readonly Entry[];
        isAsking = false;
        named = undefined;
        for (const entry of listed) {
          signal.throwIfAborted();
          if (foreign.test(entry.name) || !isAllowed(entry.name, devices)) continue;
          entries.set(entry.name, entry);
          const found = await foundOf(entry, helper);
          signal.throwIfAborted();
          if (!found) continue;
          all.push(found);
          yield found;
        }
        const now = performance.now();
        if (changes === changesBefore) last = { found: all, until: now + Math.min(TIMES_AS_LONG * (now - began), MOST_FRESH_MS) };
        complete = all;
      } catch (error) {
        if (isAsking && codeOf(signal.aborted ? signal.reason : error) === 'timeout') blame(asked.backend);
        signal.throwIfAborted();
        throw error;
      } finally {
        signal.removeEventListener('abort', abandon);
        await helper.close();
      }
    },
  };
}

function deviceOf(entry: Entry, has: { readonly feeder?: unknown; readonly flatbed?: unknown; readonly duplex: boolean; readonly online: boolean }): Device {
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
    ...identitiesOf(entry),
  };
}

/** Of a network scanner sane-airscan says the address and the name under which it is announced: `airscan:e0:Office`, `ip=192.0.2.7`. So does the driver of eSCL. */
function identitiesOf({ name, type }: Entry): Pick<Device, 'identities'> {
  const [, announced] = /^airscan:e[\da-f]+:(.+)$/.exec(name) ?? [];
  const [, addresses] = /^ip=(.+)$/.exec(type) ?? [];
  if (announced === undefined || addresses === undefined) return {};
  return { identities: addresses.split(/[\s,]+/).map(address => `escl:${address}/${announced}`) };
}

/** `Noname frontend-tester`; backends that repeat the maker in the model are not repeated. */
export function nameOf({ name, vendor, model }: Entry): string {
  const has = model.toLowerCase().startsWith(vendor.toLowerCase());
  return (has ? model : `${vendor} ${model}`).replace(/\s+/g, ' ').trim() || name;
}
