/** The failure of a helper's process: it crashed, hung, was killed, or never started. Answers are `HelperError`s. */
import { ScanError, type DriverCode } from '@platen/core/plugin';

export interface HelperFailureFacts {
  readonly code?: DriverCode;
  readonly isMissing?: boolean;
  readonly isExplained?: boolean;
}

export class HelperFailure extends ScanError {
  /** It never said hello: the program, or a library that it needs, is missing. */
  readonly isMissing: boolean;
  /** Its message says how to fix it. */
  readonly isExplained: boolean;

  /**
   * @param name of the helper
   * @param sentence words that follow its name: `was ended by SIGSEGV`
   */
  constructor(name: string, sentence: string, facts: HelperFailureFacts = {}) {
    super(facts.code ?? 'driver-failed', `the helper "${name}" ${sentence}`);
    this.isMissing = facts.isMissing ?? false;
    this.isExplained = facts.isExplained ?? false;
  }
}
