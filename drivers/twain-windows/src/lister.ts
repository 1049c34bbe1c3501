/** Finds the sources of both bitnesses, in helpers that live as long as a listing, and learns what each has. */
import { codeOf, messageOf, type Device, type Log } from '@platen/core/plugin';
import type { Helper } from '@platen/driver-kit';
import { readAbilities, type Abilities } from './abilities.js';
import { asScanError } from './conditions.js';
import type { Culprits } from './culprits.js';
import { createHandle, type Handle } from './handle.js';
import type { Identity } from './manager.js';
import { createNegotiation } from './negotiation.js';
import type { Bits, Deadlines, TwainOptions } from './settings.js';

/** A source that could not be opened to be asked what it has is not asked again before: its driver may show a window each time. */
const REST_MS = 10 * 60_000;
/** A listing is not repeated before ten times as long as it took, and this at most: the manager loads every driver to ask for its name. */
const TIMES_AS_LONG = 10;
const MOST_FRESH_MS = 30_000;

/** A manager that hangs is not asked again before; each time for twice as long. */
const HUNG_MS = 60_000;
const MOST_HUNG_MS = 30 * 60_000;

export interface Found {
  readonly device: Device;
  readonly bits: Bits;
  /** Undefined as long as it was not opened. */
  readonly abilities: Abilities | undefined;
}

export interface ListerParts {
  createHelper(bits: Bits): Helper;
  readonly culprits: Culprits;
  readonly log: Log;
  readonly deadlines: Deadlines;
  readonly options: Pick<TwainOptions, 'bits' | 'sources' | 'ask' | 'feeding'>;
  /** Devices in use are not opened to be asked. */
  isInUse(id: string): boolean;
}

export interface Lister {
  /** @throws the signal's reason; what the helpers failed with, where none of them works */
  list(signal: AbortSignal): AsyncGenerator<Found, void, undefined>;
  known(id: string): Found | undefined;
  /** The source of that name among those of a helper. */
  recognise(handle: Handle, bits: Bits, id: string): Promise<Found | undefined>;
  /** Asks an open source what it has, and keeps it. */
  learn(handle: Handle, found: Found): Promise<Found & { readonly abilities: Abilities }>;
  /** Whether a device answered when it was opened: it stays listed where it did not, as offline. */
  answered(id: string, online: boolean): void;
  /** Sources were installed or removed: the next listing asks. */
  changed(): void;
  /** Resolves when the lister has the device not open. */
  letGo(id: string): Promise<void>;
}

