/** The questions on the page: those that wait, and those that ended while the page was open. */
import { choicesFor, type Choices } from './choices.js';
import type { Asked, Grant, State } from './state.js';

/** `elsewhere`: answered, and not on this page. */
export type EntryState = 'open' | 'allowed' | 'refused' | 'lapsed' | 'elsewhere';

export interface Entry {
  readonly asked: Asked;
  readonly choices: Choices;
  readonly state: EntryState;
}

/** Of those that ended: a page that asks and leaves must not push the others away. */
const MOST_ENDED = 5;

/**
 * The entries after the service's next state. An entry that did not change is the same object.
 * @param first the question that comes first
 */
export function entriesAfter(
  before: readonly Entry[],
  { asked, grants }: Pick<State, 'asked' | 'grants'>,
  first?: string,
): readonly Entry[] {
  const waiting = new Map(asked.map(each => [each.id, each]));
  const known = before.map(entry => {
    const now = waiting.get(entry.asked.id);
    waiting.delete(entry.asked.id);
    if (entry.state !== 'open') return entry;
    if (now) return isSame(now, entry.asked) ? entry : opened(now);
    return { ...entry, state: wasAnswered(entry.asked, grants) ? ('elsewhere' as const) : ('lapsed' as const) };
  });
  const all = [...known, ...[...waiting.values()].map(opened)];
  const tooMany = all.filter(({ state }) => state !== 'open').slice(0, -MOST_ENDED);
  return all
    .filter(entry => !tooMany.includes(entry))
    .sort((a, b) => Number(b.asked.id === first) - Number(a.asked.id === first));
}

const opened = (asked: Asked): Entry => ({ asked, choices: choicesFor(asked), state: 'open' });

const isSame = (a: Asked, b: Asked): boolean => JSON.stringify(a) === JSON.stringify(b);

const wasAnswered = ({ origin, at }: Asked, grants: readonly Grant[]): boolean =>
  grants.some(grant => grant.origin === origin && (grant.at === undefined || grant.at >= at));

/** What the person answered here. */
export const answered = (entries: readonly Entry[], id: string, state: 'allowed' | 'refused'): readonly Entry[] =>
  entries.map(entry => (entry.asked.id === id ? { ...entry, state } : entry));
