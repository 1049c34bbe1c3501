/** The command line of `platen-conformance`. */
import { parseArgs } from 'node:util';
import { Refusal } from './refusal.js';

export interface Wish {
  /** A folder, or the name of an installed package. */
  readonly target: string;
  readonly only?: string;
  readonly atLeast?: number;
  /** A folder whose package is the one that is published. */
  readonly packed?: string;
  readonly verbose: boolean;
  /** By the form of the report: a file, or `-` for standard output. */
  readonly files: Readonly<Record<string, string>>;
}

export const help = `platen-conformance [FOLDER|PACKAGE]

Runs the contract suites of a package of Platen, checks the package itself, and prints a score of 0 to 100.
Without a folder, the package is that of the current folder. Its package.json names the module with its suites:
"platen": { "conformance": "./dist/conformance.js" }

  --only CASE|PROMISE  only this case, or the cases of this promise: 5, speed, package. No score
  --at-least N         exit code 1 if the score is below N
  --verbose            one line for each case, as soon as it ended
  --packed FOLDER      check the package in this folder as the one that is published: a staged copy
  --json FILE          also write the report as JSON; - is standard output
  --junit FILE         as JUnit XML, for a build server
  --html FILE          as one page, to show or print
  --markdown FILE      as Markdown
  --help, --version

Exit codes:
  0  no case failed
  1  a case failed, or the score is below --at-least
  2  the suites could not be run; one sentence says why

What the score means: docs/conformance.md`;

/** @param forms the forms of a report. @throws Refusal */
export function commandLine(args: readonly string[], forms: readonly string[]): Wish | 'help' | 'version' {
  const { values, positionals } = parsed(args, forms);
  if (values['help']) return 'help';
  if (values['version']) return 'version';
  const [target = '.', ...more] = positionals;
  if (more.length > 0) throw new Refusal(`One package at a time: ${more.join(' ')} is too many.`);
  const only = textOf(values['only']);
  const packed = textOf(values['packed']);
  const atLeast = scoreOf(textOf(values['at-least']));
  if (only !== undefined && atLeast !== undefined)
    throw new Refusal('--only and --at-least exclude each other: some cases alone have no score.');
  const files = Object.fromEntries(
    forms.flatMap(form => {
      const file = textOf(values[form]);
      return file === undefined ? [] : [[form, file]];
    }),
  );
  if (Object.values(files).filter(file => file === '-').length > 1)
    throw new Refusal('Only one report can be written to standard output.');
  return {
    target,
    verbose: values['verbose'] === true,
    files,
    ...(packed !== undefined && { packed }),
    ...(only !== undefined && { only }),
    ...(atLeast !== undefined && { atLeast }),
  };
}

type Values = Readonly<Record<string, unknown>>;

function parsed(args: readonly string[], forms: readonly string[]): { values: Values; positionals: string[] } {
  const flags = ['help', 'version', 'verbose'].map(name => [name, { type: 'boolean' }] as const);
  const texts = ['only', 'at-least', 'packed', ...forms].map(name => [name, { type: 'string' }] as const);
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: Object.fromEntries([...flags, ...texts]) });
  } catch (error) {
    throw new Refusal(`${(error as Error).message}\nplaten-conformance --help lists the options.`);
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function scoreOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text.trim() === '' || !(number >= 0 && number <= 100))
    throw new Refusal(`--at-least ${JSON.stringify(text)}: it takes a number from 0 to 100.`);
  return number;
}
