/** The steps down from each state of a data source, which are taken even if the source refuses. */
import { Refusal } from '../protocol/conditions.js';
import { stepDown, type State, type StepDown } from '../protocol/states.js';
import type { Deadlines } from '../settings.js';
import type { Connection } from './connection.js';
import type { Transfers } from './transfers.js';

/** A step that sends something to the source or its manager. */
type SentStep = Exclude<StepDown, 'leave' | 'wait'>;

export interface StepsDownParts {
  readonly connection: Connection;
  readonly transfers: Pick<Transfers, 'endTransfer' | 'resetTransfers'>;
  /** Resolves with the next event of an enabled source, or after this many milliseconds. */
  waitForEvent(ms: number): Promise<unknown>;
  readonly deadlines: Deadlines;
}

/** @param patienceMs time for a pending page to arrive */
export type StepDownTo = (target: State, patienceMs?: number) => Promise<void>;

export function createStepsDown({ connection, transfers, waitForEvent, deadlines }: StepsDownParts): StepDownTo {
  const steps: Readonly<Record<SentStep, () => Promise<unknown>>> = {
    endTransfer: () => transfers.endTransfer(),
    resetTransfers: () => transfers.resetTransfers(),
    async disable() {
      await connection.mustSucceed('DISABLEDS', 'disable', {}, deadlines.enable);
      connection.transition('disabled');
    },
    async closeSource() {
      await connection.mustSucceed('CLOSEDS', 'closeSource', {}, deadlines.operation);
      connection.transition('sourceClosed');
    },
    async closeDsm() {
      await connection.mustSucceed('CLOSEDSM', 'closeDsm', {}, deadlines.operation);
      connection.transition('dsmClosed');
    },
  };

  /**
   * A transfer that the source refuses to end counts as over. A source that refuses to be disabled or closed, and
   * a manager that refuses to be closed, would stay open and refuse every later opening: their process ends instead.
   */
  async function takeStep(step: SentStep): Promise<void> {
    const from = connection.state;
    try {
      await steps[step]();
    } catch (error) {
      if (connection.state === 'absent') return;
      const isOfTransfer = step === 'endTransfer' || step === 'resetTransfers';
      if (!(error instanceof Refusal) || !isOfTransfer) return connection.kill(`the driver refused ${step}`);
      if (connection.state === from) connection.transition('refused');
    }
  }

  /** Waits in state 5 for the pending page, and continues without it after the time limit. */
  async function waitForNaturalEvent(patienceMs: number): Promise<void> {
    const until = performance.now() + patienceMs;
    try {
      for (let left = patienceMs; left > 0 && connection.state === 'enabled'; left = until - performance.now()) {
        await waitForEvent(left);
      }
    } catch {
      if (connection.state !== 'absent') connection.kill('waiting for the driver failed');
    }
    if (connection.state === 'enabled') connection.transition('finished');
  }

  return async (target, patienceMs = 0) => {
    for (;;) {
      const step = stepDown(connection.state, target);
      if (step === undefined || step === 'leave') return;
      if (step === 'wait') await waitForNaturalEvent(patienceMs);
      else await takeStep(step);
    }
  };
}
