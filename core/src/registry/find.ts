/** Asks a plugin what it finds for its options: with a limit, and its answer is checked. */
import type { Found } from '../contract/find.js';
import { plainWordsOf } from '../contract/errors.js';
import type { Contributions } from '../contract/plugin.js';
import { systemClock, type Clock } from '../time/clock.js';
import { settledWithin } from '../time/wait.js';

/** A search that takes longer is given up. */
export const FIND_DEADLINE_MS = 20_000;
export const MOST_FOUND = 200;
const LONGEST_TITLE = 200;

/**
 * @param source undefined: the plugin is not loaded
 * @param gone nobody waits any more
 * @throws Error with a sentence
 */
export async function foundBy(
  source: Contributions | undefined,
  gone: AbortSignal,
  clock: Clock = systemClock,
): Promise<readonly Found[]> {
  if (!source?.find) throw new Error('The plugin is not loaded, or it looks for nothing.');
  const late = new AbortController();
  const call = { signal: AbortSignal.any([gone, late.signal]) };
  const finding = (async (): Promise<unknown> => source.find?.call(source, call))();
  try {
    if (!(await settledWithin(finding, FIND_DEADLINE_MS, clock)))
      throw new Error(`it took longer than ${FIND_DEADLINE_MS / 1000} seconds`);
    return checked(await finding);
  } catch (error) {
    throw new Error(`The plugin could not look for anything (${plainWordsOf(error)}).`, { cause: error });
  } finally {
    late.abort();
    finding.catch(() => undefined);
  }
}

function checked(value: unknown): readonly Found[] {
  if (!Array.isArray(value)) throw new Error('its answer is not a list');
  return value.slice(0, MOST_FOUND).map((each: Partial<Found> | null) => {
    const { title, options } = each ?? {};
    if (typeof title !== 'string' || title === '') throw new Error('its answer has an entry without a title');
    if (typeof options !== 'object' || options === null || Array.isArray(options))
      throw new Error('its answer has an entry without options');
    return { title: title.slice(0, LONGEST_TITLE), options };
  });
}
