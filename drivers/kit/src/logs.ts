/** Logs for repeated attempts: a driver lists its scanners often, and the same failure returns each time. */
import type { Log } from '@platen/core/plugin';

/** After this many different messages, further ones are logged at level debug. */
const MOST = 50;

export interface OnceLog extends Log {
  /** Marks a message as logged, because the caller has reported it in another way. */
  told(message: string): void;
  /** Forgets all messages, so that each is logged again. @returns whether any had been logged */
  again(): boolean;
}

/** Logs each message once, until `again()`. Level debug is not filtered. */
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

/** For helpers whose failures the driver reports itself: logs warnings at level debug. */
export function quietLog(log: Log): Log {
  return { ...log, warn: message => log.debug(message) };
}
