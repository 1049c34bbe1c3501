/** The test device feeds, refuses and scans as eSCL specifies. */
import t, { type Test } from 'tap';
import { request } from 'node:https';
import { once } from 'node:events';
import { request as plainRequest, type IncomingMessage } from 'node:http';
import sharp from 'sharp';
import { begin, next, pageOf, post, says, type Wishes } from './client.test.kit.js';
import { startDevice, type Device } from './device.js';
import type { DeviceOptions } from './options.js';
import { readMark } from './pictures.js';
import { selfSigned } from './selfSigned.js';

async function started(t: Test, options?: DeviceOptions): Promise<Device> {
  const device = await startDevice(options);
  t.teardown(() => device.close());
  return device;
}

t.test('device: a sheet is fed when its document is requested', async t => {
  const device = await started(t);
  device.load(3);
  const job = await begin(device);
  t.equal(device.remaining(), 3, 'a job alone feeds nothing');
  t.same(await readMark(await pageOf(job)), { sheet: 1, side: 'front' });
  t.equal(device.remaining(), 2);
  t.same(await says(device, 'AdfState'), ['ScannerAdfProcessing']);
  t.same(await readMark(await pageOf(job)), { sheet: 2, side: 'front' });
  t.same(await readMark(await pageOf(job)), { sheet: 3, side: 'front' });
  t.same(await says(device, 'AdfState'), ['ScannerAdfEmpty']);
  t.same(await says(device, 'JobState'), ['Completed']);
  t.equal((await next(job)).status, 404);
});

t.test('device: duplex, both sides in one feed', async t => {
  const device = await started(t);
  device.load(2);
  const job = await begin(device, { duplex: true });
  const seen = [];
  for (const left of [1, 1, 0, 0]) {
    seen.push(await readMark(await pageOf(job)));
    t.equal(device.remaining(), left);
  }
  t.same(
    seen,
    [1, 2].flatMap(sheet => [
      { sheet, side: 'front' },
      { sheet, side: 'back' },
    ]),
  );
  t.equal((await next(job)).status, 404);
});

t.test('device: ahead, sheets fed before they are requested', async t => {
  const device = await started(t, { ahead: 2 });
  device.load(5);
  const job = await begin(device);
  t.equal(device.remaining(), 3, 'with the job');
  t.same(await readMark(await pageOf(job)), { sheet: 1, side: 'front' });
  t.equal(device.remaining(), 2);
  await fetch(job, { method: 'DELETE' });
  t.same(await readMark(await pageOf(await begin(device))), { sheet: 4, side: 'front' }, 'two sheets are lost');
});

t.test('device: flatbed, one page', async t => {
  const device = await started(t);
  const job = await begin(device, { source: 'Platen', colorMode: 'Grayscale8' });
  t.same(await readMark(await pageOf(job)), { sheet: 0, side: 'flatbed' });
  t.equal((await next(job)).status, 404);
});

t.test('device: pages match their ScanSettings', async t => {
  const device = await started(t);
  const region = { x: 300, y: 600, width: 600, height: 900 };
  for (const [colorMode, channels] of [
    ['RGB24', 3],
    ['Grayscale8', 1],
    ['BlackAndWhite1', 1],
  ] as const) {
    const page = await pageOf(await begin(device, { source: 'Platen', colorMode, resolution: 150, region }));
    t.match(
      await sharp(page).metadata(),
      { format: 'jpeg', width: 300, height: 450, density: 150, channels },
      colorMode,
    );
  }
});

t.test('device: pictures have their own size on the paper', async t => {
  const device = await started(t);
  const half = await sharp({ create: { width: 425, height: 550, channels: 3, background: '#c00' } })
    .withDensity(100)
    .png()
    .toBuffer();
  await device.insert([{ front: half }]);
  await device.lay(half);
  for (const source of ['Feeder', 'Platen'] as const) {
    const page = await pageOf(await begin(device, { source, resolution: 100, region: { width: 2550, height: 3300 } }));
    const { data, info } = await sharp(page).raw().toBuffer({ resolveWithObject: true });
    t.match(info, { width: 850, height: 1100 });
    const red = (x: number, y: number) => (data[(y * 850 + x) * 3 + 1] ?? 0) < 60;
    t.same([red(10, 10), red(410, 530), red(440, 10), red(10, 570)], [true, true, false, false], source);
  }
});

