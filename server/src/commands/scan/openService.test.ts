/** What a command scans through, by who has the data folder. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeClock } from '@platen/conformance';
import { nullLog } from '@platen/core';
import t, { type Test } from 'tap';
import { prepareDataFolder } from '../../machine/dataFolder/dataFolder.js';
import { lockDataFolder } from '../../machine/dataFolder/lock.js';
import type { Use } from '../../machine/dataFolder/lockHolder.js';
import { openService } from './openService.js';

async function installation(t: Test) {
  const own = await mkdtemp(join(tmpdir(), 'platen-open-'));
  t.teardown(() => rm(own, { recursive: true, force: true }));
  const [dataDir, configFile] = [join(own, 'data'), join(own, 'platen.json')];
  await mkdir(dataDir, { mode: 0o700 });
  await prepareDataFolder(dataDir);
  await writeFile(configFile, '{ "plugins": [], "listen": { "port": 0 } }', { mode: 0o600 });
  const clock = fakeClock();
  let stop = (_: Error): void => undefined;
  const stopped = new Promise<never>((_, reject) => (stop = reject));
  stopped.catch(() => undefined);
  const settings = { configFile, dataDir, pluginsDir: undefined, port: undefined };
  return {
    dataDir,
    configFile,
    stop: () => stop(new Error('stopped')),
    open: (isConfigGiven = false) => openService({ settings, isConfigGiven, clock, stopped, logFor: () => nullLog }),
    /** The same, while time passes. */
    async openInTime() {
      let over = false;
      const opening = this.open().finally(() => (over = true));
      opening.catch(() => undefined);
      while (!over) {
        await clock.advance(100);
        await new Promise(resolve => setImmediate(resolve));
      }
      return opening;
    },
  };
}

t.test('service of a command: nobody has the data folder, scans in this process, which then has it', async t => {
  const { open, dataDir } = await installation(t);
  const service = await open(true);
  await service.looked();
  t.same(await service.client.listScanners(), []);
  await t.rejects(open(), { code: 'data-folder-in-use', message: /another scan/ }, 'a scan is not waited for');
  await service.close();
  await (
    await lockDataFolder(dataDir)
  )();
});

t.test('service of a command: a service that does not listen is waited for, then it is an error', async t => {
  for (const use of [undefined, { use: 'service', host: 'localhost', port: 0, config: '/x' }] as (Use | undefined)[]) {
    const { openInTime, dataDir } = await installation(t).then(each => ({
      ...each,
      openInTime: () => each.openInTime(),
    }));
    t.teardown(await lockDataFolder(dataDir, () => use));
    await t.rejects(openInTime(), { code: 'data-folder-in-use' }, use ? 'it starts' : 'it does not answer');
  }
});

t.test('service of a command: a service that ends meanwhile, scans in this process', async t => {
  const given = await installation(t);
  const release = await lockDataFolder(given.dataDir, () => ({ use: 'service', host: 'x', port: 0, config: '/x' }));
  const opening = given.openInTime();
  await release();
  await (await opening).close();
});

t.test('service of a command: stopped while it waits', async t => {
  const { open, stop, dataDir } = await installation(t);
  t.teardown(await lockDataFolder(dataDir, () => ({ use: 'service', host: 'x', port: 0, config: '/x' })));
  const opening = open();
  stop();
  await t.rejects(opening, { message: 'stopped' });
});

t.test(
  "service of a command: --config that is not the service's is wrong usage; no certificate is the certificate's fault",
  async t => {
    const { open, dataDir, configFile } = await installation(t);
    let config = '/other.json';
    t.teardown(await lockDataFolder(dataDir, () => ({ use: 'service', host: 'localhost', port: 1, config })));
    await t.rejects(open(true), { code: 'usage', message: /--config .*\/other\.json/ });
    config = configFile;
    await t.rejects(open(true), { code: 'certificate', fault: 'missing' });
  },
);
