import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nullLog } from '@platen/core/plugin';
import { Ajv } from 'ajv';
import t, { type Test } from 'tap';
import plugin from './plugin.js';

async function folder(t: Test): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'pl-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

t.test('options: only the channel', async t => {
  const check = new Ajv({ strict: true, useDefaults: true }).compile(plugin.optionsSchema ?? {});
  const bare = {};
  t.ok(check(bare));
  t.same(bare, { channel: 'platen' });
  t.ok(check({ channel: 'desk-2' }));
  for (const bad of [
    { channel: '' },
    { channel: 'Platen' },
    { channel: '../x' },
    { channel: 'a'.repeat(33) },
    { channel: 1 },
    { name: 'x' },
  ])
    t.notOk(check(bad), JSON.stringify(bad));
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  t.match(readme, /\| `channel` \| `platen` \|/, 'as in the README');
});

t.test('setup: no secret, one is created', async t => {
  const dataDir = await folder(t);
  const { drivers = [] } = await plugin.setup({ options: { channel: 'platen' }, log: nullLog, dataDir });
  t.teardown(() => drivers[0]?.close());
  t.same(await readdir(dataDir), ['channel.secret']);
  t.match(drivers, [{ id: 'desktop', link: { peer: undefined } }]);
});

t.test('setup: an unusable secret, the driver is registered and answers not-connected', async t => {
  const dataDir = await folder(t);
  await writeFile(join(dataDir, 'channel.secret'), 'hello');
  const { drivers = [] } = await plugin.setup({ options: { channel: 'platen' }, log: nullLog, dataDir });
  t.teardown(() => drivers[0]?.close());
  t.equal(drivers[0]?.link?.peer, undefined);
});
