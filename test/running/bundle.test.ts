/** The service from its bundle: a vendor's plugin outside the clone meets the core that the server has. */
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { platen } from '../topology/platen.js';
import { bundleFlags } from '../topology/serviceBundle.js';

const core = fileURLToPath(new URL('.', import.meta.resolve('@platen/core/package.json')));

/** Warns of where its core is, and where the loader that calls it is. */
const plugin = `
import { definePlugin, ScanError } from '@platen/core/plugin';
import * as whole from '@platen/core';
export default definePlugin({
  name: 'Acme',
  api: 1,
  setup({ log }) {
    const [, folder] = /(?:core|server)[/\\\\](bundle|dist)[/\\\\]/.exec(new Error().stack) ?? [];
    log.warn('loader in ' + folder);
    log.warn('core in ' + import.meta.resolve('@platen/core/plugin').split('/').at(-2));
    log.warn('one core: ' + (ScanError === whole.ScanError));
    return {};
  },
});
`;

t.test("bundle: a vendor's plugin has the server's core, from the bundle and as published", async t => {
  const own = await realpath(await mkdtemp(join(tmpdir(), 'platen-bundle-')));
  t.teardown(() => rm(own, { recursive: true, force: true }));
  const [modules, config] = [join(own, 'node_modules'), join(own, 'platen.json')];
  await mkdir(join(modules, '@platen'), { recursive: true, mode: 0o700 });
  await symlink(core, join(modules, '@platen', 'core'), 'junction');
  await mkdir(join(modules, 'acme'));
  await writeFile(
    join(modules, 'acme', 'package.json'),
    '{ "name": "acme", "type": "module", "exports": "./acme.js" }',
  );
  await writeFile(join(modules, 'acme', 'acme.js'), plugin);
  await writeFile(config, JSON.stringify({ plugins: [{ use: 'acme' }] }), { mode: 0o600 });

  t.ok(bundleFlags().length > 0, 'there is a bundle of what is compiled now: npm run build makes it');
  for (const [asPublished, folder] of [
    [false, 'bundle'],
    [true, 'dist'],
  ] as const) {
    const { log } = await platen(['config', 'check', config], { env: { PLATEN_DATA_DIR: own }, asPublished }).ended;
    t.match(log, `loader in ${folder}`);
    t.match(log, `core in ${folder}`);
    t.match(log, 'one core: true');
  }
});
