/** A log for what is tried again and again: each sentence once, until something has changed. */
import type { Log } from '@platen/core/plugin';

/** More different sentences than this are no news either. */
const MOST = 50;

export interface OnceLog extends Log {
  /** From now on everything may be said again. */
  again(): void;
}

/** Sentences for the debugging level all go through. */
export function onceLog(log: Log): OnceLog {
  const said = new Set<string>();
  const once = (say: (message: string) => void) => (message: string) => {
    if (said.size >= MOST || said.has(message)) return log.debug(message);
    said.add(message);
    say(message);
  };
  return {
    debug: message => log.debug(message),
    info: once(message => log.info(message)),
    warn: once(message => log.warn(message)),
    error: once(message => log.error(message)),
    again: () => said.clear(),
  };
}
