/** Runs the compiled tests and reports their results; the last line is the count. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { changedFiles, concerned } from './changed.js';
import { recordCoverage } from './coverage.js';
import { countLine, failureLines, fileLines, missingLines } from './report.js';
import { runFiles } from './runFiles.js';
import { isLong, select } from './selection.js';
import { specRuns, specSections } from './specRuns.js';
import type { Tally, Told } from './tally.js';

/**
 * @param root the clone
 * @param args names of tests, see `select`, none: all but the long ones; `--long`: these too; `--changed`: those that a
 * change concerns, see `changedFiles`; `--coverage`: records it
 * @param packages Debian's packages by the program that they bring
 * @returns the exit code
 */
export async function runTests(
  root: string,
  args: readonly string[],
  packages: Readonly<Record<string, string>> = {},
): Promise<number> {
  const flags = args.filter(arg => arg.startsWith('--'));
  const names = args.filter(arg => !arg.startsWith('--'));
  const total: Tally = { passed: 0, failed: 0, skipped: 0 };
  const end = (code: number) => {
    console.log(countLine(total));
    return code;
  };
  const wrong = flags.find(flag => !known.includes(flag));
  if (wrong !== undefined) {
    console.error(`${wrong} is unknown. There are ${known.join(', ')}.`);
    return end(1);
  }
  const workspaces = workspacesOf(root);
  const all = compiledTests(root, workspaces);
  const { tests, unknown } = select(all, names, root, specSections(root));
  if (unknown.length > 0) {
    console.error(
      `There is no test under ${unknown.join(', ')}. Name a file (core/src/clock.test.ts) or a folder (plugins).`,
    );
    return end(1);
  }

  let chosen = names.length > 0 ? tests : flags.includes('--long') ? all : all.filter(file => !isLong(file));
  if (flags.includes('--changed')) {
    const { since, files } = changedFiles(root);
    chosen = concerned(root, workspaces, chosen, files);
    const changes = `${files.length} changed ${files.length === 1 ? 'file' : 'files'} since ${since.slice(0, 12)}`;
    console.log(`${changes}: ${chosen.length} of the tests import or name one.`);
  }

  const coverage = flags.includes('--coverage') ? recordCoverage(root) : undefined;
  const failures: string[] = [];
  const skipped: Told[] = [];
  await runFiles(root, chosen, coverage?.env ?? (() => ({})), report => {
    coverage?.trim();
    for (const key of ['passed', 'failed', 'skipped'] as const) total[key] += report.tally[key];
    failures.push(...failureLines(report));
    skipped.push(...report.told.filter(({ outcome }) => outcome === 'skipped'));
    console.log(fileLines(report).join('\n'));
  });

  console.log('');
  if (failures.length > 0) console.log(failures.join('\n'));
  for (const line of missingLines(skipped, packages)) console.log(line);
  if (coverage) console.log(coverage.report());
  return end(total.failed > 0 ? 1 : 0);
}

const known = ['--long', '--changed', '--coverage'];

/** Folders of the packages that the root's package.json names. */
function workspacesOf(root: string): string[] {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { workspaces: string[] };
  return workspaces.flatMap(each =>
    each.endsWith('/*') ? readdirSync(join(root, each.slice(0, -2))).map(name => each.slice(0, -1) + name) : [each],
  );
}

/**
 * Those of every package, of the service's pages, and the runs of the interface's sections. The service's own are many and
 * short: at the end of a run they keep every place busy.
 */
function compiledTests(root: string, workspaces: readonly string[]): string[] {
  return [...workspaces.filter(folder => folder !== 'server'), 'server', 'server/web']
    .map(folder => `${folder}/dist`)
    .filter(folder => existsSync(join(root, folder)))
    .flatMap(folder => filesIn(join(root, folder)).map(file => `${folder}/${file}`))
    .filter(file => file.endsWith('.test.js'))
    .concat(specRuns(root));
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(file => file.split(sep).join('/'));
}
