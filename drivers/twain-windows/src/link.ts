/** A helper and the state that TWAIN is in behind it: what is sent, and what of it fails. */
import { boundHelper, type BoundCall, type Frame, type Helper } from '@platen/driver-kit';
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
  ask(verb: string, args: Arguments, deadlineMs: number, more?: Partial<BoundCall>): Promise<Answer>;
  /** The same for an operation that must succeed. @throws Refusal, with `what` in its words */
  must(what: string, verb: string, args: Arguments, deadlineMs: number): Promise<Answer>;
  /** Ends a `wait` that is under way, if one is. */
  interrupt(): void;
  kill(reason: string): void;
}

export function createLink(helper: Helper): Link {
  let state: State = 'absent';
  const happened = (event: StateEvent) => void (state = next(state, event));
  const bound = boundHelper(helper, () => happened('exited'));

  async function frameOf(verb: string, args: Arguments, call: BoundCall): Promise<Frame> {
    if (state !== 'absent' || verb !== 'openDsm') return bound.call(verb, args, call);
    const frame = await bound.bind(verb, args, call);
    happened('started');
    return frame;
  }

  const link: Link = {
    get state() {
      return state;
    },
    happened,
    async ask(verb, args, deadlineMs, more) {
      const { header, data } = await frameOf(verb, args, { deadlineMs, ...more });
      return { rc: Number(header['rc'] ?? 0), cc: Number(header['cc'] ?? 0), header, data };
    },
    async must(what, verb, args, deadlineMs) {
      const answer = await link.ask(verb, args, deadlineMs);
      if (answer.rc !== RC.SUCCESS) throw new Refusal(what, answer.rc, answer.cc);
      return answer;
    },
    interrupt() {
      if (state !== 'absent') void bound.call('interrupt', {}, { deadlineMs: 5000 }).catch(() => undefined);
    },
    kill: bound.kill,
  };
  return link;
}
