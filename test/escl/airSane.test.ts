/**
 * Devices that answer like AirSane, which serves SANE scanners: HTTP 409 ends a stack, and the paper sensor is a guess.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { startDevice } from '@platen/driver-escl/testing';
import t from 'tap';
import { esclTopology } from '../topology/esclTopology.js';
import { start } from '../spec/specTest.js';

const parameters = { resolution: 75, colorMode: 'Color', imageFormat: 'Jpeg', pageSize: 'A6' };

interface Result {
  readonly success: boolean;
  readonly status?: string;
  readonly imageCount?: number;
}

const started = {
  loaded: await startDevice({ model: 'Loaded', airSane: 'loaded', flatbed: false }),
  empty: await startDevice({ model: 'Empty', airSane: 'empty', flatbed: false }),
  both: await startDevice({ model: 'Both', airSane: 'loaded' }),
  failing: await startDevice({ model: 'Failing', airSane: 'loaded', flatbed: false }),
  stacks: await startDevice({ model: 'Stacks', airSane: 'loaded', flatbed: false }),
};
const devices = Object.values(started);
t.teardown(() => Promise.all(devices.map(each => each.close())));
/** One service for all. */
const fixture = await start(t, esclTopology, {
  config: {
    plugins: [
      { use: '@platen/driver-escl', options: { devices: devices.map(({ url }) => url), discovery: false } },
      { use: '@platen/format-jpeg' },
    ],
  },
});

const scan = async (scannerName: string, more: object = {}): Promise<Result> =>
  (
    await fixture.request('POST', '/api/twain/scan', {
      body: { scannerName, parameters: { ...parameters, ...more } },
    })
  ).json as Result;

for (const [sensor, name] of [
  ['loaded', 'Loaded'],
  ['empty', 'Empty'],
] as const)
  t.test(`AirSane: feeder, ${sensor}, scans the whole stack; an empty feeder is NoPaper`, async t => {
    const device = started[sensor];
    t.match(await scan(name), { success: false, status: 'NoPaper' });
    device.load(3);
    t.match(await scan(name), { success: true, status: 'Success', imageCount: 3 });
    device.load(2);
    t.match(await scan(name, { duplexMode: 'DuplexLongEdge' }), { success: true, imageCount: 4 });
  });

t.test('AirSane: feeder is found empty, scans from the flatbed', async t => {
  const device = started.both;
  t.match(await scan('Both'), { success: true, imageCount: 1 });
  t.equal(device.fed, 0);
  device.load(2);
  t.match(await scan('Both'), { success: true, imageCount: 2 });
  t.equal(device.fed, 2);
});

t.test('AirSane: a failed sheet, fails the scan', async t => {
  const device = started.failing;
  device.load(3);
  device.fault(2, 'abortedEarly');
  t.match(await scan('Failing'), { success: false, status: 'DriverFailed', imageCount: 1 });
});

t.test('AirSane: auto-scan, scans one stack after the other', async t => {
  const device = started.stacks;
  device.load(2);
  const body = { scannerName: 'Stacks', parameters };
  t.match(await fixture.request('POST', '/api/twain/autoscan/enable', { body }), { status: 200 });
  const stream = await fixture.events();
  t.teardown(() => stream.hangUp());
  await stream.come(2);
  // The sensor reports paper in the empty feeder: auto-scan tries it at intervals.
  const jobs = () => device.requests.filter(({ method }) => method === 'POST').length;
  while (jobs() < 2) await pause(50);
  device.load(1);
  t.equal((await stream.come(3)).length, 3, 'the next stack is scanned too');
  t.notMatch(fixture.log(), /Auto-scan on .* is off/);
});
