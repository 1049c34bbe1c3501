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
 * `end` is any reason: by request, nobody reads, too many failures, the device is gone.
 */

export type AutoscanState = 'disabled' | 'enabled' | 'capturing' | 'disabling';

/** paper: a sheet lies in the feeder and may be fed. captured, failed: a capture is over. */
export type AutoscanEvent = 'enable' | 'paper' | 'captured' | 'failed' | 'end';

/**
 * listen: watch the paper. capture: scan what is in the feeder. renew: end the running capture, so that the next document
 * has the new parameters. rest: watch the paper, but let what lies there be for a while. stop: feed nothing more.
 * notify: tell the readers, and discard or keep what was not delivered.
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

/** An event that means nothing in a state leaves everything as it is. */
export function stepAutoscan(state: AutoscanState, event: AutoscanEvent): AutoscanStep {
  return table[state][event] ?? to(state);
}
