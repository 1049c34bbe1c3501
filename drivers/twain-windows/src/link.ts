/** A helper and the state that TWAIN is in behind it: what is sent, and what of it fails. */
import type { Frame, Helper, HelperCall } from '@platen/driver-kit';
import { Refusal } from './conditions.js';
import { next, type State, type StateEvent } from './states.js';
import { RC } from './triplets.js';

export interface Answer {
  readonly rc: number;
  readonly cc: number;
  readonly header: Frame['header'];
  readonly data: Uint8Array;
}

export type Arguments = Readonly<Record<string, string | number | boolean>>;

export interface Link {
  readonly state: State;
  /** What has happened, by the table of states. */
  happened(event: StateEvent): void;
  /**
   * Sends a verb. Only `openDsm` may start a process: whatever else is asked belongs to the one that it was begun in.
   * @throws HelperError, ScanError of driver-kit; after the latter the process is gone
   */
  ask(verb: string, args: Arguments, deadlineMs: number, more?: Partial<HelperCall>): Promise<Answer>;
  /** The same for an operation that must succeed. @throws Refusal, with `what` in its words */
  must(what: string, verb: string, args: Arguments, deadlineMs: number): Promise<Answer>;
  /** Ends a `wait` that is under way, if one is. */
  interrupt(): void;
  kill(reason: string): void;
}

export function createLink(helper: Helper): Link {
  let state: State = 'absent';
  /** The process in which the manager was opened. */
  let generation = -1;
  const happened = (event: StateEvent) => void (state = next(state, event));
  const gone = () => {
    happened('exited');
    generation = -1;
  };
  helper.onExit(gone);

  const link: Link = {
    get state() {
      return state;
    },
    happened,
    async ask(verb, args, deadlineMs, more = {}) {
      const starts = state === 'absent' && verb === 'openDsm';
      try {
        const { header, data } = await helper.call(verb, args, { deadlineMs, ...(starts ? {} : { generation }), ...more });
        // Not before it has answered: the end of the process before it is told when this one starts.
        if (starts) {
          generation = helper.generation;
          happened('started');
        }
        return { rc: Number(header['rc'] ?? 0), cc: Number(header['cc'] ?? 0), header, data };
      } catch (error) {
        // Not an answer: the process is gone, or on its way.
        if (typeof (error as { status?: unknown }).status !== 'string') gone();
        throw error;
      }
    },
    async must(what, verb, args, deadlineMs) {
      const answer = await link.ask(verb, args, deadlineMs);
      if (answer.rc !== RC.SUCCESS) throw new Refusal(what, answer.rc, answer.cc);
      return answer;
    },
    interrupt() {
      if (state !== 'absent') void helper.call('interrupt', {}, { deadlineMs: 5000, generation }).catch(() => undefined);
    },
    kill(reason) {
      helper.kill(reason);
      gone();
    },
  };
  return link;
}
