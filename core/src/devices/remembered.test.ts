/** Scanners remembered from the previous run of the service. */
import t from 'tap';
import { FIRST_WAIT_MS, type DeviceMemory } from './devices.js';
import { device, fixedDriver, gates, setUp, silentDriver, steppedDriver } from './devices.test.kit.js';
import { FRESH_MS, SLOW_MS } from './listing.js';

t.test(
  'remembered: scanners of the last run, listed as they were and marked until their driver finds them',
  async t => {
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
    await clock.advance(FIRST_WAIT_MS);
    t.match(await early, [
      { name: '1', remembered: true, device: { online: true } },
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
  },
);

t.test('remembered: its driver looks without success, offline until it is found', async t => {
  let isBroken = true;
  const driver = steppedDriver('a', async function* () {
    if (isBroken) throw new Error('the bus is gone');
    yield device('1');
  });
  const { clock, devices } = setUp([driver], { remembered: new Map([['a', [device('1')]]]), keep: () => undefined });
  t.match(await devices.list(), [{ name: '1', remembered: true, device: { online: false } }]);
  isBroken = false;
  await clock.advance(FRESH_MS);
  const [found] = await devices.list();
  t.match(found, { name: '1', device: { online: true } });
  t.equal(found?.remembered, undefined);
});

t.test('remembered: another driver has found it, that one has it', async t => {
  const silent = silentDriver('first');
  const hall = { ...device('1', 'Hall'), identities: ['net:5/Hall'] };
  const { clock, devices } = setUp([silent, fixedDriver('later', () => [{ ...hall, id: '2' }])], {
    remembered: new Map([['first', [hall]]]),
    keep: () => undefined,
  });
  const listing = devices.list();
  await clock.advance(FIRST_WAIT_MS);
  const [entry, ...others] = await listing;
  t.match({ entry, others }, { entry: { name: 'Hall', device: { id: '2' } }, others: [] });
  t.equal(entry?.remembered, undefined);
});

t.test('remembered: its driver is silent, the scanner is still found and opening it decides', async t => {
  const silent = silentDriver('a');
  const { clock, devices } = setUp([silent], { remembered: new Map([['a', [device('1')]]]), keep: () => undefined });
  const finding = devices.find('1');
  await clock.advance(SLOW_MS);
  t.match(await finding, { name: '1', remembered: true });
});
