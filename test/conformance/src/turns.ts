/** Cases of suites that run in parallel in one process: one that looks at the whole process runs alone. */

let last: Promise<unknown> = Promise.resolve();
let together: Promise<unknown>[] = [];

/** Runs it as soon as nothing runs that must be alone, or, if it must be alone itself, nothing at all; in the order of the calls. */
export function inTurn<T>(alone: boolean, run: () => Promise<T>): Promise<T> {
  const before = alone ? [last, ...together] : [last];
  const running = Promise.allSettled(before).then(run);
  const ended = running.catch(() => {});
  if (alone) {
    last = ended;
    together = [];
  } else {
    together.push(ended);
    void ended.then(() => (together = together.filter(each => each !== ended)));
  }
  return running;
}
