/**
 * `npm run fuzz [-- --minutes N] [PART…]`: random inputs for every parser and state machine, each for its share of the time.
 *
 * A part is a `*Walks.test.ts` or `*Fuzz.test.ts`, run again and again from new seeds, or a helper under `platen-fuzz`.
 * `npm test` runs each part once, from a seed that is always the same.
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './step.mjs';
import { onPath } from './systemPackages.mjs';

const usage = `npm run fuzz [-- --minutes N] [PART…]

Runs random tests for N minutes, 5 if absent. PART: those whose name contains it. A failure is printed with its seed.`;

const LINES_OF_A_FAILURE = 60;
const kit = join(root, 'drivers', 'kit');
const room = mkdtempSync(join(tmpdir(), 'platen-fuzz-'));

class UsageError extends Error {}

function wishes() {
  try {
    const { values, positionals } = parseArgs({
      options: { minutes: { type: 'string', default: '5' }, help: { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    const minutes = Number(values.minutes);
    if (!(minutes > 0 && minutes <= 24 * 60))
      throw new UsageError(`--minutes "${values.minutes}" is not a number from 0 to 1440.`);
    return { ms: minutes * 60_000, names: positionals, help: values.help };
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(error.message);
  }
}

/** @returns {{ name: string, run: (ms: number) => { command: string[], folder: string } }[]} */
function allParts() {
  const compiled = ['core', 'drivers', 'plugins', 'server'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(file => /(Walks|Fuzz)\.test\.js$/.test(file) && !file.split(sep).includes('node_modules'))
      .map(file => join(root, folder, file)),
  );
  return [
    ...compiled.map(file => ({
      name: relative(root, file).replaceAll(sep, '/').replace('/dist/', '/src/').replace(/\.js$/, '.ts'),
      run: () => ({ command: ['--enable-source-maps', file], folder: root }),
    })),
    helper("the kit's parser, in C", parserPackage),
    helper('the helper of SANE, in C', () => join(root, 'drivers', 'sane')),
    helper('the helper of TWAIN, in C++', () => join(root, 'drivers', 'twain-windows')),
    ...(onPath('gnustep-config')
      ? [helper('the helper of ImageCaptureCore, in Objective-C', () => join(root, 'drivers', 'ica-macos'))]
      : []),
  ];
}

const helper = (name, folderOf) => ({
  name,
  run: ms => ({
    command: [join(kit, 'bin', 'fuzz.mjs'), '--seconds', String(Math.max(1, Math.round(ms / 1000)))],
    folder: folderOf(),
  }),
});

function parserPackage() {
  const folder = join(room, 'parser');
  mkdirSync(join(folder, 'native'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{}\n');
  copyFileSync(join(kit, 'native', 'fuzz', 'parser.c'), join(folder, 'native', 'fuzz.c'));
  return folder;
}

/** @returns {Promise<{ ok: boolean, said: string }>} */
function tried({ command, folder }) {
  return new Promise(resolve => {
    const env = { PLATEN_FUZZ_SEED: String(randomInt(2 ** 31)), ...process.env, TAP_TIMEOUT: '3600' };
    const child = spawn(process.execPath, command, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', text => (said += String(text)));
    child.on('close', status => resolve({ ok: status === 0, said }));
  });
}

async function main() {
  const { ms, names, help } = wishes();
  if (help) {
    console.log(usage);
    return 0;
  }
  const parts = allParts().filter(({ name }) => names.length === 0 || names.some(each => name.includes(each)));
  if (parts.length === 0)
    throw new UsageError(
      `No part is named so. There are:\n${allParts()
        .map(({ name }) => name)
        .join('\n')}`,
    );
  const [begun, places] = [performance.now(), availableParallelism()];
  const share = ms / Math.ceil(parts.length / places);
  const runs = new Map(parts.map(part => [part.name, { runs: 0, failures: 0 }]));
  const waiting = [...parts];
  async function worker() {
    for (let part = waiting.shift(); part; part = waiting.shift()) {
      const count = runs.get(part.name) ?? { runs: 0, failures: 0 };
      const from = performance.now();
      do {
        const { ok, said } = await tried(part.run(share));
        count.runs++;
        if (ok) continue;
        count.failures++;
        console.log(`\nFAILED ${part.name}\n${said.trimEnd().split('\n').slice(-LINES_OF_A_FAILURE).join('\n')}\n`);
        break;
      } while (performance.now() - from < share);
      console.log(`${count.failures > 0 ? 'failed' : 'ok    '} ${part.name} (${count.runs} runs, ${seconds(from)} s)`);
    }
  }
  await Promise.all(Array.from({ length: places }, worker));
  const failed = [...runs.values()].filter(({ failures }) => failures > 0).length;
  console.log(`\n${parts.length} parts, ${failed} failed, in ${(Number(seconds(begun)) / 60).toFixed(1)} minutes`);
  return failed > 0 ? 1 : 0;
}

const seconds = from => ((performance.now() - from) / 1000).toFixed(0);

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof UsageError ? `${error.message}\n\n${usage}` : error);
  process.exitCode = 2;
} finally {
  rmSync(room, { recursive: true, force: true });
}
