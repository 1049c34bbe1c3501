/** Processes that a test has started, by what Linux says of them. */
import { readdirSync, readFileSync } from 'node:fs';

/**
 * Process ids of the running children of this process whose command line contains the word. None where there is no
 * `/proc`.
 */
export function childrenNamed(word: string): number[] {
  const all = attempt(() => readdirSync('/proc')) ?? [];
  return all
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => {
      const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? '';
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return (
        parent === String(process.pid) &&
        state !== 'Z' &&
        attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))?.includes(word)
      );
    });
}

/** A process may go while it is looked at. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
