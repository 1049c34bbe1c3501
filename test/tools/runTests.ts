/** Runs the compiled tests with tap and says what became of them; the last line is the count. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { countLine, fileLines, sourceOf } from './report.js';
import { select } from './selection.js';
import { tallyFiles, type Tally } from './tally.js';

/**
 * @param root the clone
 * @param args names of tests, see `select`; what begins with a dash goes to tap
 * @returns the exit code
 */
export async function runTests(root: string, args: readonly string[]): Promise<number> {
  const total: Tally = { passed: 0, failed: 0, skipped: 0 };
  const end = (code: number) => {
    console.log(countLine(total));
    return code;
  };
  const names = args.filter(arg => !arg.startsWith('-'));
  const { tests, unknown } = select(compiledTests(root), names, root);
  if (unknown.length > 0) {
    console.error(`There is no test under ${unknown.join(', ')}. Name a file (core/src/clock.test.ts) or a folder (plugins).`);
    return end(1);
  }

  const failedFiles: string[] = [];
  const tap = tallyFiles(report => {
    for (const key of ['passed', 'failed', 'skipped'] as const) total[key] += report.tally[key];
    if (report.tally.failed > 0) failedFiles.push(sourceOf(report.file));
    console.log(fileLines(report).join('\n'));
  });
  const code = await runTap(root, [...args.filter(arg => arg.startsWith('-')), ...tests], tap);

  console.log('');
  if (failedFiles.length > 0) console.log(`Failed: ${failedFiles.join(', ')}`);
  if (code !== 0 && total.failed === 0) {
    total.failed++;
    console.log(`The test runner itself failed (exit code ${code}).`);
  }
  return end(total.failed > 0 ? 1 : 0);
}

function runTap(root: string, args: readonly string[], output: NodeJS.WritableStream): Promise<number> {
  return new Promise((resolve, reject) => {
    const program = join(root, 'node_modules', 'tap', 'dist', 'esm', 'run.mjs');
    const child = spawn(process.execPath, [program, '--reporter=tap', ...args], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    const stop = (signal: NodeJS.Signals) => void child.kill(signal);
    process.on('SIGINT', stop).on('SIGTERM', stop);
    child.stdout.pipe(output);
    child.on('error', reject);
    child.on('close', code => {
      process.off('SIGINT', stop).off('SIGTERM', stop);
      resolve(code ?? 1);
    });
  });
}

/** The same files that `.taprc` includes. */
function compiledTests(root: string): string[] {
  const packages = ['core', 'server', 'test', ...['plugins', 'drivers'].flatMap(room => readdirSync(join(root, room)).map(name => `${room}/${name}`))];
  return packages
    .map(folder => `${folder}/dist`)
    .filter(folder => existsSync(join(root, folder)))
    .flatMap(folder => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(file => `${folder}/${file.split(sep).join('/')}`))
    .filter(file => file.endsWith('.test.js'));
}
