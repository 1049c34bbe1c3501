/**
 * The states of one scanner's session in one helper, as a pure table.
 *
 *          look             found            opened            isReady
 *   closed ─────▶ looking ────────▶ opening ────────▶ waking ──────────▶ idle ◀─────────────────────┐
 *     ▲                                                                 │ │ │ select     selected   │
 *     │                                                                 │ │ └──────▶ selecting ─────┤
 *     │                                                                 │ │ scan       scanned      │
 *     │                                                                 │ └──────▶ scanning ────────┤
 *     │                                                                 │   finish │   │ cancel     │
 *     │                                                                 │          ▼   │    scanned │
 *     │                                                                 │   finishing ─┼────────────┤
 *     │               closed                                      close │       cancel ▼    scanned │
 *     ├────────────────────────── closing ◀─────────────────────────────┘      cancelling ──────────┘
 *     │  gone: from every state, when the device or the helper went away, or opening it failed
 *     └─ late: from every state with a deadline; the helper is killed
 */
import type { Deadlines } from '../settings.js';

export type SessionState =
  | 'closed'
  | 'looking'
  | 'opening'
  | 'waking'
  | 'idle'
  | 'selecting'
  | 'scanning'
  | 'finishing'
  | 'cancelling'
  | 'closing';

/** look, select, scan, finish (after the sheet in the path), cancel, close: requests of the driver. The others are reports. */
export type SessionEvent =
  | 'look'
  | 'found'
  | 'opened'
  | 'isReady'
  | 'select'
  | 'selected'
  | 'scan'
  | 'scanned'
  | 'finish'
  | 'cancel'
  | 'close'
  | 'closed'
  | 'gone'
  | 'late';

/** The effect of entering a state. */
export type SessionEffect = 'browse' | 'open' | 'ready' | 'select' | 'scan' | 'cancel' | 'close' | 'kill';

export interface SessionStep {
  readonly state: SessionState;
  readonly effect?: SessionEffect;
}

const to = (state: SessionState, effect?: SessionEffect): SessionStep => ({ state, ...(effect && { effect }) });
const gone = to('closed');
const late = to('closed', 'kill');

const table: Readonly<Record<SessionState, Partial<Record<SessionEvent, SessionStep>>>> = {
  closed: { look: to('looking', 'browse'), gone },
  looking: { found: to('opening', 'open'), gone, late },
  opening: { opened: to('waking', 'ready'), gone, late },
  waking: { isReady: to('idle'), gone, late },
  idle: { select: to('selecting', 'select'), scan: to('scanning', 'scan'), close: to('closing', 'close'), gone },
  selecting: { selected: to('idle'), gone, late },
  scanning: { scanned: to('idle'), finish: to('finishing', 'cancel'), cancel: to('cancelling', 'cancel'), gone, late },
  finishing: { scanned: to('idle'), cancel: to('cancelling', 'cancel'), gone, late },
  cancelling: { scanned: to('idle'), gone, late },
  closing: { closed: to('closed'), gone, late },
};

/** The deadline of a state, ms; `undefined`: none. */
export const patience: Readonly<Record<SessionState, keyof Deadlines | undefined>> = {
  closed: undefined,
  looking: 'look',
  opening: 'open',
  waking: 'ready',
  idle: undefined,
  selecting: 'select',
  scanning: 'scan',
  finishing: 'scan',
  cancelling: 'cancel',
  closing: 'close',
};

/** Undefined for an event that is impossible in this state. */
export function stepSession(state: SessionState, event: SessionEvent): SessionStep | undefined {
  return table[state][event];
}
