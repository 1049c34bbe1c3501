/** The connection to a helper, with TWAIN's state in it. */
import { boundHelper, type BoundCall, type Frame, type Helper } from '@platen/driver-kit';
import { Refusal } from '../protocol/conditions.js';
import { RC } from '../protocol/constants.js';
import { next, type State, type StateEvent } from '../protocol/states.js';

export interface Answer {
  readonly rc: number;
  readonly cc: number;
  readonly header: Frame['header'];
  readonly data: Uint8Array;
}

export type Arguments = Readonly<Record<string, string | number | boolean>>;

export interface Connection {
  readonly state: State;
  /** Applies an event to the state. */
  transition(event: StateEvent): void;
  /**
   * Sends a verb. Only `openDsm` may start a process: all others belong to the process in which the manager was opened.
   * @throws HelperError; a ScanError of the kit, after which the process has ended
   */
  call(verb: string, args: Arguments, deadlineMs: number, more?: Partial<BoundCall>): Promise<Answer>;
  /** The same for an operation that must succeed. @throws Refusal with a message that begins with `what` */
  mustSucceed(what: string, verb: string, args: Arguments, deadlineMs: number): Promise<Answer>;
  /**
   * Sends the source a structure, or one of this many zero bytes.
   * @returns it as the source filled it
   * @throws Refusal with a message that begins with `what`
   */
  read(
    what: string,
    dg: number,
    dat: number,
    msg: number,
    bytes: number | Uint8Array,
    deadlineMs: number,
  ): Promise<Uint8Array>;
  /** Ends the running `wait`, if any. */
  interrupt(): void;
  kill(reason: string): void;
}

export function createConnection(helper: Helper): Connection {
  let state: State = 'absent';
  const transition = (event: StateEvent) => void (state = next(state, event));
  const bound = boundHelper(helper, () => transition('exited'));

  async function frameOf(verb: string, args: Arguments, call: BoundCall): Promise<Frame> {
    if (state !== 'absent' || verb !== 'openDsm') return bound.call(verb, args, call);
    const frame = await bound.bind(verb, args, call);
    transition('started');
    return frame;
  }

  const connection: Connection = {
    get state() {
      return state;
    },
    transition,
    async call(verb, args, deadlineMs, more) {
      const { header, data } = await frameOf(verb, args, { deadlineMs, ...more });
      return { rc: Number(header['rc'] ?? 0), cc: Number(header['cc'] ?? 0), header, data };
    },
    async mustSucceed(what, verb, args, deadlineMs) {
      const answer = await connection.call(verb, args, deadlineMs);
      if (answer.rc !== RC.SUCCESS) throw new Refusal(what, answer.rc, answer.cc);
      return answer;
    },
    async read(what, dg, dat, msg, bytes, deadlineMs) {
      const sent = Buffer.from(typeof bytes === 'number' ? new Uint8Array(bytes) : bytes);
      const args = { dest: 'source', dg, dat, msg, bytes: sent.toString('base64') };
      const { rc, cc, data } = await connection.call('triplet', args, deadlineMs);
      if (rc !== RC.SUCCESS && rc !== RC.CHECKSTATUS) throw new Refusal(what, rc, cc);
      if (data.length < sent.length) throw new Refusal(`${what} without its structure`, rc, cc);
      return data;
    },
    interrupt() {
      if (state !== 'absent') void bound.call('interrupt', {}, { deadlineMs: 5000 }).catch(() => undefined);
    },
    kill: bound.kill,
  };
  return connection;
}
