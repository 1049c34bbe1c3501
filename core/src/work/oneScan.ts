/** One scan at a time on a session (promise 4); the next one starts when the previous one has stopped. */
import { ScanError } from '../contract/errors.js';
import { endable, type Endable } from './endable.js';

export interface OneScan<T> {
  /** The running scan, also while it stops. */
  readonly running: Endable<T> | undefined;
  /**
   * @param begin called at the first pull, when no other scan is running; may throw instead. All waits in it must end when
   *   `ended` is aborted; `before` settles when the previous, ended scan has stopped
   */
  start(
    signal: AbortSignal,
    begin: (ended: AbortSignal, before: Promise<void> | undefined) => AsyncGenerator<T, void, undefined>,
  ): Endable<T>;
}

/** @param name of the scanner, for the `busy` message */
export function oneScan<T>(name: string): OneScan<T> {
  let running: Endable<T> | undefined;
  return {
    get running() {
      return running;
    },
    start(signal, begin) {
      const scan: Endable<T> = endable<T>({
        signal,
        begin(ended) {
          if (running && !running.ending) throw new ScanError('busy', `"${name}" is scanning.`);
          const pages = begin(ended, running?.ending);
          running = scan;
          return pages;
        },
        over() {
          if (running === scan) running = undefined;
        },
      });
      return scan;
    },
  };
}
