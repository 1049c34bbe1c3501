/** What the person chooses for an origin, and the answer that it makes. */
import { isLoopback } from './origin.js';
import { rights, type Answer, type Asked, type Grant, type Right } from './state.js';

const HOUR_MS = 60 * 60 * 1000;

/** `same`: the end that the grant has. */
export const durations = { hour: HOUR_MS, day: 24 * HOUR_MS, month: 30 * 24 * HOUR_MS, forever: Infinity } as const;
export type Duration = keyof typeof durations | 'same';

export interface Choices {
  readonly origin: string;
  /** Of the question; absent: a grant is changed. */
  readonly id?: string;
  all: boolean;
  /** Names, of which only those count that are chosen while `all` is false. */
  readonly picked: Set<string>;
  readonly may: Set<Right>;
  duration: Duration;
  /** The end that `same` keeps. */
  readonly until?: string;
}

/**
 * Checked is what the page asks for.
 *
 * It ends by itself, so that what is forgotten does not stay; and not so soon that people answer without reading. Where
 * anyone in the network can be that page, it ends after a day.
 */
export function choicesFor({ id, origin, may, scanners = '*' }: Asked): Choices {
  const isOpen = origin.startsWith('http:') && !isLoopback(origin);
  return {
    ...{ origin, id },
    all: scanners === '*',
    picked: new Set(scanners === '*' ? [] : scanners),
    may: new Set<Right>(['scan', ...may]),
    duration: isOpen ? 'day' : 'month',
  };
}

/** To change what was decided. */
export function choicesOf({ origin, may, scanners, until }: Grant): Choices {
  const all = may.length === 0 || scanners === '*';
  return {
    origin,
    all,
    picked: new Set(all ? [] : scanners),
    may: new Set<Right>(['scan', ...may]),
    ...(until === undefined ? { duration: may.length === 0 ? 'month' : 'forever' } : { duration: 'same', until }),
  };
}

/** Whether it allows anything. */
export const isComplete = ({ all, picked }: Choices): boolean => all || picked.size > 0;

/** @param now milliseconds since 1970 */
export function allowing({ id, origin, all, picked, may, duration, until: same }: Choices, now: number): Answer {
  const until =
    duration === 'same' ? same : duration === 'forever' ? undefined : new Date(now + durations[duration]).toISOString();
  return {
    ...(id === undefined ? {} : { id }),
    origin,
    may: rights.filter(right => may.has(right)),
    scanners: all ? '*' : [...picked],
    ...(until === undefined ? {} : { until }),
  };
}

export const refusing = ({ id, origin }: Pick<Choices, 'id' | 'origin'>): Answer => ({
  ...(id === undefined ? {} : { id }),
  origin,
  may: [],
  scanners: '*',
});