t.test('device: unsupported settings, 409', async t => {
  const device = await started(t, { feeder: 'simplex', resolutions: [150, 300], colorModes: ['RGB24'] });
  device.load(1);
  const fine = { resolution: 150 };
  const refused: readonly Wishes[] = [
    { resolution: 75 },
    { ...fine, duplex: true },
    { ...fine, colorMode: 'Grayscale8' },
    { ...fine, format: 'application/pdf' },
    { ...fine, region: { width: 2551 } },
    { ...fine, region: { x: 2000 } },
    { ...fine, region: { height: 0 } },
  ];
  for (const wishes of refused) t.equal((await post(device, wishes)).status, 409, JSON.stringify(wishes));
  t.equal((await post(device, {}, { body: 'no settings' })).status, 400);
  t.equal((await post(device, fine)).status, 201);
  const lines = await started(t, { refusesLines: true });
  t.equal((await post(lines, { source: 'Platen', colorMode: 'BlackAndWhite1' })).status, 409);
});

t.test('device: one job at a time, a deleted one is gone', async t => {
  const device = await started(t);
  device.load(2);
  const job = await begin(device);
  t.equal((await post(device)).status, 503);
  t.equal((await fetch(job, { method: 'DELETE' })).status, 200);
  t.equal((await next(job)).status, 410);
  t.same(await says(device, 'JobState'), ['Canceled']);
  t.equal(device.remaining(), 2);
  await begin(device);
  t.equal((await fetch(`${device.url}/ScanJobs/none`, { method: 'DELETE' })).status, 404);
});

t.test('device: empty feeder, refused at once or at its first page', async t => {
  t.equal((await post(await started(t))).status, 409);
  const job = await begin(await started(t, { emptyFeeder: 'accepts' }));
  t.equal((await next(job)).status, 404);
});

t.test('device: other Host header, 400', async t => {
  for (const [host, port] of [
    ['localhost', 'localhost'],
    ['port', '127.0.0.1:'],
  ] as const) {
    const device = await started(t, { host });
    const codeFor = async (header: string): Promise<number | undefined> => {
      const asked = plainRequest(`${device.url}/ScannerStatus`, { headers: { Host: header } });
      asked.end();
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      response.resume();
      return response.statusCode;
    };
    t.same(
      [await codeFor('127.0.0.1'), await codeFor(host === 'port' ? `${port}${device.port}` : port)],
      [400, 200],
      host,
    );
  }
});

t.test('device: TLS with a self-signed certificate', async t => {
  const tls = selfSigned();
  const device = await started(t, { tls });
  const asked = request(`${device.url}/ScannerStatus`, { ca: tls.cert, checkServerIdentity: () => undefined });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  t.equal(response.statusCode, 200);
  await t.rejects(fetch(`${device.url}/ScannerStatus`), 'no other client trusts it');
});

t.test('device: unplug and plug', async t => {
  const device = await started(t);
  await says(device, 'State');
  device.unplug();
  await t.rejects(says(device, 'State'));
  await device.plug();
  t.same(await says(device, 'State'), ['Idle']);
});

t.test('device: job deleted while a page is held, the page is not sent', async t => {
  const device = await started(t, { sideMs: 1 });
  device.load(1);
  const job = await begin(device);
  device.hold();
  const page = next(job);
  while (device.remaining() > 0) await says(device, 'State');
  await fetch(job, { method: 'DELETE' });
  device.release();
  t.equal((await page).status, 410);
});

t.test('device: hold, the page is sent after release', async t => {
  const device = await started(t);
  device.load(1);
  const job = await begin(device);
  device.hold();
  let came = false;
  const page = pageOf(job).finally(() => (came = true));
  await says(device, 'State');
  while (device.remaining() > 0) await says(device, 'State');
  t.equal(came, false);
  device.release();
  t.same(await readMark(await page), { sheet: 1, side: 'front' });
});
