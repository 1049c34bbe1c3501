/** The open scanner's status: requested each time, and remembered for when the device is slow. */
import type { Session, Status } from '../contract/driver.js';
import type { Clock } from '../time/clock.js';
import { callWithin } from '../time/deadline.js';
import { settledWithin } from '../time/wait.js';
import type { OpenDevice } from './openDevice.js';

/** A slower status counts as offline. */
const DEADLINE_MS = 2000;
/** How long a caller waits if a recent status is known. */
const PATIENCE_MS = 15;
/** Maximum age of a status that replaces a slow one. */
const RECENT_MS = 5000;

export interface StatusMemory {
  /** At most a few seconds old. @throws the driver's error; `timeout` */
  of(scanner: OpenDevice): Promise<Status>;
  /** Drops the remembered status when it is known to be wrong. */
  forget(scanner: OpenDevice): void;
}

export function createStatusMemory(clock: Clock): StatusMemory {
  const last = new WeakMap<Session, { readonly status: Status; readonly at: number }>();
  /** Callers that ask meanwhile share the answer. */
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
