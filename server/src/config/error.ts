/** What is wrong with a configuration, a setting or the data folder, in sentences for the person who runs Platen. */
import type { SchemaProblem } from '@platen/core';

interface ConfigErrorOptions extends ErrorOptions {
  readonly code?: 'configuration' | 'usage';
  readonly problems?: readonly SchemaProblem[];
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** `usage`: a flag of the command line; `configuration`: all else. */
  readonly code: 'configuration' | 'usage';

  /** Of a file, one for each line of the message; empty where it is not its schema that it breaks. */
  readonly problems: readonly SchemaProblem[];

  /** @param message one sentence; one a line where several things are wrong */
  constructor(message: string, options: ConfigErrorOptions = {}) {
    super(message, options);
    this.problems = options.problems ?? [];
    this.code = options.code ?? 'configuration';
  }
}

/** The code of a failed call of the operating system. */
export function systemCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}
