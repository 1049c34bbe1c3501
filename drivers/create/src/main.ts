/** `npm create @platen/driver`: asks, makes the package, and prints the next commands. */
import { relative, resolve } from 'node:path';
import { stderr, stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline/promises';
import { create, folderFault, ownVersion } from './create.js';
import { help, readFlags, type Flags } from './flags.js';
import { isKind, kindFault, kinds, kindNames } from './kinds.js';
import { idFault, idOf, nameFault, shortName, titleFault, titleOf, type Check } from './names.js';

/** The terminal; tests have their own. */
export interface Terminal {
  readonly isInteractive: boolean;
  readonly folder: string;
  ask(question: string): Promise<string>;
  print(text: string): void;
  complain(text: string): void;
}

/** A flag or an answer that cannot be used. */
class Refusal extends Error {}

/** @returns the exit code: 0, or 2 after a sentence that says what is wrong */
export async function main(args: readonly string[], terminal?: Terminal): Promise<number> {
  const { close, ...own } = terminal ? { ...terminal, close: () => {} } : processTerminal();
  try {
    return await run(args, own);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    own.complain(`${error.message}\n`);
    return 2;
  } finally {
    close();
  }
}

async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const flags = flagsOf(args);
  if (flags.help) {
    terminal.print(help);
    return 0;
  }
  if (flags.version) {
    terminal.print(`${await ownVersion()}\n`);
    return 0;
  }
  const asks = !flags.yes;
  const answer = answering(terminal, asks);
  if (flags.name === undefined && !(asks && terminal.isInteractive))
    throw new Refusal('The name of the package is missing: npm create @platen/driver acme-f100');
  const name = await answer({
    flag: flags.name,
    question: 'Name of the package',
    fallback: 'acme-f100',
    check: nameFault,
  });
  const folder = resolve(terminal.folder, flags.folder ?? shortName(name));
  refuse(await folderFault(folder));
  if (asks && terminal.isInteractive && flags.kind === undefined)
    terminal.print(`${kindNames.map(kind => `  ${kind.padEnd(12)}${kinds[kind]}`).join('\n')}\n`);
  const kind = await answer({ flag: flags.kind, question: 'Kind', fallback: 'typescript', check: kindFault });
  const title = await answer({ flag: flags.title, question: 'Title', fallback: titleOf(name), check: titleFault });
  const id = await answer({ flag: flags.id, question: 'Id', fallback: idOf(name), check: idFault });
  const said = flags.licence === undefined ? undefined : flags.licence ? 'yes' : 'no';
  const licence = await answer({
    flag: said,
    question: 'Sold with licences (yes, no)',
    fallback: 'no',
    check: yesFault,
  });
  if (!isKind(kind)) throw new Refusal(kindFault(kind));
  const files = await create({ name, title, id, kind, folder, licence: isYes(licence) });
  const there = relative(terminal.folder, folder) || '.';
  terminal.print(`Made ${name} in ${there}: ${files.length} files. Next:\n\n${nextCommands(there)}`);
  return 0;
}

function flagsOf(args: readonly string[]): Flags {
  try {
    return readFlags(args);
  } catch (error) {
    throw new Refusal(`${error instanceof Error ? error.message : String(error)} See --help.`);
  }
}

interface Question {
  readonly flag: string | undefined;
  readonly question: string;
  readonly fallback: string;
  readonly check: Check;
}

/** A flag that cannot be used is refused; an answer that cannot be used is asked for again. */
function answering(terminal: Terminal, asks: boolean): (question: Question) => Promise<string> {
  return async ({ flag, question, fallback, check }) => {
    if (flag !== undefined || !asks) {
      refuse(check(flag ?? fallback));
      return flag ?? fallback;
    }
    if (!terminal.isInteractive)
      throw new Refusal('This is not a terminal, so nothing can be asked: add --yes for the defaults (see --help).');
    for (;;) {
      const said = (await terminal.ask(`${question} (${fallback}): `)).trim() || fallback;
      const fault = check(said);
      if (fault === undefined) return said;
      terminal.print(`${fault}\n`);
    }
  };
}

function refuse(fault: string | undefined): void {
  if (fault !== undefined) throw new Refusal(fault);
}

const isYes = (said: string): boolean => /^y(?:es)?$/i.test(said);
const yesFault: Check = said => (isYes(said) || /^no?$/i.test(said) ? undefined : `"${said}" is neither yes nor no.`);

function nextCommands(folder: string): string {
  const quoted = /\s/.test(folder) ? `"${folder}"` : folder;
  return `  cd ${quoted}
  npm install
  npm test        builds it, and runs the published suite over it
  npm run dev     a service with it and a web page, restarted at each change
`;
}

function processTerminal(): Terminal & { close(): void } {
  let lines: ReturnType<typeof createInterface> | undefined;
  return {
    isInteractive: stdin.isTTY && stdout.isTTY,
    folder: process.cwd(),
    async ask(question) {
      lines ??= createInterface({ input: stdin, output: stdout });
      const left = new AbortController();
      // Ctrl-C or Ctrl-D: the question would never be answered.
      lines.once('close', () => left.abort());
      return lines.question(question, { signal: left.signal }).catch(() => {
        throw new Refusal('\nNothing was made.');
      });
    },
    print: text => void stdout.write(text),
    complain: text => void stderr.write(text),
    close: () => lines?.close(),
  };
}
