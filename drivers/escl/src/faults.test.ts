/** What can go wrong at a device, and what Platen makes of it. */
import { codeOf, messageOf, type EncodedPage, type Page, type ScanOrder, type Session } from '@platen/core/plugin';
import t, { type Test } from 'tap';
import { rigOf, type Rig } from './rig.test.kit.js';
import type { Deadlines, EsclOptions } from './settings.js';
import type { Fault } from './testing/faults.js';
import type { DeviceOptions } from './testing/options.js';

const signal = new AbortController().signal;
const order: ScanOrder = { source: 'feeder', resolution: 75, colorMode: 'Grayscale', duplexMode: 'Simplex', pageSize: 'A6', adjustments: [], maxPixels: 50_000_000 };

async function opened(t: Test, build: DeviceOptions = {}, options: Partial<EsclOptions> = {}, deadlines: Partial<Deadlines> = {}): Promise<{ rig: Rig; session: Session }> {
  const rig = await rigOf(build, options, deadlines);
  t.teardown(() => rig.dispose?.());
  return { rig, session: await rig.driver.open(rig.deviceId, { signal }) };
}

async function scan(session: Session, wishes: Partial<ScanOrder> = {}): Promise<{ pages: Page[]; code: string | undefined; words: string }> {
  const pages: Page[] = [];
  try {
    for await (const page of session.scan({ ...order, ...wishes }, { signal, stop: signal })) pages.push(page);
    return { pages, code: undefined, words: '' };
  } catch (error) {
    return { pages, code: codeOf(error) ?? 'none', words: messageOf(error) };
  }
}

const ofPages: Readonly<Partial<Record<Fault, { code?: string; pages: number; words?: RegExp }>>> = {
  notReadyOnce: { pages: 3 },
  early404: { pages: 3 },
  slow: { pages: 3 },
  wrongType: { pages: 3 },
  jam: { pages: 1, code: 'paper-jam' },
  mispick: { pages: 1, code: 'paper-jam', words: /could not pick up/ },
  multipick: { pages: 1, code: 'double-feed' },
  hatch: { pages: 1, code: 'cover-open' },
  gone: { pages: 1, code: 'cancelled' },
  aborted: { pages: 1, code: 'driver-failed', words: /HTTP 500/ },
  neverReady: { pages: 1, code: 'timeout', words: /not ready/ },
  hang: { pages: 1, code: 'timeout', words: /nothing came/ },
  torn: { pages: 1, code: 'driver-failed', words: /aborted the scan .*AbortedBySystem/ },
  brokenOff: { pages: 1, code: 'driver-failed', words: /broke off .*Scan this page again/ },
  jamTorn: { pages: 1, code: 'paper-jam' },
  abortedEarly: { pages: 1, code: 'driver-failed', words: /aborted the scan \(HTTP 404, ResourcesAreNotReady\)/ },
  offline: { pages: 1, code: 'device-offline', words: /see that it is switched on/ },
  endless: { pages: 1, code: 'unsupported', words: /sends more than/ },
  notJpeg: { pages: 1, code: 'driver-failed', words: /neither JPEG/ },
  redirect: { pages: 1, code: 'driver-failed', words: /not followed/ },
  empty: { pages: 1 },
};

for (const [fault, { code, pages: count, words }] of Object.entries(ofPages)) {
  t.test(`${fault} at the second sheet`, async t => {
    const { rig, session } = await opened(t);
    rig.device.load(3);
    rig.device.fault(2, fault as Fault);
    const result = await scan(session, { maxPixels: 2_000_000 });
    t.equal(result.code, code, result.words);
    t.equal(result.pages.length, count);
    if (words) t.match(result.words, words);
    t.strictSame(rig.device.strayed, [], 'nobody else was asked anything');
    await rig.device.mend();
    rig.device.empty();
    rig.device.load(1);
    t.match(await scan(session), { code: undefined, pages: [{ sheet: 1 }] }, 'and then it scans again');
  });
}

const ofJobs: Readonly<Partial<Record<Fault, { code?: string; words?: RegExp }>>> = {
  busy: { code: 'busy', words: /HTTP 503/ },
  conflict: { code: 'unsupported', words: /HTTP 409/ },
  refused: { code: 'driver-failed', words: /HTTP 500/ },
  noLocation: { code: 'driver-failed', words: /where its pages are/ },
  redirectJobs: { code: 'driver-failed', words: /not followed/ },
  wrongLocation: {},
};

const ofDocuments: Readonly<Partial<Record<Fault, { code: string; words: RegExp }>>> = {
  entities: { code: 'driver-failed', words: /document type/ },
  hugeXml: { code: 'unsupported', words: /sends more than/ },
  notXml: { code: 'driver-failed', words: /document type/ },
  deaf: { code: 'timeout', words: /within 2 s/ },
  unavailable: { code: 'busy', words: /HTTP 503/ },
  redirectDocuments: { code: 'driver-failed', words: /answers 302/ },
};

for (const [fault, { code, words }] of Object.entries(ofJobs)) {
  t.test(fault, async t => {
    const { rig, session } = await opened(t);
    rig.device.load(1);
    rig.device.fault(1, fault as Fault);
    const result = await scan(session);
    t.equal(result.code, code, result.words);
    if (words) t.match(result.words, words);
    t.strictSame(rig.device.strayed, [], 'nobody else was asked anything');
  });
}

for (const [fault, { code, words }] of Object.entries(ofDocuments)) {
  t.test(`${fault}: the device cannot be opened, and one that is open scans all the same`, async t => {
    const { rig, session } = await opened(t);
    rig.device.load(2);
    rig.device.fault('always', fault as Fault);
    t.match(await scan(session), { code: undefined, pages: [{}, {}] });
    await session.close();
    await t.rejects(rig.driver.open(rig.deviceId, { signal }), { code, message: words });
    t.strictSame(rig.device.strayed, [], 'nobody else was asked anything');
  });
}

