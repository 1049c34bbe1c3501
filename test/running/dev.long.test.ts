/** `platen dev`: a real package, with real changes of its files and real errors in them. */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { until } from '../spec/calls.js';
import { request } from '../topology/client.js';
import { inherited, platen, type Platen } from '../topology/platen.js';

const built = { build: 'node build.mjs' };
/** Checks the syntax and copies, as a compiler does. */
const build = `import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
try { execFileSync(process.execPath, ['--check', 'src/plugin.js'], { stdio: 'pipe' }); }
catch (error) { console.error('src/plugin.js(1,1): error ' + error.stderr); process.exit(1); }
cpSync('src', 'dist', { recursive: true });
`;
const driver = (name = 'Bench 1', setup = ''): string => `export default {
  name: '@acme/bench', api: 1,
  optionsSchema: { type: 'object', properties: { name: { type: 'string', default: '${name}' }, serial: { type: 'string' } } },
  setup({ options }) {
    ${setup}
    return { drivers: [{ id: 'bench', async *devices() { yield { id: options.serial ?? 'a', name: options.name,
      manufacturer: 'Acme', model: 'Bench', online: true, feeder: true, flatbed: false, duplex: false, feeding: 'perSheet' }; },
      open() { setTimeout(() => process.exit(0)); throw new Error('not here'); }, async close() {} }] };
  },
};
`;

async function packageOf(t: Test, files: Readonly<Record<string, string>>, more: object = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const manifest = { name: '@acme/bench', version: '1.0.0', type: 'module', exports: './dist/plugin.js', ...more };
  for (const [path, text] of Object.entries({ 'package.json': JSON.stringify(manifest), ...files })) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

interface Bench extends Platen {
  /** Waits until standard output and error together have it this often. */
  says(what: RegExp, times?: number): Promise<void>;
  port(): number;
}

function bench(t: Test, folder: string, ...flags: string[]): Bench {
  const running = platen(['dev', folder, ...flags], { cwd: folder });
  t.teardown(async () => {
    running.signal('SIGTERM');
    await running.ended;
  });
  const all = (): string => running.out() + running.log();
  let over = false;
  void running.ended.then(() => (over = true));
  return {
    ...running,
    async says(what, times = 1) {
      await until(async () => over || [...all().matchAll(new RegExp(what, 'g'))].length >= times);
      if (over && [...all().matchAll(new RegExp(what, 'g'))].length < times) throw new Error(`It ended:\n${all()}`);
    },
    port: () => Number(/https:\/\/localhost:(\d+)\/app\//.exec(running.out())?.[1]),
  };
}

const scanners = async ({ port }: Pick<Bench, 'port'>): Promise<string[]> => {
  const { json } = await request(port(), 'GET', '/api/twain/scanners');
  return (json as { scanners: { name: string }[] }).scanners.map(({ name }) => name);
};

t.test('dev: builds, runs, and starts again at the same port when a source changes', async t => {
  const folder = await packageOf(t, { 'build.mjs': build, 'src/plugin.js': driver() }, { scripts: built });
  const running = bench(t, folder);
  await running.says(/@acme\/bench \(driver bench\) runs/);
  t.same(await scanners(running), ['Bench 1']);
  const port = running.port();
  t.equal((await request(port, 'GET', '/app/')).status, 200);
  await writeFile(join(folder, 'src/plugin.js'), driver('Bench 2'));
  await running.says(/\) runs/, 2);
  t.same(await scanners(running), ['Bench 2']);
  t.equal(running.port(), port);
  t.match(running.out(), /Changed: src\/plugin\.js/);

  await t.test('a failed build: the compiler’s words, and the service goes on', async t => {
    await writeFile(join(folder, 'src/plugin.js'), 'export default {;');
    await running.says(/The build failed\. The service goes on/);
    t.match(running.log(), /src\/plugin\.js\(1,1\): error/);
    t.same(await scanners(running), ['Bench 2']);
  });

  running.signal('SIGTERM');
  t.equal((await running.ended).code, 0);
  await t.rejects(request(port, 'GET', '/'), { code: 'ECONNREFUSED' });
});

t.test('dev: an error in setup, its stack with the file and the line, and the next change starts it', async t => {
  const folder = await packageOf(t, { 'dist/plugin.js': driver('Bench 1', '\n null.scanner;') });
  const running = bench(t, folder);
  await running.says(/did not start\. Waiting/);
  t.match(running.log(), /TypeError: .*scanner.*\n\s+at .*setup.*dist\/plugin\.js:6:7/);
  await writeFile(join(folder, 'dist/plugin.js'), driver('Bench 2'));
  await running.says(/\) runs/);
  t.same(await scanners(running), ['Bench 2']);
});

t.test('dev: a crash, the plugin is named, and the next change starts it', async t => {
  const folder = await packageOf(t, { 'dist/plugin.js': driver('Bench 1') });
  const running = bench(t, folder);
  await running.says(/\) runs/);
  await request(running.port(), 'GET', '/api/twain/scanners/Bench%201/capabilities').catch(() => undefined);
  await running.says(/The service ended with code 1/);
  t.match(running.log(), /ended the process: it called process\.exit\(0\)/);
  await writeFile(join(folder, 'dist/plugin.js'), driver('Bench 2'));
  await running.says(/\) runs/, 2);
  t.same(await scanners(running), ['Bench 2']);
});

t.test('dev: a mistake in the syntax of what is imported has its file and line', async t => {
  const folder = await packageOf(t, { 'dist/plugin.js': 'const a = 1;\nexport default {;\n' });
  const running = bench(t, folder);
  await running.says(/did not start/);
  t.match(running.log(), /dist\/plugin\.js:2\n/);
});

