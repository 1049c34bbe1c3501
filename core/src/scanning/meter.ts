/** Counts what scans do, for those who watch a service. */
import type { NoteCode } from '../pipeline/notes.js';
import type { Stage } from '../pipeline/stages.js';
import type { ScanEnd } from './scanEnd.js';

/** None of its functions may throw. */
export interface Meter {
  /** A step of a scan is over, whether or not it succeeded. */
  took(stage: Stage, seconds: number): void;
  noted(code: NoteCode): void;
  ended(end: ScanEnd): void;
}
