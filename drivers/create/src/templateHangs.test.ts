/** The commonest mistake of a first driver, made in a new package: its suite ends, and says what is wrong. */
import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { main } from './main.js';

/** With the programs that a vendor's npm installs. */
const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url));

const parent = t.testdir();
const folder = join(parent, 'acme-f100');
const silent = { isInteractive: false, folder: parent, ask: async () => '', print: () => {}, complain: () => {} };

/** @throws if the file has it other than once */
function change(file: string, from: string, to: string): void {
  const path = join(folder, file);
  const parts = readFileSync(path, 'utf8').split(from);
  if (parts.length !== 2) throw new Error(`${file} has "${from}" ${parts.length - 1} times.`);
  writeFileSync(path, parts.join(to));
}

function node(program: string, ...args: readonly string[]): Promise<{ code: unknown; out: string }> {
  const env = Object.entries(process.env).filter(([name]) => !/^(NODE_OPTIONS|NODE_V8|_?TAP)/i.test(name));
  return new Promise(done => {
    execFile(
      process.execPath,
      [join(modules, program), ...args],
      { cwd: folder, env: Object.fromEntries(env) },
      (error, stdout, stderr) => done({ code: error?.code ?? 0, out: stdout + stderr }),
    );
  });
}

t.before(async () => {
  await main(['acme-f100', '--yes'], silent);
  symlinkSync(modules, join(folder, 'node_modules'), 'junction');
});

t.test('template: a job cannot begin without the signal that ends its waits', async t => {
  change('src/session.ts', 'client.begin(settingsFor(order), ended)', 'client.begin(settingsFor(order))');
  t.match(await node('typescript/bin/tsc'), { code: 2, out: /session\.ts.*Expected 2 arguments/ });
});

t.test('template: a job that outlives its scan, the suite ends with the case and the reason', async t => {
  change('src/session.ts', '(settingsFor(order))', '(settingsFor(order), new AbortController().signal)');
  change('src/conformance.ts', 'driverOptions: true,', 'driverOptions: true, timeoutMs: 3000,');
  t.match(await node('typescript/bin/tsc'), { code: 0 });
  const { code, out } = await node(
    '@platen/conformance/bin/platen-conformance.mjs',
    '.',
    '--only',
    '3-signal-ends-a-hang',
  );
  t.equal(code, 1);
  t.match(out, /3-signal-ends-a-hang \(.*\): a hanging scan that is abandoned.*\n.*`ended`/);
});