t.test('dev: the development module gives options and is closed; flags go over them', async t => {
  const mark = (folder: string): string => join(folder, 'closed.txt');
  const folder = await packageOf(
    t,
    {
      'dist/plugin.js': driver(),
      'dist/dev.js': `import { writeFileSync } from 'node:fs';
export default async () => ({ options: { name: 'Simulated', serial: '1' }, close: () => writeFileSync('closed.txt', 'yes') });`,
      'options.json': '{ "serial": "2" }',
    },
    { platen: { dev: './dist/dev.js' } },
  );
  const running = bench(t, folder, '--options', 'options.json');
  await running.says(/\) runs/);
  t.same(await scanners(running), ['Simulated']);
  running.signal('SIGTERM');
  t.equal((await running.ended).code, 0);
  t.equal(await readFile(mark(folder), 'utf8'), 'yes');
});

t.test('dev: a development module that fails has its stack, and the next change starts it', async t => {
  const folder = await packageOf(
    t,
    { 'dist/plugin.js': driver(), 'dist/dev.js': 'export default () => {\n  throw new Error("no simulator"); };' },
    { platen: { dev: './dist/dev.js' } },
  );
  const running = bench(t, folder);
  await running.says(/did not start/);
  t.match(running.log(), /Error: no simulator\n\s+at .*dev\.js:2:9/);
  await writeFile(join(folder, 'dist/dev.js'), 'export default () => ({})');
  await running.says(/\) runs/);
});

t.test('dev: a plugin without a driver gets a virtual scanner', async t => {
  const folder = await packageOf(t, {
    'dist/plugin.js':
      "export default { name: '@acme/bench', api: 1, setup: () => ({ processors: [{ name: 'stamp', apply: async page => ({ page, applied: false }) }] }) };",
  });
  const running = bench(t, folder);
  await running.says(/\(.*\) runs|did not start/);
  t.match(running.out(), /processor stamp\) runs/, running.log());
  t.ok((await scanners(running)).includes('Flatbed B'));
});

t.test('dev: the data folder is below node_modules, or temporary and removed', async t => {
  const folder = await packageOf(t, { 'dist/plugin.js': driver() });
  const first = bench(t, folder);
  await first.says(/Data folder/);
  const temporary = /Data folder: (.*)/.exec(first.out())?.[1] ?? '';
  t.ok((await stat(temporary)).isDirectory());
  first.signal('SIGINT');
  t.equal((await first.ended).code, 0);
  await t.rejects(stat(temporary), { code: 'ENOENT' });
  await mkdir(join(folder, 'node_modules'));
  const second = bench(t, folder);
  await second.says(/Data folder/);
  t.ok(second.out().includes(join(folder, 'node_modules', '.cache', 'platen-dev')));
});

t.test('dev: what is no plugin, and wrong flags, are refused in one sentence', async t => {
  const plain = await packageOf(t, { 'dist/plugin.js': 'export default 7;' });
  const refused = await platen(['dev', plain], { cwd: plain }).ended;
  t.equal(refused.code, 1);
  t.match(refused.log, /is not a Platen plugin/);
  const good = await packageOf(t, { 'dist/plugin.js': driver() });
  for (const [flags, what] of [
    [['/nowhere'], /has no package\.json/],
    [[good, '--options', '[]'], /--options/],
    [[good, '--options', 'none.json'], /--options.*none\.json/],
    [[good, '--port', 'x'], /--port/],
    [[good, '--licence', 'none.licence'], /--licence/],
    [[good, '--data-dir', ''], /--data-dir/],
    [[good, good], /platen dev \[FOLDER\]/],
  ] as const) {
    const { code, log } = await platen(['dev', ...flags], { cwd: good }).ended;
    t.equal(code, 2, flags.join(' '));
    t.match(log, what);
  }
});

t.test('dev: keys', async t => {
  const folder = await packageOf(t, {
    'dist/plugin.js': driver(),
    'node_modules/@platen/conformance/package.json': '{ "bin": { "platen-conformance": "suite.cjs" } }',
    'node_modules/@platen/conformance/suite.cjs': "console.log('SUITE OF ' + process.argv[2]);",
  });
  // What a terminal does: a key is a letter.
  const program = `import { dev } from ${JSON.stringify(new URL('dist/commands/dev.js', import.meta.resolve('@platen/server/package.json')).href)};
const io = { out: line => console.log(line), err: line => console.error(line), env: process.env, cwd: process.cwd() };
const keys = { listen: press => process.stdin.on('data', text => press(String(text))), close: () => process.stdin.destroy() };
process.exitCode = await dev(['.'], io, new Promise(() => {}), keys);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: folder,
    env: inherited,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', text => (out += String(text)));
  let over = false;
  const ended = new Promise(resolve => child.once('close', resolve)).finally(() => (over = true));
  const says = async (is: () => boolean): Promise<void> => {
    await until(async () => over || is());
    if (!is()) throw new Error(`It ended:\n${out}`);
  };
  await says(() => out.includes('Keys: c'));
  child.stdin.write('c');
  await says(() => out.includes('The suite passed.'));
  t.ok(out.includes(`SUITE OF ${folder}`));
  await rm(join(folder, 'node_modules/@platen'), { recursive: true });
  child.stdin.write('c');
  await says(() => out.includes('npm install --save-dev @platen/conformance'));
  child.stdin.write('s');
  await says(() => /platen scan: |not here/.test(out));
  child.stdin.write('r');
  await says(() => [...out.matchAll(/\) runs/g)].length === 2);
  child.stdin.write('q');
  t.equal(await ended, 0);
});
