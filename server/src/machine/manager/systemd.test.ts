/** Platen as a service of systemd, in a folder that stands for the root; systemd's own programs read what was written. */
import { execFile } from 'node:child_process';
import {
  access,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { lacking } from '@platen/conformance';
import t, { type Test } from 'tap';
import { isRoot } from '../platform.js';
import { fakeTools } from '../tls/trust/fakes.test.kit.js';
import { systemTools, type Tools } from '../tls/trust/tool.js';
import { systemdManager, type SystemdPlace } from './systemd.js';

const run = promisify(execFile);
const server = fileURLToPath(new URL('../../../', import.meta.url));
const { tunables } = createRequire(import.meta.url)('../../../bin/glibc.cjs') as { readonly tunables: string };

async function image(test: Test, more: Partial<SystemdPlace> = {}) {
  const root = await mkdtemp(join(tmpdir(), 'platen-image-'));
  test.teardown(() => rm(root, { recursive: true, force: true }));
  await mkdir(join(root, 'etc'));
  await mkdir(join(root, 'opt'));
  await writeFile(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
  await writeFile(join(root, 'etc/group'), 'root:x:0:\nscanner:x:120:\n');
  await writeFile(join(root, 'etc/shadow'), 'root:*:19000:0:99999:7:::\n');
  await writeFile(join(root, 'etc/gshadow'), 'root:*::\nscanner:*::\n');
  const said: string[] = [];
  const place: SystemdPlace = {
    root,
    isRoot: true,
    tools: systemTools(process.env),
    // In /usr, where this test's own Node and program need not be.
    node: '/usr/bin/env',
    program: '/bin/sh',
    shippedConfig: join(server, 'config/platen.json'),
    schema: '/opt/platen/schema.json',
    templates: join(server, 'service'),
    pluginsDir: '/opt/with space',
    say: line => said.push(line),
    warn: line => said.push(line),
    ...more,
  };
  const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');
  return { root, place, said, read, manager: systemdManager(place) };
}

const UNIT = 'etc/systemd/system/platen.service';
const skip = lacking('systemd-analyze') || lacking('useradd') || (!isRoot() && 'only root makes accounts');

t.test('systemd: installed twice, removed, removed with its data', { skip }, async t => {
  const { root, manager, read, said } = await image(t);
  t.match(await manager.status(), { state: 'absent' });
  for (const _ of [1, 2]) t.equal(await manager.install(), false, 'nothing is started in an image');
  t.match(await read('etc/passwd'), /^platen:x:\d+:\d+:Platen:\/var\/lib\/platen:\/usr\/sbin\/nologin$/m);
  t.match(await read('etc/group'), /^scanner:x:120:platen$/m);
  const [, , uid] = /^platen:.*$/m.exec(await read('etc/passwd'))?.[0].split(':') ?? [];
  const data = await stat(join(root, 'var/lib/platen'));
  t.same([data.mode & 0o777, data.uid], [0o700, Number(uid)]);
  t.equal((JSON.parse(await read('etc/platen/platen.json')) as { $schema: string }).$schema, '/opt/platen/schema.json');
  t.match(await readlink(join(root, 'etc/systemd/system/multi-user.target.wants/platen.service')), /platen\.service$/);
  t.notMatch(await read(UNIT), /@(?:node|program|config|plugins)@|between @/);
  t.ok((await read(UNIT)).includes(`\nEnvironment=GLIBC_TUNABLES=${tunables}\n`), 'as npm start and the program');
  const { stderr } = await run('systemd-analyze', ['verify', '--man=no', join(root, UNIT)]);
  t.notMatch(stderr, /platen\.service/);
  t.match(await manager.status(), { state: 'stopped' });

  await manager.remove({ data: false });
  for (const gone of [UNIT, 'etc/systemd/system/multi-user.target.wants/platen.service', 'etc/platen'])
    await t.rejects(access(join(root, gone)), { code: 'ENOENT' }, gone);
  t.match(await read('etc/passwd'), /^platen:/m, 'the owner of the data stays');
  await manager.install();
  await writeFile(join(root, 'etc/platen/platen.json'), '{}');
  await manager.remove({ data: false });
  t.equal(await read('etc/platen/platen.json'), '{}', 'a changed configuration stays');
  await writeFile(join(root, 'etc/platen/origins.json'), '{ "grants": [] }');
  await manager.remove({ data: true });
  t.notMatch(await read('etc/passwd'), /platen/);
  t.notMatch(await read('etc/group'), /platen/);
  for (const gone of ['var/lib/platen', 'etc/platen'])
    await t.rejects(access(join(root, gone)), { code: 'ENOENT' }, gone);
  t.ok(said.some(line => line.includes('was changed')));
});

t.test('systemd: web pages must ask, in a new configuration; one that is there stays', { skip }, async t => {
  const { root, place, manager, read, said } = await image(t);
  await systemdManager({ ...place, origins: 'ask' }).install();
  const config = await read('etc/platen/platen.json');
  t.match(JSON.parse(config), { security: { origins: 'ask' } });
  await systemdManager({ ...place, origins: 'open' }).install();
  t.equal(await read('etc/platen/platen.json'), config);
  t.match(said.join('\n'), /Kept the configuration .*"origins": "open"/);
  await manager.remove({ data: true });
  await systemdManager({ ...place, origins: 'ask' }).install();
  await manager.remove({ data: false });
  await t.rejects(access(join(root, 'etc/platen')), { code: 'ENOENT' }, 'nobody changed it');
});

t.test("systemd: an image's links stay in the image", { skip }, async t => {
  const { root, manager, read } = await image(t);
  const outside = await mkdtemp(join(tmpdir(), 'platen-outside-'));
  t.teardown(() => rm(outside, { recursive: true, force: true }));
  // Absolute, and relative through the root.
  await mkdir(join(root, 'var'));
  await mkdir(join(outside, 'lib'));
  await symlink(join(outside, 'lib'), join(root, 'var/lib'));
  await symlink('../../../../../../../../srv/platen', join(root, 'etc/platen'));
  await manager.install();
  t.same(await readdir(join(outside, 'lib')), [], 'nothing was written outside');
  t.ok((await stat(join(root, outside, 'lib/platen'))).isDirectory());
  t.match(await read('srv/platen/platen.json'), /schema/);
  await manager.remove({ data: true });
  for (const gone of [join(outside, 'lib/platen'), 'srv/platen/platen.json'])
    await t.rejects(access(join(root, gone)), { code: 'ENOENT' }, gone);
});

t.test('systemd: an image whose links the programs of this system would follow is refused', async t => {
  const { root, manager, read } = await image(t, { tools: fakeTools() });
  const victim = join(root, 'opt/victim');
  await mkdir(join(root, 'etc/systemd/system'), { recursive: true });
  for (const path of [UNIT, 'etc/platen/platen.json']) {
    await mkdir(join(root, path, '..'), { recursive: true });
    await symlink(victim, join(root, path));
    await t.rejects(manager.install(), { message: /is a link/ }, path);
    await t.rejects(manager.remove({ data: true }), { message: /is a link/ }, path);
    await rm(join(root, path));
  }
  await rename(join(root, 'etc/passwd'), victim);
  await symlink(victim, join(root, 'etc/passwd'));
  await t.rejects(manager.install(), { message: /etc\/passwd is a link/ });
  t.equal(await read('opt/victim'), 'root:x:0:0:root:/root:/bin/sh\n');
  await rm(join(root, 'etc/passwd'));
  await symlink('passwd', join(root, 'etc/passwd'));
  await t.rejects(manager.install(), { message: /40 links/ });
  await t.rejects(systemdManager({ ...(await image(t)).place, root: join(root, 'none') }).install(), {
    message: /no folder/,
  });
});

t.test('systemd: refusals, each with the command that helps', async t => {
  const { manager } = await image(t, { isRoot: false });
  await t.rejects(manager.install(), { message: /sudo .* service install/ });
  await t.rejects(manager.remove({ data: false }), { message: /sudo .* service remove/ });
  const hidden = await image(t, {
    node: process.execPath,
    program: fileURLToPath(import.meta.url),
    pluginsDir: '/home/a/p',
  });
  await t.rejects(hidden.manager.install(), { message: /private folder.*npm install --prefix/ });
  const none = await image(t, { tools: { ...fakeTools(), run: async () => undefined } });
  await t.rejects(none.manager.install(), { message: /no systemd/ });
});

t.test("systemd: a person's account with the service's name is neither taken over nor removed", async t => {
  const { manager, root, read } = await image(t, { tools: fakeTools({ 'systemctl --version': '' }) });
  for (const person of ['1000:1000::/home/platen', '1000:1000::/var/lib/platen', '900:900::/home/platen']) {
    const accounts = `platen:x:${person}:/bin/sh\n`;
    await writeFile(join(root, 'etc/passwd'), accounts);
    await t.rejects(manager.install(), { message: /not a system account/ }, person);
    await t.rejects(manager.remove({ data: true }), { message: /not a system account/ }, person);
    t.equal(await read('etc/passwd'), accounts);
  }
});

t.test('systemd: the service of a package is left to the package', async t => {
  const { manager, root } = await image(t);
  await mkdir(join(root, 'usr/lib/systemd/system'), { recursive: true });
  await writeFile(join(root, 'usr/lib/systemd/system/platen.service'), '');
  t.equal(await manager.install(), false);
  await t.rejects(access(join(root, UNIT)), { code: 'ENOENT' });
  await t.rejects(manager.remove({ data: true }), { message: /belongs to a package/ });
  await mkdir(join(root, 'etc/systemd/system'), { recursive: true });
  await writeFile(join(root, UNIT), '');
  await manager.remove({ data: false });
  await t.rejects(access(join(root, UNIT)), { code: 'ENOENT' }, 'one of our own no longer hides it');
});

t.test('systemd: status, as the manager shows it', async t => {
  const answer = (...lines: string[]): Tools =>
    fakeTools({ 'systemctl show': lines.join('\n'), 'systemctl is-enabled': 'enabled' });
  const running = answer('ActiveState=active', 'ActiveEnterTimestamp=Mon 2026', 'Result=success');
  const failed = answer('ActiveState=failed', 'Result=exit-code', 'ExecMainStatus=3');
  for (const [tools, expected] of [
    [running, { state: 'running', isEnabled: true, since: 'Mon 2026' }],
    [failed, { state: 'stopped', isEnabled: true, result: 'exit-code 3' }],
    [fakeTools({ 'systemctl show': 1, 'systemctl is-enabled': 1 }), { state: 'stopped', isEnabled: false }],
  ] as const) {
    const { manager, root } = await image(t, { tools });
    await mkdir(join(root, 'etc/systemd/system'), { recursive: true });
    await writeFile(join(root, UNIT), '');
    t.match(await manager.status(), expected);
  }
});
