/**
 * Devices that answer like AirSane, which serves SANE scanners: HTTP 409 ends a stack, and the paper sensor is a guess.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { startDevice, type Device, type DeviceOptions } from '@platen/driver-escl/testing';
import t, { type Test } from 'tap';
import { esclTopology } from '../topology/esclTopology.js';
import type { Fixture } from '../topology/topology.js';

const parameters = { resolution: 75, colorMode: 'Color', imageFormat: 'Jpeg', pageSize: 'A6' };
const model = 'AirSane';

interface Result {
  readonly success: boolean;
  readonly status?: string;
  readonly imageCount?: number;
}

async function started(
  t: Test,
  options: DeviceOptions,
): Promise<{ device: Device; fixture: Fixture; scan(more?: object): Promise<Result> }> {
  const device = await startDevice({ model, airSane: 'loaded', ...options });
  const plugins = [
    { use: '@platen/driver-escl', options: { devices: [device.url], discovery: false } },
    { use: '@platen/format-jpeg' },
  ];
  const fixture = await esclTopology.start({ config: { plugins } });
  t.teardown(async () => {
    await fixture.stop();
    await device.close();
  });
  const scan = async (more = {}) =>
    (
      await fixture.request('POST', '/api/twain/scan', {
        body: { scannerName: model, parameters: { ...parameters, ...more } },
      })
    ).json as Result;
  return { device, fixture, scan };
}

// Auto-scan tries the feeder every 15 s.
t.setTimeout(120_000);

t.test('AirSane: feeder, scans the whole stack; an empty feeder is NoPaper', async t => {
  for (const airSane of ['loaded', 'empty'] as const) {
    const { device, scan } = await started(t, { airSane, flatbed: false });
    t.match(await scan(), { success: false, status: 'NoPaper' });
    device.load(3);
    t.match(await scan(), { success: true, status: 'Success', imageCount: 3 });
    device.load(2);
    t.match(await scan({ duplexMode: 'DuplexLongEdge' }), { success: true, imageCount: 4 });
  }
});

t.test('AirSane: feeder is found empty, scans from the flatbed', async t => {
  const { device, scan } = await started(t, {});
  t.match(await scan(), { success: true, imageCount: 1 });
  t.equal(device.fed, 0);
  device.load(2);
  t.match(await scan(), { success: true, imageCount: 2 });
  t.equal(device.fed, 2);
});

t.test('AirSane: a failed sheet, fails the scan', async t => {
  const { device, scan } = await started(t, { flatbed: false });
  device.load(3);
  device.fault(2, 'abortedEarly');
  t.match(await scan(), { success: false, status: 'DriverFailed', imageCount: 1 });
});

t.test('AirSane: auto-scan, scans one stack after the other', async t => {
  const { device, fixture } = await started(t, { flatbed: false });
  device.load(2);
  t.match(await fixture.request('POST', '/api/twain/autoscan/enable', { body: { scannerName: model, parameters } }), {
    status: 200,
  });
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
