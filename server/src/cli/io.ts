/** What a command may touch of the process that runs it. */

export interface Io {
  /** A line of standard output. */
  out(line: string): void;
  /** A line of standard error. */
  err(line: string): void;
  readonly env: NodeJS.ProcessEnv;
  /** What relative paths in flags and variables are relative to. */
  readonly cwd: string;
}
