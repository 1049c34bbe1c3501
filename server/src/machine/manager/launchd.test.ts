/** Platen as an agent of launchd: the calls of launchctl, and the property list. No Mac runs here. */
import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { fakeTools } from '../tls/trust/fakes.test.kit.js';
import { launchdManager, type LaunchdPlace } from './launchd.js';

const server = fileURLToPath(new URL('../../../', import.meta.url));

function mac(test: Test, answers: Parameters<typeof fakeTools>[0] = {}, more: Partial<LaunchdPlace> = {}) {
  const home = test.testdir({ data: { file: '' }, Library: { LaunchAgents: {} } });
  const tools = fakeTools(answers);
  const certs: string[] = [];
  const said: string[] = [];
  const place: LaunchdPlace = {
    tools,
    isRoot: false,
    uid: 501,
    home,
    dataDir: join(home, 'data'),
    node: '/opt/a & b/node',
    program: '/opt/platen.cjs',
    shippedConfig: '/opt/platen.json',
    schema: '/opt/schema.json',
    templates: join(server, 'service'),
    pluginsDir: '/opt',
    cert: async verb => (certs.push(verb), 0),
    say: line => said.push(line),
    warn: line => said.push(line),
    ...more,
  };
  const packaged = join(home, 'packaged.plist');
  const agent = join(home, 'Library/LaunchAgents/org.platen.plist');
  return { manager: launchdManager(place, packaged), calls: tools.calls, certs, said, home, packaged, agent };
}

t.test('launchd: installed, status, removed with its data', async t => {
  const { manager, calls, certs, agent, home } = mac(t, { 'launchctl print': ' \tstate = running\n' });
  t.match(await manager.status(), { state: 'absent' });
  await manager.install();
  t.same(calls, [
    'launchctl print gui/501/org.platen',
    'launchctl bootout gui/501/org.platen',
    `launchctl bootstrap gui/501 ${agent}`,
  ]);
  const plist = await readFile(agent, 'utf8');
  t.match(plist, '<string>/opt/a &amp; b/node</string>');
  t.match(plist, `<string>${home}/Library/Logs/platen.log</string>`);
  t.notMatch(plist, /@\w+@|between @/);
  t.match(await manager.status(), { state: 'running', isEnabled: true });
  await manager.remove({ data: true });
  t.same(certs, ['install', 'remove']);
  for (const gone of [agent, join(home, 'data')]) await t.rejects(access(gone), { code: 'ENOENT' });
});

t.test('launchd: web pages must ask, in a configuration of the person; one that is there stays', async t => {
  const answers = { 'launchctl print': ' \tstate = running\n' };
  const shippedConfig = join(server, 'config/platen.json');
  const { manager, agent, home, said } = mac(t, answers, { shippedConfig, origins: 'ask' });
  const own = join(home, 'data', 'platen.json');
  await manager.install();
  t.match(await readFile(agent, 'utf8'), `<string>${own}</string>`);
  const text = await readFile(own, 'utf8');
  t.match(JSON.parse(text), { $schema: '/opt/schema.json', security: { origins: 'ask' }, extends: 'shipped' });
  t.match(await manager.status(), { configFile: own });
  await manager.install();
  t.equal(await readFile(own, 'utf8'), text);
  t.match(said.join('\n'), /Kept the configuration/);
});

t.test('launchd: stopped, root, the agent of the installer package', async t => {
  const stopped = mac(t, { 'launchctl print': '\tstate = waiting\n\tlast exit code = 5\n' });
  await writeFile(stopped.agent, '');
  t.match(await stopped.manager.status(), { state: 'stopped', result: 'last exit code 5' });
  await stopped.manager.remove({ data: false });
  await access(join(stopped.home, 'data'));
  await t.rejects(mac(t, {}, { isRoot: true }).manager.install(), { message: /without sudo/ });
  const { manager, packaged, calls } = mac(t, { 'launchctl print': 113 });
  await writeFile(packaged, '');
  await t.rejects(manager.install(), { message: /installer package/ });
  t.same(calls, []);
  t.match(await manager.status(), { state: 'stopped', isEnabled: false });
});
