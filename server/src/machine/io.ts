/** The parts of its process that a command may use. */

export interface Io {
  /** Writes a line to standard output. */
  out(line: string): void;
  /** Writes a line to standard error. */
  err(line: string): void;
  /** A second signal to stop waits for this; a third does not. @param work ends within seconds, and never rejects */
  readonly hold?: (work: Promise<void>) => void;
  readonly env: NodeJS.ProcessEnv;
  /** The base of relative paths in flags and variables. */
  readonly cwd: string;
}
