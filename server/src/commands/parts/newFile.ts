/** A file that a command makes, and overwrites only when told to. */
import { ConfigError, systemCode } from '../../machine/configError.js';

export const usage = (sentence: string): ConfigError => new ConfigError(sentence, { code: 'usage' });

/** For an error of opening or writing it. */
export const refuse =
  (out: string) =>
  (error: unknown): never => {
    const code = systemCode(error);
    if (code === 'EEXIST') throw usage(`${out} exists. Choose another name, or overwrite it with --force.`);
    throw new Error(
      `${out} cannot be written (${code ?? String(error)}). Choose a file in a folder that this account can write to.`,
      {
        cause: error,
      },
    );
  };
