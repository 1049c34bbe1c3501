/** Which scanners there are: the configured ones, and those that discovery finds. What is known is told at once; devices are asked in the background. */
import { createSemaphore, delay, messageOf, unlessAborted, type Log } from '@platen/core/plugin';
import type { Discovery } from './discovery.js';
import type { Known } from './known.js';
import { isSame, withoutDoubles } from './doubles.js';
import { configuredPlace, type Place } from './place.js';

export interface ListerParts {
  readonly configured: readonly string[];
  /** @param onChange told when its places change */
  createDiscovery(onChange: () => void): Discovery | undefined;
  /** Asks a device what it is, within a deadline. */
  meet(place: Place, signal: AbortSignal): Promise<Known>;
  /** Whether a session is open. */
  isInUse(id: string): boolean;
  /** The longest first look, in milliseconds. */
  readonly lookMs: number;
  readonly log: Log;
}

export interface Lister {
  /**
   * What is known, each scanner once, also where it is found in two ways. The first time the scanners come as they answer, for as long as a look takes;
   * later it ends at once.
   */
  list(signal: AbortSignal): AsyncIterable<Known>;
  /** The place of a device; one that is not known is looked for. */
  find(id: string, signal: AbortSignal): Promise<Place | undefined>;
  /** A device answered. */
  remember(known: Known): void;
  /** A device did not answer: it is asked again. */
  doubt(id: string): void;
  remembered(place: Place): Known;
  /** Told when what `list` gives has changed. Returns what ends that. */
  watch(listener: () => void): () => void;
  close(): void;
}

interface Entry {
  place: Place;
  /** What it said of itself, also while it is away; absent: it has not answered yet. */
  known?: Known;
  /** It answered, or had the time to. */
  isSettled: boolean;
  asking?: Promise<void> | undefined;
  /** When it was asked last, in milliseconds of the monotonic clock. */
  at: number;
  failures: number;
  timer?: NodeJS.Timeout | undefined;
}

/** A device is asked again when a listing finds its answer older than this; one at a configured address, of which nobody tells, by itself. */
const FRESH_MS = 5000;
const CONFIGURED_AGAIN_MS = 60_000;
/** One that does not is asked again after this, and after twice as long each time. */
const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 60_000;
/** Of a network with very many the others wait for their turn. */
const MOST_AT_ONCE = 32;
/** Out of descriptors: that says nothing of the device. */
const ours = new Set(['EMFILE', 'ENFILE']);

