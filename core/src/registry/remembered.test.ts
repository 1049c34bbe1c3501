/** Scanners remembered from the previous run of the service. */
import t from 'tap';
import { LIST_WAIT_MS, type DeviceMemory } from './devices.js';
import { device, gates, setUp, silentDriver, steppedDriver } from './devices.test.kit.js';
import { FRESH_MS, SLOW_MS } from './listing.js';

t.test('remembered: scanners of the last run, listed as offline and marked until their driver finds them', async t => {
  const gate = gates();
  let there = ['1', '3'];
  const driver = steppedDriver('a', async function* () {
    await gate.pass();
    for (const id of there) yield device(id);
  });
  const kept: string[][] = [];
  const memory: DeviceMemory = {
    remembered: new Map([
      ['a', [device('1'), device('2')]],
      ['gone', [device('4')]],
    ]),
    keep: all => void kept.push([...all].flatMap(([id, list]) => list.map(each => `${id} ${each.id}`))),
  };
  const { clock, devices } = setUp([driver], memory);
  devices.start();
  const early = devices.list();
  await clock.advance(LIST_WAIT_MS);
  t.match(await early, [
    { name: '1', remembered: true, device: { online: false } },
    { name: '2', remembered: true },
  ]);
  const finding = devices.find('1');
  gate.open();
  await clock.advance(0);
  t.same((await finding).remembered, undefined, 'a remembered scanner is awaited');
  t.match(devices.known(), [{ name: '1', device: { online: true } }, { name: '3' }]);
  await t.rejects(devices.find('2'), { code: 'device-not-found' });
  t.same(kept.at(-1), ['a 1', 'a 3']);
  there = ['1', '3'];
  const before = kept.length;
  await clock.advance(FRESH_MS);
  const listing = devices.list();
  await clock.advance(0);
  gate.open();
  await listing;
  t.equal(kept.length, before, 'unchanged scanners are not written again');
});

t.test('remembered: its driver is silent, the scanner is still found and opening it decides', async t => {
  const silent = silentDriver('a');
  const { clock, devices } = setUp([silent], { remembered: new Map([['a', [device('1')]]]), keep: () => undefined });
  const finding = devices.find('1');
  await clock.advance(SLOW_MS);
  t.match(await finding, { name: '1', remembered: true });
});
