/** What every command does with what was typed: reads its flags, and prints its help and its exit codes. */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { ConfigError } from '../machine/configError.js';
import { exitCodes, exitCodesHelp, type ExitName } from '../machine/exitCodes.js';
import type { Io } from '../machine/io.js';

type Options = NonNullable<ParseArgsConfig['options']>;

export interface CommandWords<O extends Options> {
  /** Without the exit codes, which follow it. */
  readonly help: string;
  /** Beside ok, failure and usage. */
  readonly exits: readonly ExitName[];
  /** Without `--help`. */
  readonly options: O;
  /** Rewrites what was typed, for spellings that `parseArgs` does not know. */
  readonly spell?: (args: readonly string[]) => string[];
  /** Whether it takes words beside flags. */
  readonly allowPositionals?: true;
  /** Whether `--no-FLAG` turns a flag off. */
  readonly allowNegative?: true;
}

/** The values of flags, by name. */
export type Values<O extends Options> = ReturnType<typeof parseArgs<{ options: O }>>['values'];

export interface Typed<O extends Options> {
  readonly values: Values<O>;
  readonly positionals: string[];
  readonly io: Io;
}

/**
 * @param run gets what was typed, and what else the caller passes.
 * @returns its exit code; `usage`: the words are wrong, and the help says what is right
 */
export function command<O extends Options, More extends unknown[]>(
  { help, exits, options, spell = args => [...args], ...allowed }: CommandWords<O>,
  run: (typed: Typed<O>, ...more: More) => Promise<number | 'usage'>,
): (args: readonly string[], io: Io, ...more: More) => Promise<number> {
  const whole = `${help}\n\n${exitCodesHelp(exits)}`;
  return async (args, io, ...more) => {
    const flags = { ...options, help: { type: 'boolean', short: 'h' } } as const;
    const { values, positionals } = parseArgs({ args: spell(args), options: flags, ...allowed });
    if ((values as { readonly help?: boolean }).help) {
      io.out(whole);
      return exitCodes.ok;
    }
    const outcome = await run({ values: values as Values<O>, positionals, io }, ...more);
    if (outcome !== 'usage') return outcome;
    io.err(whole);
    return exitCodes.usage;
  };
}

/**
 * The second word of a command: `list` in `platen plugins list`.
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
