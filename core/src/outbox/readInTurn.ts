/** One reader of several boxes: pages of an earlier auto-scan come before those of the running one. */
import type { Outbox, OutboxEvent, OutboxReader } from './outbox.js';

/** @param boxes at least one. It reads each from the start; the end of the last is its end */
export function readInTurn<T>(boxes: readonly Outbox<T>[], lastEventId?: string): OutboxReader<T> {
  const readers = boxes.map(box => box.read(lastEventId));
  let current = readers[0];
  const leave = (): void => {
    for (const reader of readers) reader.leave();
  };

  async function* events(): AsyncGenerator<OutboxEvent<T>, void> {
    try {
      for (const reader of readers) {
        current = reader;
        for await (const event of reader.events) {
          const isLast = reader === readers.at(-1);
          if (event.kind === 'item' || isLast || event.id !== undefined) yield event;
          if (event.kind === 'end' && event.id !== undefined) return;
        }
      }
    } finally {
      leave();
    }
  }

  return {
    events: events(),
    get discarded() {
      return current?.discarded ?? false;
    },
    leave,
  };
}
