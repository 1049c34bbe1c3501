/** Plugins' work on a page has a deadline: what hangs fails, and does not hold the scanner. */
import type { Call } from '../contract/driver.js';
import { ScanError } from '../contract/errors.js';
import type { Contributions } from '../contract/plugin.js';
import type { Clock } from '../time/clock.js';
import { unlessAborted } from '../time/wait.js';

/** For one page: many times what text recognition of a large page takes. */
export const STEP_DEADLINE_MS = 300_000;

type Method = (...given: unknown[]) => Promise<unknown>;

/** The same contributions; their methods reject when they took longer, and abort their signal. */
export function withDeadlines(contributions: Contributions, clock: Clock): Contributions {
  const { formats, recognisers, processors } = contributions;
  return {
    ...contributions,
    ...(formats && { formats: formats.map(each => limited(each, ['encode', 'decode'], clock)) }),
    ...(recognisers && { recognisers: recognisers.map(each => limited(each, ['read'], clock)) }),
    ...(processors && { processors: processors.map(each => limited(each, ['apply'], clock)) }),
  };
}

function limited<Item extends object>(item: Item, names: readonly string[], clock: Clock): Item {
  const methods = names.flatMap(name => {
    const method = (item as Readonly<Record<string, unknown>>)[name];
    return typeof method === 'function' ? [[name, deadlined(method.bind(item) as Method, clock)] as const] : [];
  });
  // Not a copy: it may be an instance of a class.
  return Object.assign(Object.create(item) as Item, Object.fromEntries(methods));
}

/** @param method whose last parameter is its `Call` */
function deadlined(method: Method, clock: Clock): Method {
  let late = 0;
  return async (...given) => {
    if (late > 0) throw new Error('it did not finish an earlier page');
    const call = given.pop() as Call;
    const deadline = new AbortController();
    const signal = AbortSignal.any([call.signal, deadline.signal]);
    const working = (async () => method(...given, { ...call, signal }))();
    const cancel = clock.after(STEP_DEADLINE_MS, () => {
      late++;
      const isOver = (): void => void late--;
      working.then(isOver, isOver);
      deadline.abort(new ScanError('timeout', `it took longer than ${STEP_DEADLINE_MS / 1000} seconds`));
    });
    try {
      return await unlessAborted(working, deadline.signal);
    } finally {
      cancel();
    }
  };
}
