/** Events on their way out: of equal ones, one waits at most, however slowly the other end reads. */
import type { Sender } from './sender.js';

export interface Events {
  /** @param session the number of the call that opened it; absent: an event of the driver */
  tell(event: string, session?: number): void;
}

export function createEvents(sender: Sender): Events {
  const waiting = new Set<string>();
  return {
    tell(event, session) {
      const key = `${event} ${session}`;
      if (waiting.has(key)) return;
      waiting.add(key);
      void sender.send({ event, ...(session !== undefined && { session }) }).then(() => waiting.delete(key));
    },
  };
}
