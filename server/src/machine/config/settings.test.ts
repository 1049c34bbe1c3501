import { join, resolve } from 'node:path';
import t from 'tap';
import { defaultDataFolder } from '../dataFolder/dataFolder.js';
import { ownService } from '../linuxService.js';
import { isRoot } from '../platform.js';
import { resolveSettings } from './settings.js';

t.test('settings: an invalid port, the error names the flag or variable', async t => {
  for (const port of ['abc', '70000', '-1', '1e3', '0x50', ' 80', '80.0']) {
    t.throws(() => resolveSettings({ env: { PLATEN_PORT: port } }), {
      code: 'configuration',
      message: `PLATEN_PORT takes a port number from 0 to 65535 (0: a free port), not "${port}".`,
    });
    t.throws(() => resolveSettings({ flags: { port }, env: {} }), { code: 'usage', message: /^--port takes/ });
  }
  t.throws(() => resolveSettings({ flags: { port: '' }, env: {} }), { code: 'usage' });
  t.throws(() => resolveSettings({ flags: { config: '' }, env: {} }), { code: 'usage' });
});

t.test('settings: flags override variables', async t => {
  const env = { PLATEN_PORT: '1', PLATEN_CONFIG: 'b.json', PLATEN_DATA_DIR: 'data' };
  t.same(resolveSettings({ env, cwd: '/here' }), {
    configFile: resolve('/here/b.json'),
    dataDir: resolve('/here/data'),
    pluginsDir: undefined,
    port: 1,
  });
  t.same(resolveSettings({ flags: { port: '0', config: '/a.json' }, env, cwd: '/here' }), {
    configFile: resolve('/a.json'),
    dataDir: resolve('/here/data'),
    pluginsDir: undefined,
    port: 0,
  });
});

t.test("settings: without flags and variables, the installation's", async t => {
  const settings = resolveSettings({
    env: { PLATEN_PORT: '', PLATEN_CONFIG: '', PLATEN_DATA_DIR: '' },
    service: undefined,
  });
  t.equal(settings.port, undefined);
  t.match(settings.configFile, /server[\\/]config[\\/]platen\.json$/);
  t.equal(settings.dataDir, defaultDataFolder({}));
});

t.test('settings: the data folder of each operating system', async t => {
  t.equal(defaultDataFolder({ XDG_DATA_HOME: '/x' }, 'linux', '/home/a'), join('/x', 'platen'));
  t.equal(defaultDataFolder({ XDG_DATA_HOME: 'relative' }, 'linux', '/home/a'), join('/home/a/.local/share', 'platen'));
  t.equal(defaultDataFolder({}, 'darwin', '/Users/a'), join('/Users/a/Library/Application Support', 'Platen'));
  t.equal(defaultDataFolder({ LOCALAPPDATA: 'L' }, 'win32', 'H'), join('L', 'Platen'));
  t.equal(defaultDataFolder({}, 'win32', 'H'), join('H', 'AppData', 'Local', 'Platen'));
});

const skip = process.platform !== 'linux' && 'only Linux has a service of its own account';
t.test("settings: this computer's service, for its account and for root", { skip }, async t => {
  const root = t.testdir({ data: {}, 'platen.json': '{}' });
  const [dataDir, configFile] = [join(root, 'data'), join(root, 'platen.json')];
  const service = ownService(dataDir, configFile);
  t.same(service, { dataDir, configFile });
  t.match(resolveSettings({ env: {}, service }), { dataDir, configFile });
  t.match(resolveSettings({ env: { PLATEN_CONFIG: '/b.json' }, service }), { dataDir, configFile: '/b.json' });
  t.match(resolveSettings({ env: {}, configFile: '/host.json', service }), { dataDir, configFile: '/host.json' });
  const named = resolveSettings({ env: { PLATEN_DATA_DIR: '/mine' }, service });
  t.equal(named.dataDir, '/mine');
  t.match(named.configFile, /server[\\/]config[\\/]platen\.json$/, 'who names a data folder means another service');

  t.same(ownService(dataDir, join(root, 'none.json')), { dataDir, configFile: undefined });
  t.equal(ownService(join(root, 'none'), configFile), undefined, 'no service is installed');
  if (!isRoot()) t.equal(ownService('/root', configFile), undefined, 'another account');
});
