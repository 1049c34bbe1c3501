/** What is wrong with a configuration, a setting or the data folder, in sentences for the person who runs Platen. */

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** `usage`: a flag of the command line; `configuration`: all else. */
  readonly code: 'configuration' | 'usage';

  /** @param message one sentence; one a line where several things are wrong */
  constructor(message: string, options: ErrorOptions & { code?: 'configuration' | 'usage' } = {}) {
    super(message, options);
    this.code = options.code ?? 'configuration';
  }
}

/** The code of a failed call of the operating system. */
export function systemCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}
