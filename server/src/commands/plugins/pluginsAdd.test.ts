/** Adding and removing plugins with the real npm, from packed packages; no registry is asked. */
import { chmod, mkdir, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { linkPeers, openPluginsFolder } from './folder.js';
import { findNpm } from './npm.js';
import { packageSpec } from './packageSpec.js';
import { createVendor } from '../../service/licences/licence.test.kit.js';
import { isRoot } from '../../machine/platform.js';
import { checkAccount } from './checkAccount.js';
import { containedAs } from './contained.js';
import { systemTools } from '../../machine/tls/trust/tool.js';
import { fakeTools } from '../../machine/tls/trust/fakes.test.kit.js';
import { cert } from '../cert.js';
import { config as configGroup } from '../config.js';
import { licence as licenceGroup } from '../licence.js';
import { origins } from '../origins.js';
import { service } from '../service.js';
import { addKit, listed, plugin, run } from './pluginsAdd.test.kit.js';

const { config, newFolder, packed, platen, platenAs, root } = await addKit(t);

t.test('add: refusals come before npm runs', async t => {
  const good = await packed('refused', plugin(1));
  await t.rejects(platen(undefined, 'add', good), { message: /clone.*PLATEN_PLUGINS_DIR/ });
  for (const text of ['../x', 'git+ssh://host/x', 'X y', 'a@b@c', '/opt/x', '--global', '-g', '-', '@-/x'])
    await t.rejects(packageSpec(text, root), { code: 'usage', message: /FILE\.tgz/ });
  await t.rejects(packageSpec('nowhere.tgz', root), { message: /^There is no file .*nowhere\.tgz/ });
  await writeFile(join(root, 'text.tgz'), 'text');
  await t.rejects(packageSpec('text.tgz', root), { message: /is not a package/ });
  t.same(await packageSpec('@acme/a@^1.2', root), { name: '@acme/a', spec: '@acme/a@^1.2' });
  const ours = await platen(newFolder(), 'add', '@platen/format-png');
  t.match(ours, { code: 0, out: /@platen\/format-png is part of the installation.*plugins enable/ });
  await t.rejects(platen(newFolder(), 'list', '--data'), { code: 'usage' });
});

t.test(
  'add: several packages, of which one is not a plugin, one is for another api and one ends the process',
  async t => {
    const folder = newFolder();
    const files = [
      await packed('@acme/good', plugin(1)),
      await packed('@acme/peer', plugin(1), {
        peerDependencies: { '@platen/core': '^0.1.0', '@platen/driver-kit': '^0.1.0' },
      }),
      await packed('nothing', '7'),
      await packed('@acme/late', plugin(2)),
      await packed('ends', `(process.exit(7), ${plugin(1)})`),
    ];
    await writeFile(
      join(root, 'sources/@acme/peer/package/i.js'),
      `import { definePlugin } from '@platen/core/plugin'; export default definePlugin(${plugin(1)});`,
    );
    await run('tar', ['-czf', files[1]!, '-C', join(root, 'sources/@acme/peer'), 'package']);
    const { code, out, err } = await platen(folder, 'add', ...files);
    t.equal(code, 1);
    t.match(out, /Added @acme\/good 1\.2\.0 to .*\n.*plugins enable @acme\/good/);
    t.match(out, /Added @acme\/peer/);
    t.match(err, /"nothing" is not a Platen plugin/);
    t.match(err, /api 2/);
    t.match(err, /"ends" is not loaded.*code 7/);
    t.match(err, /Removed nothing, @acme\/late, ends again/);
    t.same(await listed(folder), ['@acme/good', '@acme/peer']);
    const core = await realpath(join(folder, 'node_modules/@platen/core'));
    t.equal(core, await realpath(new URL('../../../../core', import.meta.url).pathname), 'one core');
    await realpath(join(folder, 'node_modules/@platen/driver-kit'));

    await writeFile(config, '{ "plugins": [{ "use": "@acme/good" }] }');
    t.match((await platen(folder, 'list')).out, /^loaded +@acme\/good 1\.2\.0/);
    t.match((await platen(folder, 'add', files[0]!)).out, /lists it\. Run: platen service reload/);
    const removed = await platen(folder, 'remove', '@acme/good');
    t.match(removed, { code: 0, out: /still lists it/ });
    t.same(await listed(folder), ['@acme/peer']);
    t.equal(await realpath(join(folder, 'node_modules/@platen/core')), core, 'still there');
    await t.rejects(platen(folder, 'remove', '@acme/good'), { message: /no added plugin @acme\/good/ });
    await writeFile(config, '{ "plugins": [] }');
  },
);

t.test('add: a package that npm does not find, npm that is missing', async t => {
  const offline = await addKit(t, { npm_config_registry: 'http://127.0.0.1:9', npm_config_fetch_retries: '0' });
  await t.rejects(offline.platen(offline.newFolder(), 'add', '@acme/nowhere'), {
    npmCode: 'ECONNREFUSED',
    message: /FILE\.tgz/,
  });
  t.equal(await findNpm(undefined, { PATH: root }, join(root, 'bin/node')), undefined);
  await mkdir(join(root, 'program/npm/bin'), { recursive: true });
  await writeFile(join(root, 'program/npm/bin/npm-cli.js'), '');
  t.match(await findNpm(join(root, 'program'), {}, '/x/node'), { args: [join(root, 'program/npm/bin/npm-cli.js')] });
});

// Nobody makes folders in /sys, not even root.
const skip = process.platform !== 'linux' && 'there is no such folder';
t.test('add: a folder that this account cannot write', { skip }, async t => {
  const file = await packed('unwritten', plugin(1));
  await t.rejects(platen('/sys/platen', 'add', file), { message: /cannot write to .*administrator rights/ });
});

t.test('add: a plugins folder that others may write, the plugin is refused', async t => {
  const folder = newFolder();
  await mkdir(folder);
  await chmod(folder, 0o777);
  const { code, err } = await platen(folder, 'add', await packed('open', plugin(1)));
  t.equal(code, 1);
  t.match(err, /"open" is not loaded: .*writable by other accounts/);
});

t.test('folder: of a global installation, of one by --prefix, of an installer', async t => {
  const dir = t.testdir({
    usr: { lib: {} },
    opt: { 'package.json': '{"dependencies":{"@platen/server":"0.1.0"}}' },
    local: {},
  });
  const at = (...parts: string[]): string => join(dir, ...parts);
  t.match(await openPluginsFolder(at('usr/lib'), at('usr/lib')), { isGlobal: true, npmPrefix: at('usr') });
  t.match(await openPluginsFolder(at('opt'), at('opt')), { isGlobal: false, npmPrefix: at('opt') });
  t.match(await openPluginsFolder(at('local'), at('opt')), { isGlobal: false, npmPrefix: at('local') });
});

t.test("folder: a peer that is no package's name, nothing is linked", async t => {
  const manifest = '{"peerDependencies":{"@platen/../../../victim":"*"}}';
  const dir = t.testdir({
    plugins: { node_modules: { evil: { 'package.json': manifest } } },
    installation: { server: { node_modules: {} }, victim: {} },
  });
  await linkPeers({ path: join(dir, 'plugins') }, join(dir, 'installation', 'server'));
  await t.rejects(realpath(join(dir, 'victim')), { code: 'ENOENT' });
});

t.test("folder: below the installation's, as the installer for Windows has it, nothing is linked", async t => {
  const core = { 'package.json': '{"name":"@platen/core"}' };
  const own = { 'package.json': '{"peerDependencies":{"@platen/core":"*"}}' };
  const dir = t.testdir({
    node_modules: { '@platen': { core, server: { dist: {} } } },
    plugins: { 'platen-bundles': { node_modules: { ticks: own } } },
  });
  const path = join(dir, 'plugins/platen-bundles');
  const linked = (): Promise<string[]> => readdir(join(path, 'node_modules'));
  await linkPeers({ path }, join(dir, 'node_modules/@platen/server/dist'));
  t.same(await linked(), ['ticks'], 'Node finds it');
  await mkdir(join(dir, 'plugins/node_modules/@platen/core'), { recursive: true });
  await linkPeers({ path }, join(dir, 'node_modules/@platen/server/dist'));
  t.same(await linked(), ['@platen', 'ticks'], "Node would find npm's");
});

t.test("folder: links to the installation's core, beside the server or below it; a copy of npm's stays", async t => {
  const core = { 'package.json': '{"name":"@platen/core"}' };
  const dir = t.testdir({
    beside: { node_modules: { '@platen': { core, server: { dist: {} } } } },
    below: {
      node_modules: { '@platen': { server: { dist: {}, node_modules: { '@platen': { core: { ...core } } } } } },
    },
    plugins: { node_modules: { '@platen': {} } },
  });
  const server = (layout: string): string => join(dir, layout, 'node_modules/@platen/server');
  const linked = (folder: string): Promise<string> => realpath(join(dir, folder, 'node_modules/@platen/core'));
  await linkPeers({ path: join(dir, 'beside') }, join(server('beside'), 'dist'));
  t.equal(await linked('beside'), join(dir, 'beside/node_modules/@platen/core'));
  await linkPeers({ path: join(dir, 'below') }, join(server('below'), 'dist'));
  t.equal(await linked('below'), join(server('below'), 'node_modules/@platen/core'));
  await linkPeers({ path: join(dir, 'plugins') }, join(server('below'), 'dist'));
  t.equal(await linked('plugins'), await linked('below'));
  // After an update that moved it.
  await rm(join(dir, 'plugins/node_modules/@platen/core'));
  await symlink(join(dir, 'gone'), join(dir, 'plugins/node_modules/@platen/core'));
  await linkPeers({ path: join(dir, 'plugins') }, join(server('beside'), 'dist'));
  t.equal(await linked('plugins'), join(dir, 'beside/node_modules/@platen/core'));
});

t.test('add: with nobody to run its code, it does not run, and the service is to check it', async t => {
  const ran = join(root, 'ran');
  const file = await packed('unrun', `(process.getBuiltinModule('fs').writeFileSync('${ran}', ''), ${plugin(1)})`);
  t.match(await platenAs('none', newFolder(), 'add', file), { code: 0, out: /Added unrun/, err: /did not run here/ });
  await t.rejects(realpath(ran), { code: 'ENOENT' });
});

t.test("add: root's plugins run with nobody's rights, also where the service has an account", async t => {
  const tools = fakeTools({
    'getent passwd': 'platen:x:995:994::/var/lib/platen:/bin/sh',
    'id -u': '4294967294',
    'id -g': '65534',
  });
  t.same(await checkAccount({}, { tools, platform: 'linux', isRoot: true }), { uid: -2, gid: 65_534 });
  t.equal(await checkAccount({}, { tools: fakeTools({ id: 1 }), platform: 'linux', isRoot: true }), 'none');
  t.equal(await checkAccount({}, { platform: 'linux', isRoot: false, tools: fakeTools() }), 'own');
  const windows = (said: string | number) =>
    checkAccount({}, { platform: 'win32', tools: fakeTools({ 'C:\\Windows\\System32\\whoami.exe': said }) });
  t.equal(await windows('"Mandatory Label","Label","S-1-16-12288",""'), 'none');
  t.equal(await windows('"Mandatory Label","Label","S-1-16-8192",""'), 'own');
  t.equal(await windows(1), 'none', 'Windows does not say');
});

t.test('add: a premium plugin that the configuration lists with a licence, tried out with it', async t => {
  const vendor = createVendor();
  const premium = JSON.stringify({ publicKey: vendor.publicKey });
  const file = await packed('@acme/reader', `{ name: '@acme/reader', api: 1, premium: ${premium}, setup: () => ({}) }`);
  t.teardown(() => writeFile(config, '{ "plugins": [] }'));
  const folder = newFolder();
  await mkdir(join(root, 'data'), { recursive: true });
  await writeFile(join(root, 'data/acme.licence'), await vendor.licence());
  await writeFile(config, JSON.stringify({ plugins: [{ use: '@acme/reader', licence: 'acme.licence' }] }));
  const { code, out } = await platen(folder, 'add', file);
  t.equal(code, 0);
  t.match(out, /Added @acme\/reader.*\n.* lists it/);
  t.notMatch(out, /not licensed/);
  await writeFile(config, JSON.stringify({ plugins: [{ use: '@acme/reader', licence: 'gone.licence' }] }));
  t.match((await platen(folder, 'add', file)).out, /not licensed .*gone\.licence does not exist/);
});

t.test('an unknown command of a group: one line with those that exist', async t => {
  await t.rejects(platen(newFolder(), 'frobnicate'), { code: 'usage', message: /^[^\n]*platen plugins remove[^\n]*$/ });
  const io = { out: () => undefined, err: () => t.fail('the help'), env: process.env, cwd: root };
  for (const group of [cert, configGroup, licenceGroup, origins, service])
    await t.rejects(group(['frobnicate'], io), { code: 'usage', message: /^[^\n]*"frobnicate"[^\n]*$/ });
});

const nobody = isRoot() ? await checkAccount(process.env) : 'own';
/** As in a clone in root's home. */
const canRead =
  typeof nobody === 'object' &&
  (await run(process.execPath, ['--version'], { ...nobody, cwd: new URL('.', import.meta.url) }).then(
    () => true,
    () => false,
  ));
const isContained =
  canRead && typeof nobody === 'object' && (await containedAs(nobody, systemTools(process.env))) !== undefined;
t.test(
  "add: root's plugin has none of root's rights, and nothing that it started survives it, not even in a session of its own",
  { skip: !canRead && "only root has others' rights" },
  async t => {
    await chmod(root, 0o755);
    const mark = `86399.${process.pid}`;
    const survivors = async (): Promise<string[]> => {
      const all = (await readdir('/proc')).filter(each => /^\d+$/.test(each));
      const lines = await Promise.all(all.map(pid => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
      return all.filter((_, at) => lines[at]!.includes(mark));
    };
    const started = `process.getBuiltinModule('child_process').spawn('sleep', ['${mark}'], { detached: true })`;
    const facts =
      'JSON.stringify([process.getuid(), process.getgid(), process.getgroups(), process.env.SECRET ?? null])';
    const file = await packed('tells', `(() => { throw new Error(${facts} + ' started ' + ${started}.pid) })()`);
    const secret = await addKit(t, { SECRET: 'x' });
    await chmod(secret.root, 0o755);
    t.teardown(async () => {
      for (const pid of await survivors()) process.kill(Number(pid), 'SIGKILL');
    });
    const { code, err } = await secret.platenAs(nobody, secret.newFolder(), 'add', file);
    t.equal(code, 1);
    const { uid, gid } = nobody as { uid: number; gid: number };
    t.match(err, `[${uid},${gid},[${gid}],null] started `);
    t.match(err, /started \d+/);
    await t.test('survivors', { skip: !isContained && 'only root has namespaces of processes' }, async t =>
      t.same(await survivors(), []),
    );
  },
);
