/** Runs the compiled tests and says what became of them; the last line is the count. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { countLine, fileLines, sourceOf } from './report.js';
import { runFiles } from './runFiles.js';
import { select } from './selection.js';
import type { Tally } from './tally.js';

/**
 * @param root the clone
 * @param names of tests, see `select`; none: all of them
 * @returns the exit code
 */
export async function runTests(root: string, names: readonly string[]): Promise<number> {
  const total: Tally = { passed: 0, failed: 0, skipped: 0 };
  const end = (code: number) => {
    console.log(countLine(total));
    return code;
  };
  const { tests, unknown } = select(compiledTests(root), names, root);
  if (unknown.length > 0) {
    console.error(`There is no test under ${unknown.join(', ')}. Name a file (core/src/clock.test.ts) or a folder (plugins).`);
    return end(1);
  }

  const failedFiles: string[] = [];
  await runFiles(root, tests.length > 0 ? tests : compiledTests(root), report => {
    for (const key of ['passed', 'failed', 'skipped'] as const) total[key] += report.tally[key];
    if (report.tally.failed > 0) failedFiles.push(sourceOf(report.file));
    console.log(fileLines(report).join('\n'));
  });

  console.log('');
  if (failedFiles.length > 0) console.log(`Failed: ${failedFiles.join(', ')}`);
  return end(total.failed > 0 ? 1 : 0);
}

/** Those of every package that the root's package.json names, as `.taprc` includes them for tap's own command. */
function compiledTests(root: string): string[] {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { workspaces: string[] };
  return workspaces
    .flatMap(each => (each.endsWith('/*') ? readdirSync(join(root, each.slice(0, -2))).map(name => each.slice(0, -1) + name) : [each]))
    .map(folder => `${folder}/dist`)
    .filter(folder => existsSync(join(root, folder)))
    .flatMap(folder => filesIn(join(root, folder)).map(file => `${folder}/${file}`))
    .filter(file => file.endsWith('.test.js'));
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(file => file.split(sep).join('/'));
}