export function createLister({ configured, createDiscovery, meet, isInUse, lookMs, log }: ListerParts): Lister {
  const own = new Map(configured.map(configuredPlace).map(place => [place.id, place] as const));
  const entries = new Map<string, Entry>();
  const listeners = new Set<() => void>();
  const semaphore = createSemaphore(MOST_AT_ONCE);
  const closing = new AbortController();
  let told = '';
  let firstLook: Promise<void> | undefined;
  let isLooking = true;
  const discovery = createDiscovery(sync);

  /** What happens is looked at by whoever waits for it. */
  let ring = (): void => undefined;
  const nextTurn = () => new Promise<void>(resolve => (ring = resolve));
  let turn = nextTurn();

  function changed(): void {
    ring();
    turn = nextTurn();
    const now = JSON.stringify(listed().map(({ place, places, machine, isAway }) => [place, places, machine, isAway]));
    if (now === told) return;
    told = now;
    for (const each of [...listeners]) each();
  }

  /** The places of now; what was known of one that moved stays until it is asked. */
  function sync(): void {
    const places = new Map([...withoutDoubles(discovery?.places() ?? []), ...own]);
    for (const [id, entry] of entries) {
      if (places.has(id)) continue;
      clearTimeout(entry.timer);
      entries.delete(id);
    }
    for (const place of places.values()) {
      const entry = entries.get(place.id);
      const hasMoved = entry && entry.place.url.href !== place.url.href;
      if (entry) entry.place = place;
      else entries.set(place.id, { place, isSettled: false, at: -Infinity, failures: 0 });
      if (!entry || hasMoved) void ask(place.id);
    }
    changed();
  }

  function ask(id: string): Promise<void> {
    const entry = entries.get(id);
    if (!entry || closing.signal.aborted) return Promise.resolve();
    clearTimeout(entry.timer);
    entry.asking ??= answer(entry).finally(() => {
      entry.asking = undefined;
      if (entries.get(id) !== entry || closing.signal.aborted) return;
      const pause = entry.failures > 0 ? Math.min(FIRST_PAUSE_MS * 2 ** (entry.failures - 1), LONGEST_PAUSE_MS) : CONFIGURED_AGAIN_MS;
      // Of a discovered one that answers the network tells when it goes.
      if (entry.failures > 0 || own.has(id)) entry.timer = setTimeout(() => askIdle(id), pause).unref();
      changed();
    });
    return entry.asking;
  }

  /** What scans is not asked besides. */
  function askIdle(id: string): void {
    const entry = entries.get(id);
    if (!entry) return;
    clearTimeout(entry.timer);
    if (isInUse(id)) entry.timer = setTimeout(() => askIdle(id), CONFIGURED_AGAIN_MS).unref();
    else void ask(id);
  }

  async function answer(entry: Entry): Promise<void> {
    const place = await semaphore.run(() => answerFrom(entry));
    // It moved meanwhile.
    if (!closing.signal.aborted && entry.place.url.href !== place.url.href) await answer(entry);
  }

  /** @returns the place that was asked */
  async function answerFrom(entry: Entry): Promise<Place> {
    const { place } = entry;
    try {
      const known = await meet(place, closing.signal);
      if (entry.failures > 0 && entry.isSettled) log.info(`The network scanner at ${place.url.href} answers.`);
      Object.assign(entry, { known, isSettled: true, failures: 0 });
    } catch (error) {
      if (closing.signal.aborted) return place;
      const isOurs = error instanceof Error && ours.has(((error.cause ?? error) as NodeJS.ErrnoException).code ?? '');
      if (entry.failures === 0) log.warn(`The network scanner at ${place.url.href} does not say what it is: ${messageOf(error)}. It is asked again from time to time.`);
      entry.failures++;
      if (!isOurs) Object.assign(entry, { isSettled: true, known: remembered(place) });
    } finally {
      entry.at = performance.now();
    }
    return place;
  }

  const remembered = (place: Place): Known => {
    const { machine } = entries.get(place.id)?.known ?? {};
    return { place, ...(machine && { machine }), isAway: true };
  };

  const knownOf = (entry: Entry): Known => ({ ...(entry.known ?? remembered(entry.place)), place: entry.place });

  /** A configured scanner that is discovered as well counts once, with what is announced of it. */
  function listed(): Known[] {
    const configuredOnes = [...entries.values()].filter(({ place }) => own.has(place.id)).map(knownOf);
    const others = [...entries.values()].filter(({ place, isSettled }) => isSettled && !own.has(place.id)).map(knownOf);
    const isOwn = (other: Known) => configuredOnes.some(known => isSame(known, other.place));
    return [
      ...configuredOnes.map(known => ({ ...known, places: others.map(({ place }) => place).filter(place => isSame(known, place)) })),
      ...others.filter(other => !isOwn(other)),
    ];
  }

  /** The one look that a driver's first use begins. */
  function start(): Promise<void> {
    firstLook ??= (async () => {
      sync();
      const all = Promise.all([discovery?.look(closing.signal), ...[...own.keys()].map(id => entries.get(id)?.asking)]);
      await Promise.race([all, delay(lookMs, closing.signal)]).catch(() => undefined);
      isLooking = false;
      changed();
    })();
    return firstLook;
  }

  return {
    async *list(signal) {
      const looked = start();
      const given = new Set<string>();
      for (const { place, at } of entries.values()) if (performance.now() - at > FRESH_MS) askIdle(place.id);
      for (;;) {
        signal.throwIfAborted();
        const next = turn;
        for (const known of listed()) {
          const isReady = !isLooking || entries.get(known.place.id)?.isSettled;
          if (!isReady || given.has(known.place.id)) continue;
          given.add(known.place.id);
          yield known;
        }
        if (!isLooking || closing.signal.aborted) return;
        await unlessAborted(Promise.race([next, looked]), signal);
      }
    },
    async find(id, signal) {
      void start();
      const look = isLooking ? firstLook : discovery?.look(signal);
      let isOver = false;
      const over = Promise.resolve(look).catch(() => undefined).then(() => (isOver = true));
      for (;;) {
        const place = entries.get(id)?.place;
        if (place || isOver) return place;
        await unlessAborted(Promise.race([turn, over]), signal);
      }
    },
    remember(known) {
      const entry = entries.get(known.place.id);
      if (!entry) return;
      Object.assign(entry, { known, isSettled: true, failures: 0, at: performance.now() });
      changed();
    },
    doubt: id => void ask(id),
    remembered,
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      closing.abort(new Error('The driver was closed.'));
      for (const { timer } of entries.values()) clearTimeout(timer);
      discovery?.close();
      listeners.clear();
    },
  };
}