t.test('AirSane: 409 is the end of the stack, and no paper before it', async t => {
  for (const airSane of ['loaded', 'empty'] as const) {
    for (const duplexMode of ['Simplex', 'DuplexLongEdge'] as const) {
      const { rig, session } = await opened(t, { airSane, glass: false });
      const status = () => session.status({ signal });
      t.match(await scan(session, { duplexMode }), { code: 'no-paper', pages: [] });
      rig.device.load(2);
      t.match(await scan(session, { duplexMode }), { code: undefined, pages: { length: duplexMode === 'Simplex' ? 2 : 4 } }, 'idle, it says that there is paper or none: it is tried');
      t.match(await scan(session, { duplexMode }), { code: 'no-paper', pages: [] });
      t.match(await status(), { online: true, paper: airSane === 'loaded' ? 'unknown' : 'empty' }, 'a sensor that saw paper where there was none is not believed');
    }
  }
});

t.test('409 of a flatbed is no trouble of a feeder', async t => {
  const { rig, session } = await opened(t, { feeder: 'none' });
  rig.device.fault(1, 'mispick');
  t.match(await scan(session, { source: 'flatbed' }), { code: 'driver-failed', words: /HTTP 409/ });
});

t.test('a device that is busy for a moment is waited for', async t => {
  const { rig, session } = await opened(t, {}, {}, { busy: 5000 });
  rig.device.load(1);
  rig.device.fault(1, 'busyOnce');
  t.match(await scan(session), { code: undefined, pages: [{}] });
});

t.test('Xerox says 410 for "not yet"', async t => {
  const { rig, session } = await opened(t, { model: 'Xerox B215 MFP' });
  rig.device.load(2);
  rig.device.fault(2, 'goneOnce');
  t.match(await scan(session), { code: undefined, pages: [{}, {}] });
});

t.test('Hosts that devices insist on', async t => {
  for (const host of ['port', 'localhost'] as const) {
    const { rig, session } = await opened(t, { host });
    rig.device.load(1);
    t.match(await scan(session), { code: undefined, pages: [{}] }, host);
    await session.close();
  }
});

t.test('the paper sensor, and what it sees', async t => {
  const { rig, session } = await opened(t);
  const status = () => session.status({ signal });
  t.strictSame(await status(), { online: true, paper: 'empty' });
  rig.device.load(1);
  t.strictSame(await status(), { online: true, paper: 'loaded' });
  for (const [trouble, detected] of [['jam', 'paper-jam'], ['multipick', 'double-feed'], ['hatch', 'cover-open']] as const) {
    rig.device.detect(trouble);
    t.strictSame(await status(), { online: true, paper: 'unknown', detected });
  }
  rig.device.unplug();
  t.strictSame(await status(), { online: false, paper: 'unknown' });
  t.match(await scan(session), { code: 'device-offline', pages: [] });
  await t.rejects(rig.driver.open('http://127.0.0.1:9/eSCL', { signal }), { code: 'device-not-found' }, 'an address that is not configured');
});

t.test('a page is the file that the device sent, and says what is in it', async t => {
  const { rig, session } = await opened(t);
  rig.device.load(1);
  const { pages } = await scan(session, { duplexMode: 'DuplexLongEdge', resolution: 100, pageSize: 'A5', colorMode: 'Color' });
  t.match(pages, [
    { kind: 'encoded', mimeType: 'image/jpeg', sheet: 1, side: 'front', pixels: 'rgb24', dpi: 100, width: 583, height: 827 },
    { kind: 'encoded', side: 'back' },
  ]);
  t.ok(pages.every(page => (page as EncodedPage).data.at(-1) === 0xd9));
  const settings = rig.device.requests.find(each => each.method === 'POST')?.body ?? '';
  for (const word of ['<pwg:Width>1748<', '<pwg:Height>2480<', '>RGB24<', '<scan:XResolution>100<', '<scan:Duplex>true<', '>Feeder<']) t.match(settings, word);
  t.equal(rig.device.requests.at(-1)?.method, 'DELETE', 'a job is ended');
});

t.test('a page is held to its own size, however large a page may be', async t => {
  const { rig, session } = await opened(t);
  rig.device.load(1);
  rig.device.fault(1, 'endless');
  t.match(await scan(session, { maxPixels: 200_000_000 }), { code: 'unsupported', pages: [], words: /more than 1048576 bytes/ });
});

t.test('a feeder without an end has one', async t => {
  const { rig, session } = await opened(t, {}, { mostPages: 3 });
  rig.device.load(3);
  t.match(await scan(session), { code: undefined, pages: { length: 3 } });
  rig.device.load(9);
  const { pages, code, words } = await scan(session);
  t.match([code, words], ['driver-failed', /mostPages/]);
  t.equal(pages.length, 4, 'what was fetched is kept');
  t.ok(rig.device.remaining() > 0);
});

t.test('a page that is too large is refused before the device hears of it', async t => {
  const { rig, session } = await opened(t);
  rig.device.load(1);
  t.match(await scan(session, { maxPixels: 1000 }), { code: 'unsupported', pages: [] });
  t.notOk(rig.device.requests.some(each => each.method === 'POST'));
});

t.test('the end of a job that the device did not hear is told before the next one', async t => {
  const { rig, session } = await opened(t);
  rig.device.load(2);
  rig.device.fault(1, 'offline');
  t.match(await scan(session), { code: 'device-offline' });
  await rig.device.mend();
  await session.close();
  const again = await rig.driver.open(rig.deviceId, { signal });
  t.match(await scan(again), { code: undefined });
});
