/** What a driver knows about its devices: their answers, which ones rest, and the last listing. */
import type { Openings } from '@platen/core/driver';
import type { Device, Log, ScanError } from '@platen/core/plugin';

/** A listing is fresh for ten times as long as it took, at most this long: some search a network for seconds. */
const TIMES_AS_LONG = 10;
const MOST_FRESH_MS = 30_000;

/** A driver adds the fields that it needs to open the device. */
export interface Found {
  readonly device: Device;
}

export interface DeviceListParts {
  readonly log: Log;
  /** Devices in use are not opened to be asked. */
  readonly openings: Pick<Openings, 'isInUse' | 'closed'>;
  /** A device that could not be asked is not asked again for this long. */
  readonly restMs: number;
}

export interface Question<F extends Found> {
  /** Opens the device, reads what it has, and closes it. */
  ask(): Promise<F>;
  /** The error for a failure of `ask`. */
  explain(error: unknown): ScanError;
  /**
   * The entry for a device that could not be asked.
   * @param before its last answer
   * @returns undefined: do not list it
   */
  guess(why: ScanError, before: F | undefined): F | undefined;
}

export interface DeviceList<F extends Found> {
  /** What `look` finds; if the last listing is fresh, that one with what is known now. */
  list(signal: AbortSignal, look: () => AsyncIterable<F>): AsyncGenerator<F, void, undefined>;
  /** The last complete listing with what is known now; undefined before the first. */
  before(): readonly F[] | undefined;
  /** A device's answer; undefined if it was not asked yet. */
  known(id: string): F | undefined;
  /** The same, or a guess. */
  seen(id: string): F | undefined;
  /** Stores a device's answer. */
  learn(found: F): F;
  /** Stores a guess, until the device answers. */
  suppose(found: F): F;
  /** Forgets it: another device has this id now. */
  forget(id: string): void;
  /** What is known about a device that is online, else its answer now; `seen` if it must not be asked. */
  ask(id: string, question: Question<F>): Promise<F | undefined>;
  /** Resolves when `ask` does not have the device open. */
  letGo(id: string): Promise<void>;
  /** Records whether a device answered when it was opened: one that did not stays listed, as offline. */
  answered(id: string, online: boolean): void;
  /**
   * Scanners came or went: the next listing looks, even if the last one is fresh.
   * @param id only this one may be asked again; absent: all
   */
  lookAgain(id?: string): void;
}

interface Entry<F> {
  /** Undefined: do not list it. */
  readonly found: F | undefined;
  /** True for an answer, false for a guess. */
  readonly isCertain: boolean;
  /** Do not ask before this time, in `performance.now` ms. */
  readonly restsUntil: number;
}

export function deviceList<F extends Found>({ log, openings, restMs }: DeviceListParts): DeviceList<F> {
  const entries = new Map<string, Entry<F>>();
  const asking = new Map<string, Promise<F | undefined>>();
  let last: { readonly found: readonly F[]; readonly until: number } | undefined;
  let changes = 0;

  const now = (found: F): F => entries.get(found.device.id)?.found ?? found;
  const expire = () => void (last = last && { ...last, until: -Infinity });

  function keep(found: F, isCertain: boolean): F {
    entries.set(found.device.id, { found, isCertain, restsUntil: -Infinity });
    return found;
  }

  function known(id: string): F | undefined {
    const entry = entries.get(id);
    return entry?.isCertain ? entry.found : undefined;
  }

  async function answer(id: string, { ask, explain, guess }: Question<F>): Promise<F | undefined> {
    try {
      return keep(await ask(), true);
    } catch (error) {
      const why = explain(error);
      const before = known(id);
      const rest = before ? 'its last answer' : 'a guess';
      if (!openings.closed.aborted) log.warn(`${why.message} Until it can be opened, its capabilities are ${rest}.`);
      const found = guess(why, before);
      entries.set(id, { found, isCertain: before !== undefined, restsUntil: performance.now() + restMs });
      return found;
    }
  }

  return {
    async *list(signal, look) {
      signal.throwIfAborted();
      if (last && performance.now() < last.until) return yield* last.found.map(now);
      const [began, changesBefore] = [performance.now(), changes];
      const found: F[] = [];
      for await (const each of look()) {
        signal.throwIfAborted();
        found.push(each);
        yield each;
        signal.throwIfAborted();
      }
      const ended = performance.now();
      const freshMs = Math.min(TIMES_AS_LONG * (ended - began), MOST_FRESH_MS);
      last = { found, until: changes === changesBefore ? ended + freshMs : -Infinity };
    },
    before: () => last?.found.map(now),
    known,
    seen: id => entries.get(id)?.found,
    learn: found => keep(found, true),
    suppose: found => keep(found, false),
    forget: id => void entries.delete(id),
    async ask(id, question) {
      const before = known(id);
      if (before?.device.online) return before;
      const entry = entries.get(id);
      if ((entry && performance.now() < entry.restsUntil) || openings.isInUse(id)) return entry?.found;
      const asked = asking.get(id) ?? answer(id, question).finally(() => asking.delete(id));
      asking.set(id, asked);
      return asked;
    },
    letGo: async id => void (await asking.get(id)),
    answered(id, online) {
      const entry = entries.get(id);
      if (!entry?.found || entry.found.device.online === online) return;
      const found = { ...entry.found, device: { ...entry.found.device, online } };
      entries.set(id, { ...entry, found, restsUntil: online ? -Infinity : performance.now() + restMs });
      expire();
    },
    lookAgain(id) {
      changes++;
      expire();
      const woken = id === undefined ? [...entries.keys()] : [id];
      for (const each of woken) {
        const entry = entries.get(each);
        if (entry) entries.set(each, { ...entry, restsUntil: -Infinity });
      }
    },
  };
}
