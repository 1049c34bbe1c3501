/** `platen config check` and `platen --version`. */
import { access, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { config } from './config.js';
import { version } from './version.js';

const root = await realpath(await mkdtemp(join(tmpdir(), 'platen-config-')));
t.teardown(() => rm(root, { recursive: true, force: true }));
const dataDir = join(root, 'data');

interface Report {
  readonly ok: boolean;
  readonly port?: number;
  readonly faults: readonly {
    readonly path: string;
    readonly code: string;
    readonly message: string;
    readonly accepts?: string;
  }[];
  readonly warnings: readonly { readonly path: string; readonly message: string }[];
}

async function check(content: unknown, env: NodeJS.ProcessEnv = {}, ...args: string[]) {
  const file = join(root, 'platen.json');
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 });
  const out: string[] = [];
  const err: string[] = [];
  const io = {
    out: (line: string) => void out.push(line),
    err: (line: string) => void err.push(line),
    env: { PLATEN_DATA_DIR: dataDir, ...env },
    cwd: root,
  };
  const code = await config(['check', 'platen.json', ...args], io);
  return { code, out: out.join('\n'), err: err.join('\n') };
}

async function report(content: unknown, env: NodeJS.ProcessEnv = {}, ...args: string[]) {
  const { code, out } = await check(content, env, '--json', ...args);
  return { code, ...(JSON.parse(out) as Report) };
}

t.test('config check: every fault with its path and what is accepted, exit code 3', async t => {
  const broken = { listen: { port: 'x' }, plugin: [], plugins: [{ use: '' }] };
  const { code, ok, faults } = await report(broken);
  t.same([code, ok], [3, false]);
  t.match(faults.map(({ path, code: fault, accepts }) => [path, fault, accepts]).sort(), [
    ['listen.port', 'invalid-value', /0 to 65535/],
    ['plugin', 'unknown-key', /plugins/],
    ['plugins[0].use', 'invalid-value', String],
  ]);
  t.match(await report({ profiles: { invoices: { resolution: 0, duplex: true } } }), {
    code: 3,
    faults: [
      { path: 'profiles.invoices.duplex', code: 'unknown-key' },
      { path: 'profiles.invoices.resolution', code: 'invalid-value' },
    ],
  });
  t.match(await report({ plugins: [], profiles: { a: { resolution: 300 }, web: { imageFormat: 'WebP' } } }), {
    code: 3,
    faults: [{ path: 'profiles.web.imageFormat', code: 'invalid-value', accepts: /./ }],
  });
  t.match(await report('{ "plugins": [],\n "security": {}, "security": {} }'), {
    code: 3,
    faults: [{ path: '', code: 'configuration', message: /"security" twice.*line 2/ }],
  });
  t.match(await report('{'), { code: 3, faults: [{ path: '', code: 'configuration' }] });
  t.match(await report({}, { PLATEN_PORT: 'x' }), { code: 3, faults: [{ path: '', code: 'configuration' }] });
  await t.rejects(report({}, {}, '--port', 'x'), { code: 'usage' });
  await t.rejects(report({}, {}, '--config', 'platen.json'), { code: 'usage' });
});

/** What pages count on. */
const whole = ['@platen/format-png', '@platen/document-pdf', '@platen/driver-desktop'].map(use => ({ use }));

t.test('config check: of a file with faults, whatever has none is looked at', async t => {
  const { code, faults } = await report({
    listen: { port: 'x' },
    security: { origins: 'open' },
    plugins: [{ use: '' }, { use: './nowhere' }, 7, { use: '@platen/format-png', options: { wibble: 1 } }],
    profiles: { a: { resolution: 0 }, b: { imageFormat: 'WebP' }, c: 7 },
  });
  t.equal(code, 3);
  t.same(faults.map(({ path, code: fault }) => `${path} ${fault}`).sort(), [
    'listen.port invalid-value',
    'plugins[0].use invalid-value',
    'plugins[1] not-installed',
    'plugins[2] invalid-value',
    'plugins[3] options',
    'profiles.a.resolution invalid-value',
    'profiles.b.imageFormat invalid-value',
    'profiles.c invalid-value',
  ]);
  for (const value of [[], 7, null, { plugins: 7, profiles: 'x' }]) t.equal((await report(value)).code, 3);
  for (const profiles of ['abc', [1, 2], 7, null])
    t.same(
      (await report({ plugins: [], profiles })).faults.map(({ path }) => path),
      ['profiles'],
    );
});

t.test('config check: what pages count on is left out, a warning', async t => {
  const said = async (...left: string[]): Promise<string[]> => {
    const { code, ok, warnings } = await report({ plugins: whole.filter(({ use }) => !left.includes(use)) });
    t.same([code, ok], [0, true], 'a computer may be meant so');
    return warnings.map(({ path, message }) => `${path} ${message}`);
  };
  t.same(await said(), []);
  t.match(await said('@platen/document-pdf'), [/^plugins .*documents.*platen\.json/]);
  t.match(await said('@platen/format-png'), [/^plugins .*PNG/]);
  t.match((await check({ plugins: [] })).err, /^! plugins: .*documents.*PNG/);
});

t.test('config check: plugins are loaded, and nothing is left in the data folder', async t => {
  await writeFile(
    join(root, 'premium.mjs'),
    `export default { name: 'premium', api: 1, premium: { publicKey: 'x' }, setup: () => ({}) };`,
  );
  await writeFile(
    join(root, 'lacks.mjs'),
    `export default { name: 'lacks', api: 1, setup: () => ({ lacks: 'The helper is missing.' }) };`,
  );
  const plugins = ['./lacks.mjs', './nowhere', './premium.mjs'].map(use => ({ use, required: true }));
  const { code, faults, warnings } = await report({ plugins });
  t.equal(code, 3);
  t.match(faults, [
    { path: 'plugins[1]', code: 'not-installed' },
    { path: 'plugins[2]', code: 'unlicensed' },
  ]);
  t.match(warnings, [{ path: 'plugins[0]' }]);
  t.equal(warnings.length, 1, 'what a refused plugin provides is not called left out');
  const unlicensed = await report({ plugins: [{ use: './premium.mjs' }] });
  t.match([unlicensed.code, unlicensed.ok], [0, true], 'the service starts without it');
  t.match(unlicensed.warnings, [{ path: 'plugins[0]', message: /not licensed/ }]);
  await t.rejects(access(dataDir), { code: 'ENOENT' });
  t.match(await report({ listen: { port: 7 }, plugins: plugins.slice(0, 1) }), { code: 0, ok: true, port: 7 });
  t.match(await report({ listen: { port: 7 } }, { PLATEN_PORT: '8' }), { port: 8 });
  t.match(await check({ plugins: whole }), { code: 0, out: /platen\.json/, err: '' });
  t.match(await check({ plugins }), { code: 3, out: '', err: /plugins\[1\]: .*\n.*plugins\[2\]: / });
  t.match(await report({ channel: 'x' }, {}, '--host'), { code: 0 });
});

t.test('--version: one line, and as JSON', async t => {
  const out: string[] = [];
  const io = { out: (line: string) => void out.push(line), err: () => undefined, env: {}, cwd: root };
  t.same([version([], io), version(['--json'], io), version(['x'], io)], [0, 0, 2]);
  t.match(out[0], new RegExp(`^Platen \\d+\\.\\d+\\.\\d+, Node ${process.versions.node}, plugin api 1, `));
  t.match(JSON.parse(out[1] ?? ''), { node: process.versions.node, pluginApi: 1 });
});
