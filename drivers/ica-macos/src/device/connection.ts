/** One scanner's session in one process of the helper: takes it from state to state, with the verb of each step. */
import { codeOf, ScanError } from '@platen/core/plugin';
import { boundHelper, statusOf, type BoundCall, type Frame, type Helper } from '@platen/driver-kit';
import { browse, type HelperEvent } from './events.js';
import { createPresence } from './presence.js';
import { patience, stepSession, type SessionEffect, type SessionEvent, type SessionState } from './sessionMachine.js';
import type { Deadlines } from '../settings.js';

export interface Connection {
  readonly isOpen: boolean;
  /** The browser's name for the scanner; its id until then. */
  readonly name: string;
  /** Finds the scanner and opens it, unless it is open. */
  open(): Promise<void>;
  /** Whether the event is possible in this state. */
  allows(event: SessionEvent): boolean;
  /** Applies an event. @throws ScanError `driver-failed` if it is not possible in this state */
  move(event: SessionEvent): void;
  /** Applies an event and runs the verb that follows. @returns the verb's answer, if any */
  advance(event: SessionEvent, args?: object): Promise<Frame | undefined>;
  /** Runs a verb that belongs to no step. */
  ask(verb: string, args: object, deadlineMs: number, how?: Omit<BoundCall, 'deadlineMs'>): Promise<Frame>;
  /** Kills the helper. */
  kill(reason: string): void;
}

export interface ConnectionParts {
  readonly helper: Helper;
  readonly device: string;
  readonly network: boolean;
  readonly deadlines: Deadlines;
  /** Takes an error that the scanner reports during a scan. */
  onScanError(event: HelperEvent): void;
}

export function createConnection({ helper, device, network, deadlines, onScanError }: ConnectionParts): Connection {
  let state: SessionState = 'closed';
  const presence = createPresence(device, network);
  const bound = boundHelper(helper, why => {
    if (codeOf(why) === 'timeout' && patience[state]) move('late');
    state = 'closed';
    presence.lose();
  });

  function onEvent(said: HelperEvent): void {
    const { event, device: about } = said;
    presence.hear(said);
    if (event === 'error' && (state === 'scanning' || state === 'finishing')) onScanError(said);
    if (event === 'closed' || (event === 'removed' && about === device)) state = 'closed';
  }

  /** @returns the effect to carry out */
  function move(event: SessionEvent): SessionEffect | undefined {
    const step = stepSession(state, event);
    if (!step) throw new ScanError('driver-failed', `A session that is ${state} cannot ${event}.`);
    if (step.effect === 'kill') bound.kill(`the scanner did not answer while its session was ${state}`);
    state = step.state;
    return step.effect;
  }

  const ask: Connection['ask'] = async (verb, args, deadlineMs, how = {}) => {
    try {
      return await bound.call(verb, args, { deadlineMs, ...how });
    } catch (error) {
      const status = statusOf(error);
      if (status === 'REMOVED' || status === 'CLOSED') state = 'closed';
      // It was disconnected before this verb came: the helper has no scanner any more.
      if (status === 'BAD_REQUEST' && presence.isThere === false)
        throw Object.assign(new Error('the scanner was disconnected', { cause: error }), { status: 'REMOVED' });
      throw error;
    }
  };

  async function advance(event: SessionEvent, args: object = {}): Promise<Frame | undefined> {
    const verb = move(event);
    const awaited = patience[state];
    if (!verb || !awaited) return undefined;
    try {
      return await ask(verb, args, deadlines[awaited]);
    } catch (error) {
      if (state !== 'closed') move(state === 'selecting' ? 'selected' : 'gone');
      throw error;
    }
  }

  /** Starts browsing once per process; its events follow. */
  async function look(): Promise<void> {
    move('look');
    try {
      if (!bound.isBound) {
        presence.forget();
        await browse(bound, { network }, deadlines.look, onEvent);
      }
      await presence.known(deadlines.look);
    } catch (error) {
      move('gone');
      throw error;
    }
    if (presence.isThere) return;
    move('gone');
    throw Object.assign(new Error('the browser did not find it'), { status: 'NOT_FOUND' });
  }

  const isOpen = () => state !== 'closed' && bound.isBound;

  return {
    get isOpen() {
      return isOpen();
    },
    get name() {
      return presence.name;
    },
    async open() {
      if (isOpen()) return;
      state = 'closed';
      await look();
      await advance('found', { device });
      await advance('opened');
      move('isReady');
    },
    allows: event => stepSession(state, event) !== undefined,
    move,
    advance,
    ask,
    kill: reason => bound.kill(reason),
  };
}
