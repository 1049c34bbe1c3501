/**
 * The states of the one open scanner, as a pure table.
 *
 *             open               opened               scan
 *   closed ─────────▶ opening ──────────▶ open ◀────────────────▶ scanning
 *     ▲                  │ failed          │ close, lost  scanned     │ lost
 *     ├──────────────────┘                 ▼                          │
 *     └───────────── closed ──────────  closing  ◀────────────────────┘
 */
import type { ErrorCode } from '../contract/errors.js';

export type SourceState = 'closed' | 'opening' | 'open' | 'scanning' | 'closing';

/**
 * open, scan, close: requests. opened, failed, scanned, closed: results.
 * lost: the session is unusable.
 */
export type SourceEvent = 'open' | 'opened' | 'failed' | 'scan' | 'scanned' | 'close' | 'closed' | 'lost';

export type SourceEffect = 'open-session' | 'close-session' | 'start-idle' | 'stop-idle';

export type SourceStep =
  | { readonly state: SourceState; readonly effects: readonly SourceEffect[] }
  | { readonly refused: Extract<ErrorCode, 'busy' | 'no-source-open'> };

type Row = Partial<Record<SourceEvent, SourceStep>>;

const busy: SourceStep = { refused: 'busy' };
const to = (state: SourceState, ...effects: SourceEffect[]): SourceStep => ({ state, effects });

const table: Readonly<Record<SourceState, Row>> = {
  closed: { open: to('opening', 'open-session'), close: to('closed'), scan: { refused: 'no-source-open' } },
  opening: { opened: to('open', 'start-idle'), failed: to('closed'), open: busy, close: busy, scan: busy },
  open: {
    open: to('open', 'start-idle'),
    scan: to('scanning', 'stop-idle'),
    close: to('closing', 'stop-idle', 'close-session'),
    lost: to('closing', 'stop-idle', 'close-session'),
  },
  scanning: {
    scanned: to('open', 'start-idle'),
    lost: to('closing', 'close-session'),
    open: busy,
    close: busy,
    scan: busy,
  },
  closing: { closed: to('closed'), open: busy, close: busy, scan: busy },
};

/** An event that cannot occur in a state changes nothing. */
export function stepSource(state: SourceState, event: SourceEvent): SourceStep {
  return table[state][event] ?? to(state);
}
