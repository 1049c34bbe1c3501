/** Which scanners there are: the configured ones, and those that discovery finds. */
import { messageOf, type Log } from '@platen/core/plugin';
import type { Discovery } from './discovery.js';
import type { Known } from './known.js';
import { configuredPlace, type Place } from './place.js';

export interface ListerParts {
  readonly configured: readonly string[];
  readonly discovery: Discovery | undefined;
  /** Asks a device what it is. */
  meet(place: Place, signal: AbortSignal): Promise<Known>;
  readonly log: Log;
}

export interface Lister {
  /** One by one as they answer; each of them once, also where it is found in two ways. */
  list(signal: AbortSignal): AsyncIterable<Known>;
  /** The place of a device; looks for it where it was not listed yet. */
  find(id: string, signal: AbortSignal): Promise<Place | undefined>;
  remember(known: Known): void;
  remembered(place: Place): Known;
}

export function createLister({ configured, discovery, meet, log }: ListerParts): Lister {
  const own = new Map(configured.map(configuredPlace).map(place => [place.id, place] as const));
  let found: ReadonlyMap<string, Place> = new Map();
  const memory = new Map<string, Known>();

  const remembered = (place: Place): Known => ({ place, ...machineOf(memory.get(place.id)), isAway: true });

  async function look(place: Place, signal: AbortSignal): Promise<Known> {
    try {
      const known = await meet(place, signal);
      memory.set(place.id, known);
      return known;
    } catch (error) {
      signal.throwIfAborted();
      log.debug(`The network scanner at ${place.url.href} does not say what it is: ${messageOf(error)}.`);
      return remembered(place);
    }
  }

  async function discover(signal: AbortSignal): Promise<readonly Place[]> {
    if (!discovery) return [];
    found = withoutDoubles(await discovery.look(signal));
    return [...found.values()];
  }

  return {
    async *list(signal) {
      const others = discover(signal);
      others.catch(() => undefined);
      const listed: Known[] = [];
      const asked = [...own.values()].map(place => look(place, signal));
      for (const each of asked) each.catch(() => undefined);
      for (const each of asked) {
        const known = await each;
        listed.push(known);
        yield known;
      }
      const rest = (await others).filter(place => !listed.some(known => isSame(known, place))).map(place => look(place, signal));
      for (const each of rest) each.catch(() => undefined);
      for (const each of rest) yield await each;
    },
    async find(id, signal) {
      const place = own.get(id) ?? found.get(id);
      if (place) return place;
      await discover(signal);
      return found.get(id);
    },
    remember: known => void memory.set(known.place.id, known),
    remembered,
  };
}

function machineOf(known: Known | undefined): Pick<Known, 'machine'> {
  return known?.machine ? { machine: known.machine } : {};
}

/** A configured scanner that is discovered as well. */
function isSame({ place, machine }: Known, other: Place): boolean {
  return place.url.host === other.url.host || (machine?.uuid !== undefined && machine.uuid === other.told?.uuid);
}

/** Most devices announce themselves with TLS and without: what is scanned goes over TLS. */
function withoutDoubles(places: readonly Place[]): ReadonlyMap<string, Place> {
  const kept = new Map<string, Place>();
  for (const place of places) if (!kept.has(place.id) || place.url.protocol === 'https:') kept.set(place.id, place);
  return kept;
}
