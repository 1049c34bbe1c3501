/**
 * The states of auto-scan, as a pure table.
 *
 *              enable                  paper
 *   disabled ─────────▶ enabled ◀────────────────▶ capturing
 *      ▲                   │    captured, failed       │
 *      │  end              │ end                       │ end
 *      ├───────────────────┘                           ▼
 *      └──────────── captured, failed ───────────── disabling
 *
 * `end` has any cause: a request, no readers, too many failures, a lost device.
 */

export type AutoscanState = 'disabled' | 'enabled' | 'capturing' | 'disabling';

/** paper: a sheet is in the feeder and may be fed. captured, failed: a capture is over. */
export type AutoscanEvent = 'enable' | 'paper' | 'captured' | 'failed' | 'end';

/**
 * listen: watch for paper. capture: scan what is in the feeder. renew: end the running capture, so that the next
 * document has the new parameters. rest: watch for paper, but ignore paper already present for a while. stop: feed
 * nothing more. notify: tell the readers, and discard or keep undelivered pages.
 */
export type AutoscanEffect = 'listen' | 'capture' | 'renew' | 'rest' | 'stop' | 'notify';

export interface AutoscanStep {
  readonly state: AutoscanState;
  readonly effects: readonly AutoscanEffect[];
}

const to = (state: AutoscanState, ...effects: AutoscanEffect[]): AutoscanStep => ({ state, effects });

const table: Readonly<Record<AutoscanState, Partial<Record<AutoscanEvent, AutoscanStep>>>> = {
  disabled: { enable: to('enabled', 'listen') },
  enabled: { paper: to('capturing', 'capture'), end: to('disabled', 'notify') },
  capturing: {
    enable: to('capturing', 'renew'),
    captured: to('enabled', 'listen'),
    failed: to('enabled', 'rest'),
    end: to('disabling', 'stop'),
  },
  disabling: { captured: to('disabled', 'notify'), failed: to('disabled', 'notify') },
};

/** An event that has no meaning in a state changes nothing. */
export function stepAutoscan(state: AutoscanState, event: AutoscanEvent): AutoscanStep {
  return table[state][event] ?? to(state);
}
