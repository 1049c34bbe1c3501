/** The second word of a command: `list` in `platen plugins list`. */
import { ConfigError } from '../machine/configError.js';

/**
 * @param given empty: none, for which the caller prints its help
 * @param hints what to do instead, by words that people try
 * @throws {ConfigError} in one line, if the group has no such command
 */
export function assertVerb(
  group: string,
  given: string,
  verbs: readonly string[],
  hints: Readonly<Record<string, string>> = {},
): void {
  if (given === '' || verbs.includes(given)) return;
  const hint = Object.hasOwn(hints, given) ? `${hints[given]} ` : '';
  throw new ConfigError(
    `There is no command ${JSON.stringify(given)}. ${hint}The commands are: ${verbs.map(verb => `platen ${group} ${verb}`).join(', ')}.`,
    { code: 'usage' },
  );
}
