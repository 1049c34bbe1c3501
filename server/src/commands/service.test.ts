/** `platen service`: exit codes, flags, and what it calls on Windows. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import type { ServiceManager, ServiceState } from '../machine/manager/manager.js';
import type { windowsDangers } from '../machine/rights/windowsCodeAccess.js';
import { serviceHost, windowsManager } from '../machine/manager/windows.js';
import { fakeTools } from '../machine/tls/trust/fakes.test.kit.js';
import { service } from './service.js';

const root = await mkdtemp(join(tmpdir(), 'platen-service-'));
t.teardown(() => rm(root, { recursive: true, force: true }));
const configFile = join(root, 'platen.json');
// Nothing listens on port 1.
await writeFile(configFile, '{ "listen": { "port": 1 } }', { mode: 0o600 });

async function platen(manager: ServiceManager | undefined, ...args: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const io = { out: (l: string) => void out.push(l), err: (l: string) => void err.push(l), env: {}, cwd: root };
  const code = await service(args, io, manager);
  return { code, out: out.join('\n'), err: err.join('\n') };
}

function managerIn(state: ServiceState, result?: string): ServiceManager & { readonly calls: unknown[] } {
  const calls: unknown[] = [];
  return {
    calls,
    install: async () => (calls.push('install'), true),
    remove: async removal => void calls.push(removal),
    restart: async () => void calls.push('restart'),
    status: async () => ({ state, configFile, ...(result === undefined ? {} : { result }) }),
  };
}

t.test('service status: exit codes as those of systemctl, also as JSON', async t => {
  for (const [state, code] of [
    ['running', 0],
    ['stopped', 3],
    ['absent', 4],
  ] as const) {
    t.equal((await platen(managerIn(state), 'status')).code, code);
    const json = await platen(managerIn(state), 'status', '--json');
    t.match(JSON.parse(json.out), { state, answers: false });
  }
});

t.test('service install: does not start, exit code 1 with the reason', async t => {
  t.match(await platen(managerIn('stopped', 'exit-code 4'), 'install'), { code: 1, err: /exit-code 4/ });
});

t.test('service: flags of other commands, and commands that there are not', async t => {
  const manager = managerIn('running');
  t.equal((await platen(manager, 'remove', '--data')).code, 0);
  t.same(manager.calls, [{ data: true }]);
  for (const args of [
    ['install', '--data'],
    ['remove', '--json'],
    ['status', '--root', '/x'],
    ['install', '--root', 'x'],
    ['install', '--origins', 'list'],
    ['remove', '--origins', 'ask'],
    ['start'],
  ])
    await t.rejects(platen(manager, ...args), { code: 'usage' }, args.join(' '));
  for (const args of [[], ['status', 'x']]) t.equal((await platen(manager, ...args)).code, 2);
  t.equal((await platen(manager, '--help')).code, 0);
});

t.test('service on Windows: the service host does it', async t => {
  const said: string[] = [];
  const host = 'C:\\x\\platen-service.exe';
  const place = {
    node: 'C:\\node.exe',
    program: '',
    shippedConfig: '',
    schema: '',
    templates: '',
    pluginsDir: undefined,
    people: ['Scanners'],
    configFile,
    host,
    say: (line: string) => said.push(line),
    warn: (line: string) => said.push(line),
    dangers: async (files: readonly string[]) => files.map(() => undefined),
  };
  const tools = fakeTools({ [`${host} status`]: 3 });
  const manager = windowsManager({ ...place, tools });
  await manager.install();
  await manager.remove({ data: true });
  t.match(await manager.status(), { state: 'stopped' });
  t.same(tools.calls, [
    `${host} install --node C:\\node.exe --people Scanners`,
    `${host} undo --all`,
    `${host} remove`,
    `${host} status`,
  ]);
  const refusing = windowsManager({ ...place, tools: fakeTools({ [host]: { code: 1, said: 'Access is denied.' } }) });
  await t.rejects(refusing.install(), { message: 'Access is denied.' });
  await t.rejects(refusing.status(), { message: 'Access is denied.' });
  const untouched = fakeTools({});
  const dangers: typeof windowsDangers = async (files, { forAll } = {}) =>
    files.map(file =>
      forAll === true && file.endsWith('node.exe') ? `${file} is writable by other accounts` : undefined,
    );
  await t.rejects(windowsManager({ ...place, tools: untouched, dangers }).install(), {
    message: /node\.exe is writable.*npm install/,
  });
  t.same(untouched.calls, [], 'code that others may write is not installed');
  t.throws(() => serviceHost(), { message: /server-win32-x64 is not installed/ });
});

t.test('service on Windows: a service host that is not the published file is never started', async t => {
  const name = '@platen/server-win32-x64';
  const installed = (text: string): string => {
    const sha256 = { 'platen-service.exe': createHash('sha256').update('published').digest('hex') };
    const manifest = { name: '@platen/server', platen: { prebuilt: { 'win32-x64': { package: name, sha256 } } } };
    const prebuilt = { 'package.json': JSON.stringify({ name }), bin: { 'platen-service.exe': text } };
    const own = { 'package.json': JSON.stringify(manifest), node_modules: { [name]: prebuilt } };
    return t.testdir({ [text]: own }) + `/${text}`;
  };
  t.match(serviceHost(installed('published')), /platen-service\.exe$/);
  t.throws(() => serviceHost(installed('another')), { message: /SHA-256 differs/ });
});
