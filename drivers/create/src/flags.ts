/** The command line of `npm create @platen/driver`. */
import { parseArgs } from 'node:util';
import { kindNames, kinds } from './kinds.js';

export interface Flags {
  readonly name?: string | undefined;
  readonly kind?: string | undefined;
  readonly title?: string | undefined;
  readonly id?: string | undefined;
  readonly folder?: string | undefined;
  readonly licence?: boolean | undefined;
  readonly yes?: boolean | undefined;
  readonly help?: boolean | undefined;
  readonly version?: boolean | undefined;
}

const options = {
  kind: { type: 'string' },
  title: { type: 'string' },
  id: { type: 'string' },
  folder: { type: 'string' },
  licence: { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

/** @throws TypeError of `parseArgs`, which names the unknown flag or the missing value; Error for a second name */
export function readFlags(args: readonly string[]): Flags {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, allowNegative: true });
  if (positionals.length > 1) throw new Error(`One name is enough, and there are ${positionals.join(', ')}.`);
  return { ...values, name: positionals[0] };
}

export const help = `npm create @platen/driver NAME -- [FLAGS]

Makes a package that extends Platen, in a folder with its name. Asks for what the flags do not say.

  --kind KIND     ${kindNames.map(kind => `${kind}: ${kinds[kind]}`).join('\n                  ')}
  --title TITLE   the name for people, such as "Acme F100"
  --id ID         of the driver, in logs; the name without its scope
  --licence       sold with licences: makes a key pair; --no-licence: free
  --folder PATH   the name without its scope
  --yes           asks nothing: a typescript driver, free, with title and id from the name
  --help, --version

It ends with 0, with 2 if a flag or an answer cannot be used.
`;
