/** Ends what the tests of a process share: with its file, or after the last of several files. */
import root from 'tap';

type End = () => Promise<unknown>;

const ends: End[] = [];
let hasFiles = false;

/** Several files are going to run in this process. @returns what ends all, after the last of them */
export function shareProcess(): () => Promise<void> {
  hasFiles = true;
  return async () => {
    for (let end = ends.pop(); end; end = ends.pop()) await end();
  };
}

export function atProcessEnd(end: End): void {
  if (hasFiles) ends.push(end);
  else root.teardown(end);
}
