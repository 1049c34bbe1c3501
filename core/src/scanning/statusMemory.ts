/** How the open scanner is: asked each time, and remembered for callers who would wait long. */
import type { Session, Status } from '../contract/driver.js';
import type { Clock } from '../time/clock.js';
import { callWithin } from '../time/deadline.js';
import { settledWithin } from '../time/wait.js';
import type { OpenDevice } from './openDevice.js';

/** A status that takes longer counts as offline. */
const DEADLINE_MS = 2000;
/** How long a caller waits while a recent status is there. */
const PATIENCE_MS = 15;
/** How old a status may be that is given in place of one that takes longer. */
const RECENT_MS = 5000;

export interface StatusMemory {
  /** At most a few seconds old. @throws what the driver fails with; `timeout` */
  of(scanner: OpenDevice): Promise<Status>;
  /** What is remembered of it is known to be wrong. */
  forget(scanner: OpenDevice): void;
}

export function createStatusMemory(clock: Clock): StatusMemory {
  const last = new WeakMap<Session, { readonly status: Status; readonly at: number }>();
  /** Who asks while the scanner is being asked waits for the same answer. */
  const asking = new WeakMap<Session, Promise<Status>>();

  async function ask({ session, known }: OpenDevice): Promise<Status> {
    const status = await callWithin(clock, DEADLINE_MS, `asking ${known.name} for its status`, call =>
      session.status(call),
    );
    last.set(session, { status, at: clock.monotonic() });
    return status;
  }

  function asked(scanner: OpenDevice): Promise<Status> {
    const { session } = scanner;
    const before = asking.get(session);
    if (before) return before;
    const answer = ask(scanner).finally(() => asking.delete(session));
    asking.set(session, answer);
    return answer;
  }

  return {
    async of(scanner) {
      const answer = asked(scanner);
      const recent = last.get(scanner.session);
      if (!recent || clock.monotonic() - recent.at > RECENT_MS) return answer;
      return (await settledWithin(answer, PATIENCE_MS, clock)) ? answer : recent.status;
    },
    forget: ({ session }) => void last.delete(session),
  };
}
