/** The fault of a configuration, a setting or the data folder, in sentences for the operator. */
import type { SchemaProblem } from '@platen/core';

/** A violation of the schema, and where it is. */
export interface LocatedProblem extends SchemaProblem {
  readonly file: string;
  /** 1-based; undefined if the file does not have the value. */
  readonly line: number | undefined;
}

interface ConfigErrorOptions extends ErrorOptions {
  readonly code?: 'configuration' | 'usage';
  readonly problems?: readonly LocatedProblem[];
  readonly read?: object;
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** `usage`: a flag of the command line; `configuration`: all else. */
  readonly code: 'configuration' | 'usage';

  /** A file's violations of its schema, one per line of the message; empty for any other fault. */
  readonly problems: readonly LocatedProblem[];

  /** A file that breaks its schema, with the defaults of what does not; undefined for any other fault. */
  readonly read: object | undefined;

  /** @param message one sentence; one per line if there are several faults */
  constructor(message: string, options: ConfigErrorOptions = {}) {
    super(message, options);
    this.problems = options.problems ?? [];
    this.read = options.read;
    this.code = options.code ?? 'configuration';
  }
}

/** The code of a failed call of the operating system. */
export function systemCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}
