/**
 * TWAIN's seven states, as a table.
 *
 * ```
 *        started        dsmOpened       sourceOpened      enabled        ready         transferBegan
 *   1 ────────────▶ 2 ────────────▶ 3 ────────────▶ 4 ────────────▶ 5 ──────────▶ 6 ──────────────▶ 7
 *   no helper       no manager      no source       source open     waiting       a page is ready    the page comes
 *   ◀─── exited ─── ◀── dsmClosed ─ ◀─ sourceClosed  ▲               │ finished    │  ▲                │
 *   (from all)                                       │               ▼             │  └─── ended, more ┤
 *                                                    └── disabled ── 5 spent ◀──── reset, ended, none ─┘
 * ```
 *
 * State 5 has two rows. While a page is pending the source is not disabled, because many crash then: the driver
 * waits for a page or for the source's request to be closed. `spent` is state 5 when no page follows.
 *
 * `refused`: the source refuses to end a transfer, so it is one state lower than assumed. A source
 * that refuses to be disabled or closed loses its process.
 */

export type State = 'absent' | 'loaded' | 'managed' | 'open' | 'enabled' | 'spent' | 'ready' | 'transferring';

/** The specification's numbers. */
export const numbers: Readonly<Record<State, number>> = {
  absent: 1,
  loaded: 2,
  managed: 3,
  open: 4,
  enabled: 5,
  spent: 5,
  ready: 6,
  transferring: 7,
};

export type StateEvent =
  /** The helper runs; it has ended, for any reason. */
  | 'started'
  | 'exited'
  | 'dsmOpened'
  | 'dsmClosed'
  | 'sourceOpened'
  | 'sourceClosed'
  /** `finished`: the source asks to be closed, or the driver stops waiting. */
  | 'enabled'
  | 'finished'
  | 'disabled'
  /** The source has a page ready. */
  | 'ready'
  /** The first strip or the whole page arrived, or the transfer was cancelled; a failed transfer did not begin. */
  | 'transferBegan'
  /** ENDXFER: more pages follow, or none. */
  | 'endedMore'
  | 'endedNone'
  | 'reset'
  | 'refused';

type Row = Partial<Readonly<Record<StateEvent, State>>>;

const table: Readonly<Record<State, Row>> = {
  absent: { started: 'loaded', exited: 'absent' },
  loaded: { dsmOpened: 'managed', exited: 'absent' },
  managed: { sourceOpened: 'open', dsmClosed: 'loaded', exited: 'absent' },
  open: { enabled: 'enabled', sourceClosed: 'managed', exited: 'absent' },
  enabled: { ready: 'ready', finished: 'spent', disabled: 'open', exited: 'absent' },
  // A page may come after the request to be closed: it is transferred, not lost.
  spent: { ready: 'ready', disabled: 'open', exited: 'absent' },
  ready: {
    transferBegan: 'transferring',
    endedMore: 'ready',
    endedNone: 'spent',
    reset: 'spent',
    refused: 'spent',
    exited: 'absent',
  },
  transferring: {
    transferBegan: 'transferring',
    endedMore: 'ready',
    endedNone: 'spent',
    refused: 'ready',
    exited: 'absent',
  },
};

/** @throws Error for an event that the state does not allow: a bug in this driver */
export function next(state: State, event: StateEvent): State {
  const to = table[state][event];
  if (!to) throw new Error(`TWAIN's state ${numbers[state]} (${state}) does not allow "${event}".`);
  return to;
}

/** An operation that goes one state down. `wait`: for the natural event, if there is time. */
export type StepDown = 'endTransfer' | 'resetTransfers' | 'wait' | 'disable' | 'closeSource' | 'closeDsm' | 'leave';

const stepsDown: Readonly<Record<State, StepDown | undefined>> = {
  transferring: 'endTransfer',
  ready: 'resetTransfers',
  enabled: 'wait',
  spent: 'disable',
  open: 'closeSource',
  managed: 'closeDsm',
  loaded: 'leave',
  absent: undefined,
};

/** Undefined if the state is the target, or below it. */
export function stepDown(state: State, target: State): StepDown | undefined {
  return numbers[state] <= numbers[target] ? undefined : stepsDown[state];
}

export const states = Object.keys(table) as readonly State[];
