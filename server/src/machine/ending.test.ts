/** A plugin that ends the process, in a real child process: it is named, and the exit code is 1. */
import { spawn } from 'node:child_process';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { platenArgs } from './program.test.kit.js';
import { createCertificate } from './tls/certificate.js';

const root = await mkdtemp(join(tmpdir(), 'platen-ending-'));
t.teardown(() => rm(root, { recursive: true, force: true }));
await addPackage('breaks', 'export default plugin(() => { null.x; });');

/** A data folder of its own for each service. */
async function dataFolder(name: string): Promise<string> {
  const dir = join(root, `data-${name}`);
  await mkdir(dir, { mode: 0o700 });
  await createCertificate(dir, new Date());
  return dir;
}

/** A configuration with the plugin and one that breaks. @param code the plugin's, which may call `plugin(setup)` */
async function installed(name: string, code: string): Promise<string> {
  await addPackage(name, code);
  const config = join(root, `${name}.json`);
  const entries = { plugins: [{ use: 'breaks' }, { use: name }], log: { level: 'debug' } };
  await writeFile(config, JSON.stringify(entries), { mode: 0o600 });
  return config;
}

async function addPackage(name: string, code: string): Promise<void> {
  const folder = join(root, 'node_modules', name);
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name, version: '1.2.3', type: 'module', exports: './i.js' }),
  );
  const plugin = `const plugin = setup => ({ name: '${name}', api: 1, setup });\n`;
  await writeFile(join(folder, 'i.js'), plugin + code);
}

interface Ended {
  readonly code: number | null;
  readonly lines: readonly string[];
}

/** Runs a command with a plugin to its end; `stop` stops a service once it listens. */
async function run(args: readonly string[], name: string, code: string, { stop = false } = {}): Promise<Ended> {
  const env = {
    ...process.env,
    PLATEN_DATA_DIR: await dataFolder(name),
    PLATEN_PORT: '0',
    PLATEN_CONFIG: await installed(name, code),
  };
  const child = spawn(process.execPath, [...platenArgs, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  t.teardown(() => child.kill('SIGKILL'));
  let [out, err] = ['', ''];
  child.stdout.on('data', text => {
    out += String(text);
    if (stop && out.includes('listens on')) child.kill('SIGTERM');
  });
  child.stderr.on('data', text => (err += String(text)));
  return new Promise(resolve =>
    child.on('close', status => resolve({ code: status, lines: err.split('\n').filter(line => line !== '') })),
  );
}

/** The lines of a service's log; each must be JSON. */
const logOf = ({ lines }: Ended): { level: number; msg: string; err?: { stack?: string } }[] =>
  lines.map(line => JSON.parse(line) as { level: number; msg: string });

const named = (name: string): RegExp => new RegExp(`plugin "${name}".*"isolate": true`);

t.test('serve: a plugin ends the process, exit code 1 and one line that names it', async t => {
  const breakages: Record<string, string> = {
    'exits-on-import': 'process.exit(0); export default plugin(() => ({}));',
    'exits-with-exit-code': 'process.exitCode = 2; export default plugin(() => process.exit());',
    'exits-later': 'export default plugin(() => { setTimeout(() => process.exit(4), 300); return {}; });',
    'exits-in-a-listener': `process.on('exit', () => process.exit(2));
setTimeout(() => process.exit(4));
export default plugin(() => ({}));`,
    'listens-later': `setTimeout(() => { process.on('exit', () => { process.exitCode = 3; }); process.exit(4); });
export default plugin(() => ({}));`,
    'really-exits': 'export default plugin(() => { setTimeout(() => process.reallyExit(3)); return {}; });',
    throws: `export default plugin(() => { setTimeout(() => { throw new Error('paper\\nwas eaten'); }, 300); return {}; });`,
    rejects: `export default plugin(() => { setTimeout(() => void Promise.reject(new Error('lost'))); return {}; });`,
  };
  await Promise.all(
    Object.entries(breakages).map(async ([name, code]) => {
      const ended = await run(['serve'], name, code);
      t.equal(ended.code, 1, name);
      const errors = logOf(ended).filter(({ level, msg }) => level >= 50 && !msg.includes('"breaks"'));
      t.equal(errors.length, 1, name);
      t.match(errors[0]?.msg, named(name));
      if (name === 'throws' || name === 'rejects') t.match(errors[0]?.err?.stack, /i\.js:\d+/);
    }),
  );
});

t.test('plugins list: a plugin that exits with 0 on import, exit code 1 and a sentence', async t => {
  const { code, lines } = await run(['plugins', 'list'], 'listed', 'process.exit(0);');
  t.equal(code, 1);
  t.match(lines.join('\n'), named('listed'));
});

t.test("serve: its own exit code stands, and the log has the plugins' versions and their stacks", async t => {
  const code = `process.exitCode = 3;
process.removeAllListeners('exit');
process.on('exit', () => { process.exitCode = 3; });
process.on('SIGTERM', () => setTimeout(() => process.exit(4), 600_000));
export default plugin(() => ({}));`;
  const ended = await run(['serve'], 'sets-the-code', code, { stop: true });
  t.equal(ended.code, 0);
  const said = logOf(ended);
  t.ok(said.some(({ msg }) => msg === 'Loaded plugins: sets-the-code 1.2.3.'));
  t.ok(
    said.some(({ level, msg }) => level === 20 && /breaks.i\.js:2:\d+/.test(msg)),
    'the stack of a failed setup',
  );
});
