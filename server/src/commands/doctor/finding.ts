/** The result of one of the doctor's checks: its state, a sentence, and the fix. */
import type { HealthAnswer, PluginReport } from '@platen/core';

/** `warning`: all works, and will not for ever. `skipped`: an earlier check failed, or the check was not requested. */
export type State = 'ok' | 'warning' | 'failed' | 'skipped';

export interface Outcome {
  readonly state: State;
  readonly sentence: string;
  /** The fix; one sentence per line. */
  readonly remedy?: string;
  /** Of the check of plugins: each in the configuration. For programs. */
  readonly plugins?: readonly PluginFact[];
  /** Of the check of licences: those of the loaded plugins. For programs. */
  readonly licences?: readonly LicenceFact[];
  /** Of the check of the plugins' health: those that tell it. For programs. */
  readonly health?: readonly HealthAnswer[];
}

export type PluginFact = Pick<PluginReport, 'use' | 'version' | 'state' | 'sentence'>;

export interface LicenceFact {
  readonly plugin: string;
  readonly customer: string;
  /** ISO 8601. */
  readonly until: string;
  readonly daysLeft: number;
  readonly trial: boolean;
}

export interface Finding extends Outcome {
  /** For programs; stable. */
  readonly id: string;
  readonly title: string;
}

export const ok = (sentence: string): Outcome => ({ state: 'ok', sentence });
export const failed = (sentence: string, remedy: string): Outcome => ({ state: 'failed', sentence, remedy });
export const skipped = (sentence: string): Outcome => ({ state: 'skipped', sentence });

/** @param what must be fixed first */
export const notReached = (what: string): Outcome => skipped(`skipped: fix ${what} first`);
