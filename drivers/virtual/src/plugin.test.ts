/** The package as the service loads it. */
import { nullLog } from '@platen/core/plugin';
import t from 'tap';
import plugin from './plugin.js';
import { never } from './rig.test.kit.js';

t.test('setup: unusable tray, the other scanners are set up', async t => {
  const said: string[] = [];
  const scanners = [
    { name: 'A', tray: 'missing' },
    { name: 'B', flatbed: true, feeder: false, model: 'Glass' },
  ];
  const dataDir = t.testdir();
  const { drivers = [] } = await plugin.setup({
    options: { scanners },
    dataDir,
    log: { ...nullLog, warn: words => void said.push(words) },
  });
  t.equal(said.length, 1);
  const devices: unknown[] = [];
  for (const driver of drivers) for await (const device of driver.devices({ signal: never() })) devices.push(device);
  t.match(devices, [
    { id: 'A', name: 'A', online: false, feeder: true, feeding: 'perSheet' },
    { id: 'B', name: 'B', online: true, feeder: false, flatbed: true, manufacturer: 'Platen', model: 'Glass' },
  ]);
  t.equal(said.length, 1, 'and is warned of once');
});

t.test('setup: contradicting options, an error', async t => {
  const scanners = [{ name: 'A', feeder: false }];
  await t.rejects(async () => plugin.setup({ options: { scanners }, dataDir: '/', log: nullLog }), /"A" has neither/);
});
