/** Logs for what is tried again and again: a driver lists often, and what is missing stays missing. */
import type { Log } from '@platen/core/plugin';

/** Once this many different sentences were said, further ones go to the debugging level. */
const MOST = 50;

export interface OnceLog extends Log {
  /** Takes the sentence as said: somebody else has told it. */
  told(message: string): void;
  /** From now on everything may be said again. @returns whether anything had been said */
  again(): boolean;
}

/** Says each sentence once, until `again()`. The debugging level is not filtered. */
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
    told: message => void said.add(message),
    again() {
      const had = said.size > 0;
      said.clear();
      return had;
    },
  };
}

/** For helpers whose failures the driver tells itself: their warnings go to the debugging level. */
export function quietLog(log: Log): Log {
  return { ...log, warn: message => log.debug(message) };
}