export function createLister({ createHelper, culprits, log, deadlines, options, isInUse }: ListerParts): Lister {
  const known = new Map<string, Found>();
  const resting = new Map<string, number>();
  const hung = new Map<Bits, { readonly error: unknown; readonly pauseMs: number; readonly until: number }>();
  const asking = new Map<string, Promise<unknown>>();
  let last: { readonly ids: readonly string[]; readonly until: number } | undefined;

  const isAllowed = ({ product }: Identity) => product !== '' && (!options.sources || options.sources.includes(product));

  async function learn(handle: Handle, found: Found): Promise<Found & { readonly abilities: Abilities }> {
    const abilities = await readAbilities(createNegotiation(handle, log, found.device.name), found.device.name, options.feeding === 'batch');
    const { feeder, flatbed } = abilities.capabilities;
    const has = { feeder: !!feeder, flatbed: !!flatbed, duplex: feeder?.duplex ?? false, feeding: abilities.feeding, online: true };
    const learnt = { ...found, device: { ...found.device, ...has }, abilities };
    known.set(found.device.id, learnt);
    resting.delete(found.device.id);
    return learnt;
  }

  /** What was known of it stays, unless it is another driver now. */
  function note(identity: Identity, bits: Bits): Found {
    const before = known.get(identity.product);
    if (before?.bits === bits && before.device.manufacturer === identity.manufacturer) return before;
    const fresh = { device: guess(identity, options), bits, abilities: undefined };
    known.set(identity.product, fresh);
    return fresh;
  }

  /** Those of one kind, as its manager names them. @throws what its helper failed with, at once where it hung a short while ago */
  async function namesOf(bits: Bits, handle: Handle, signal: AbortSignal): Promise<readonly Identity[]> {
    const before = hung.get(bits);
    if (before && before.until > performance.now()) throw before.error;
    try {
      const identities = await handle.sources();
      hung.delete(bits);
      return identities.filter(isAllowed);
    } catch (error) {
      signal.throwIfAborted();
      if (codeOf(error) === 'timeout') {
        const pauseMs = before ? Math.min(2 * before.pauseMs, MOST_HUNG_MS) : HUNG_MS;
        hung.set(bits, { error, pauseMs, until: performance.now() + pauseMs });
        log.warn(`${bits}-bit sources are listed as they were known last: TWAIN's manager of that kind hangs (${messageOf(error)}). It is asked again in ${pauseMs / 60_000} minutes.`);
      } else log.debug(`${bits}-bit sources are not listed: ${messageOf(error)}`);
      throw error;
    }
  }

  /** Names only; nothing is opened. Of a kind whose manager fails, those that were known: `asked` has only the others. */
  async function name(helpers: ReadonlyMap<Bits, Handle>, signal: AbortSignal): Promise<ReadonlyMap<string, { readonly asked: boolean }>> {
    const lists = await Promise.allSettled([...helpers].map(([bits, handle]) => namesOf(bits, handle, signal)));
    signal.throwIfAborted();
    const ids = new Map<string, { readonly asked: boolean }>();
    // In the order of the configuration: the first kind that has it.
    for (const [i, bits] of [...helpers.keys()].entries()) {
      const list = lists[i]!;
      if (list.status === 'fulfilled') {
        for (const identity of list.value.filter(({ product }) => !ids.has(product))) ids.set(note(identity, bits).device.id, { asked: true });
      } else for (const id of last?.ids.filter(each => known.get(each)?.bits === bits && !ids.has(each)) ?? []) ids.set(id, { asked: false });
    }
    const [failure] = lists.filter(list => list.status === 'rejected');
    if (failure && ids.size === 0 && lists.every(list => list.status === 'rejected')) throw failure.reason;
    return ids;
  }

  async function ask(id: string, helpers: ReadonlyMap<Bits, Handle>): Promise<Found> {
    const found = known.get(id)!;
    const handle = helpers.get(found.bits)!;
    const rests = (resting.get(id) ?? 0) > performance.now();
    if (found.abilities || options.ask === 'opening' || rests || isInUse(id)) return found;
    const asked = handle.open(id).then(() => learn(handle, found)).finally(() => handle.settle('managed'));
    asking.set(id, asked.catch(() => undefined));
    try {
      return await asked;
    } catch (error) {
      const { code, message } = asScanError(error, id, handle.isOpen);
      log.warn(`${message} Until it can be opened, what it has is a guess.`);
      resting.set(id, performance.now() + REST_MS);
      const guessed = { ...found, device: { ...found.device, online: code === 'busy' } };
      known.set(id, guessed);
      return guessed;
    } finally {
      asking.delete(id);
    }
  }

  /** Helpers for the length of the work. An aborted signal ends them in order: a source that is open is closed before its process goes. */
  async function* within<T>(signal: AbortSignal, work: (handles: ReadonlyMap<Bits, Handle>) => AsyncGenerator<T, void, undefined>): AsyncGenerator<T, void, undefined> {
    signal.throwIfAborted();
    const helpers = options.bits.map(bits => ({ bits, helper: createHelper(bits) }));
    const abandon = () => helpers.forEach(({ helper }) => void helper.close());
    signal.addEventListener('abort', abandon, { once: true });
    const handles = new Map(helpers.map(({ bits, helper }) => [bits, createHandle(helper, deadlines, log, culprits.of(bits, signal))] as const));
    try {
      yield* work(handles);
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', abandon);
      await Promise.all([...handles.values()].map(handle => handle.settle('loaded')));
      await Promise.all(helpers.map(({ helper }) => helper.close()));
    }
  }

  return {
    learn,
    known: id => known.get(id),
    async recognise(handle, bits, id) {
      const identity = (await handle.sources()).find(each => each.product === id && isAllowed(each));
      return identity && note(identity, bits);
    },
    answered(id, online) {
      const before = known.get(id);
      if (!before || before.device.online === online) return;
      known.set(id, { ...before, device: { ...before.device, online } });
    },
    changed() {
      last = last && { ...last, until: -Infinity };
      hung.clear();
      resting.clear();
      culprits.forget();
    },
    letGo: async id => void (await asking.get(id)),
    async *list(signal) {
      signal.throwIfAborted();
      if (last && performance.now() < last.until) return yield* last.ids.map(id => known.get(id)!);
      const began = performance.now();
      let ids: readonly string[] = [];
      yield* within(signal, async function* (handles) {
        const names = await name(handles, signal);
        ids = [...names.keys()];
        for (const [id, { asked }] of names) {
          yield asked ? await ask(id, handles) : known.get(id)!;
          signal.throwIfAborted();
        }
      });
      const now = performance.now();
      last = { ids, until: now + Math.min(TIMES_AS_LONG * (now - began), MOST_FRESH_MS) };
    },
  };
}

/** As far as a source is known that was never opened: most sources are of scanners that have both. */
function guess({ product, manufacturer }: Identity, { feeding }: Pick<TwainOptions, 'feeding'>): Device {
  return { id: product, name: product, manufacturer, model: product, online: true, feeder: true, flatbed: true, duplex: false, feeding: feeding === 'batch' ? 'continuous' : 'perSheet' };
}

