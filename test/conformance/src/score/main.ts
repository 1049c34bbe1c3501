/** The program `platen-conformance`: reads the command line, runs, writes the reports, and sets the exit code. */
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { commandLine, help, type Wish } from './commandLine.js';
import { htmlReport } from './html.js';
import { junitReport } from './junit.js';
import { markdownReport } from './markdown.js';
import { Refusal } from './refusal.js';
import type { CaseResult, Report } from './report.js';
import { scorePackage } from './scorePackage.js';
import { textReport } from './text.js';
import { conformanceVersion } from './versions.js';

/** What the program uses of its process. */
export interface Surroundings {
  out(text: string): void;
  err(text: string): void;
  readonly cwd: string;
}

/** By the option that asks for it. */
const writers: Readonly<Record<string, (report: Report) => string>> = {
  json: report => JSON.stringify(report, null, 2),
  junit: junitReport,
  html: htmlReport,
  markdown: markdownReport,
};

/** @returns the exit code: 0 passed, 1 a case failed or the score is too low, 2 it could not run */
export async function main(args: readonly string[], io: Surroundings): Promise<number> {
  try {
    const wish = commandLine(args, Object.keys(writers));
    if (wish === 'help') return (io.out(help), 0);
    if (wish === 'version') return (io.out(conformanceVersion()), 0);
    return await run(wish, io);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    io.err(error.message);
    return 2;
  }
}

async function run(wish: Wish, io: Surroundings): Promise<number> {
  const toStdout = Object.values(wish.files).includes('-');
  const say = toStdout ? io.err : io.out;
  const report = await scorePackage(wish.target, {
    cwd: io.cwd,
    ...(wish.only !== undefined && { only: wish.only }),
    ...(wish.packed !== undefined && { packed: wish.packed }),
    onSuite: name => io.err(`Running ${name} ...`),
    ...(wish.verbose && { onResult: result => say(lineOf(result)) }),
  });
  say(textReport(report));
  for (const [form, file] of Object.entries(wish.files)) {
    const text = `${writers[form]?.(report).trimEnd()}\n`;
    if (file === '-') io.out(text.trimEnd());
    else await writeFile(resolve(io.cwd, file), text).catch(cannotWrite(file));
  }
  const { score = 100, cases } = report;
  if (wish.atLeast !== undefined && score < wish.atLeast) {
    io.err(`The score ${score} is below ${wish.atLeast}.`);
    return 1;
  }
  return cases.some(each => each.outcome === 'fail') ? 1 : 0;
}

function lineOf({ suite, id, outcome, seconds }: CaseResult): string {
  return `${outcome.padEnd(14)} ${seconds.toFixed(2).padStart(6)} s  ${id}  (${suite})`;
}

function cannotWrite(file: string) {
  return (error: Error): never => {
    throw new Refusal(`The report cannot be written to ${file}: ${error.message}.`);
  };
}
