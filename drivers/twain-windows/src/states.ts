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
 * State 5 has two rows. While a page is on its way the source is not disabled: many crash. What is waited for is the natural event, a
 * page or the source's wish to be closed. `spent` is state 5 after which nothing comes any more.
 *
 * `refused` is a transfer that does not let itself be ended: the source is not where it was thought to be, but one step further down.
 * Who refuses to be disabled or closed loses its process.
 */

export type State = 'absent' | 'loaded' | 'managed' | 'open' | 'enabled' | 'spent' | 'ready' | 'transferring';

/** As the specification numbers them. */
export const numbers: Readonly<Record<State, number>> = { absent: 1, loaded: 2, managed: 3, open: 4, enabled: 5, spent: 5, ready: 6, transferring: 7 };

export type StateEvent =
  /** The helper runs; it is gone, for whatever reason. */
  | 'started' | 'exited'
  | 'dsmOpened' | 'dsmClosed'
  | 'sourceOpened' | 'sourceClosed'
  /** `finished`: the source asks to be closed, or was given up waiting for. */
  | 'enabled' | 'finished' | 'disabled'
  /** The source has a page for us. */
  | 'ready'
  /** A first strip, a whole page, or a transfer that was cancelled; a failed one did not begin. */
  | 'transferBegan'
  /** ENDXFER: more pages follow, or none. */
  | 'endedMore' | 'endedNone'
  | 'reset'
  | 'refused';

type Row = Partial<Readonly<Record<StateEvent, State>>>;

const table: Readonly<Record<State, Row>> = {
  absent: { started: 'loaded', exited: 'absent' },
  loaded: { dsmOpened: 'managed', exited: 'absent' },
  managed: { sourceOpened: 'open', dsmClosed: 'loaded', exited: 'absent' },
  open: { enabled: 'enabled', sourceClosed: 'managed', exited: 'absent' },
  enabled: { ready: 'ready', finished: 'spent', disabled: 'open', exited: 'absent' },
  // A page may come after the wish to be closed: it is taken, not lost.
  spent: { ready: 'ready', disabled: 'open', exited: 'absent' },
  ready: { transferBegan: 'transferring', endedMore: 'ready', endedNone: 'spent', reset: 'spent', refused: 'spent', exited: 'absent' },
  transferring: { transferBegan: 'transferring', endedMore: 'ready', endedNone: 'spent', refused: 'ready', exited: 'absent' },
};

/** @throws Error for what cannot happen: a mistake of this driver */
export function next(state: State, event: StateEvent): State {
  const to = table[state][event];
  if (!to) throw new Error(`TWAIN's state ${numbers[state]} (${state}) knows no "${event}".`);
  return to;
}

/** What leads one step down. `wait`: for the natural event, and no longer than there is time. */
export type Down = 'endTransfer' | 'resetTransfers' | 'wait' | 'disable' | 'closeSource' | 'closeDsm' | 'leave';

const ways: Readonly<Record<State, Down | undefined>> = {
  transferring: 'endTransfer',
  ready: 'resetTransfers',
  enabled: 'wait',
  spent: 'disable',
  open: 'closeSource',
  managed: 'closeDsm',
  loaded: 'leave',
  absent: undefined,
};

/** Undefined where the state is the target, or below it. */
export function wayDown(state: State, target: State): Down | undefined {
  return numbers[state] <= numbers[target] ? undefined : ways[state];
}

export const states = Object.keys(table) as readonly State[];
