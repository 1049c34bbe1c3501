/** What befell a helper's process, as opposed to what it answers: it crashed, hung, was killed, or never started. */
import { ScanError, type DriverCode } from '@platen/core/plugin';

export class HelperFailure extends ScanError {
  /** It never said hello: the program is missing, or what it is linked with. */
  readonly isMissing: boolean;

  /**
   * @param name of the helper
   * @param sentence follows its name: `was ended by SIGSEGV`
   */
  constructor(name: string, sentence: string, facts: { code?: DriverCode; isMissing?: boolean } = {}) {
    super(facts.code ?? 'driver-failed', `the helper "${name}" ${sentence}`);
    this.isMissing = facts.isMissing ?? false;
  }
}
