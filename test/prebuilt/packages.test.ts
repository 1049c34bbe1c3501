/** The prebuilt packages' folders: each is complete, belongs to one driver, and is not a workspace. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { build, helpers } from './prebuilt.test.kit.js';

const all = helpers.prebuiltPackages();

t.test('packages: one for each system of the drivers with a helper', async t => {
  const keys = Object.fromEntries(all.map(({ short, keys: platforms }) => [short, [...platforms]]));
  t.match(keys, {
    'driver-sane-linux-x64': ['linux-x64'],
    'driver-sane-linux-arm64': ['linux-arm64'],
    'driver-twain-windows-win32-x64': ['win32-x64'],
    'driver-ica-macos-darwin': ['darwin-x64', 'darwin-arm64'],
  });
  for (const { folder, short, manifest } of all) {
    t.ok(existsSync(join(folder, 'README.md')), `${short} has a README`);
    // The release sets it: lerna does not know these packages.
    t.equal(manifest.version, undefined, `${short} has no version of its own`);
    // mingw links its run-time libraries into every program.
    t.equal(existsSync(join(folder, 'NOTICES.md')), short.includes('win32'), `${short}: notices`);
    t.same(manifest.files, existsSync(join(folder, 'NOTICES.md')) ? ['bin', 'NOTICES.md'] : ['bin'], short);
  }
});

t.test('helpers: what this computer cannot build is skipped with a sentence', async t => {
  const said = await build(t.testdir({}), ['driver-ica-macos-darwin']);
  if (process.platform === 'darwin') t.match(said, /^driver-ica-macos-darwin: /m);
  else t.equal(said, 'driver-ica-macos-darwin was not built: a program for macOS is built on a Mac.\n');
});

t.test('helpers: an unknown name, the names that there are', async t => {
  await t.rejects(build(t.testdir({}), ['driver-nothing']), /ended with 1: .*"driver-nothing".*driver-sane-linux-x64/);
});
