/** What can go wrong at a device: the code of the failure, the pages before it, and the scan after it. */
import { codeOf, messageOf, type EncodedPage, type Page, type ScanOrder, type Session } from '@platen/core/plugin';
import t, { type Test } from 'tap';
import { rigOf, type Rig } from './rig.test.kit.js';
import { EsclError, type ErrorKind } from './http/esclError.js';
import type { Deadlines, EsclOptions } from './options.js';
import type { Fault } from './testing/faults.js';
import type { DeviceOptions } from './testing/options.js';

const signal = new AbortController().signal;
const order: ScanOrder = {
  source: 'feeder',
  resolution: 75,
  colorMode: 'Grayscale',
  duplexMode: 'Simplex',
  pageSize: 'A6',
  adjustments: [],
  maxPixels: 50_000_000,
};

async function opened(
  t: Test,
  build: DeviceOptions = {},
  options: Partial<EsclOptions> = {},
  deadlines: Partial<Deadlines> = {},
): Promise<{ rig: Rig; session: Session }> {
  const rig = await rigOf(build, options, deadlines);
  t.teardown(() => rig.dispose?.());
  return { rig, session: await rig.driver.open(rig.deviceId, { signal }) };
}

interface Outcome {
  readonly pages: readonly Page[];
  readonly code: string | undefined;
  /** Of the transport error that caused it. */
  readonly kind?: ErrorKind | undefined;
  readonly message: string;
}

const kindOf = (error: unknown): ErrorKind | undefined =>
  error instanceof Error && error.cause instanceof EsclError ? error.cause.kind : undefined;

async function scan(session: Session, wishes: Partial<ScanOrder> = {}): Promise<Outcome> {
  const pages: Page[] = [];
  try {
    for await (const page of session.scan({ ...order, ...wishes }, { signal, stop: signal })) pages.push(page);
    return { pages, code: undefined, message: '' };
  } catch (error) {
    return { pages, code: codeOf(error) ?? 'none', kind: kindOf(error), message: messageOf(error) };
  }
}

/** `says`: a name, number or status that the message must contain. */
interface Expected {
  readonly deadlines?: Partial<Deadlines>;
  readonly code?: string;
  readonly kind?: ErrorKind;
  readonly says?: string;
}

const ofPages: Readonly<Partial<Record<Fault, Expected & { pages: number }>>> = {
  notReadyOnce: { pages: 3 },
  early404: { pages: 3 },
  slow: { pages: 3 },
  wrongType: { pages: 3 },
  jam: { pages: 1, code: 'paper-jam' },
  mispick: { pages: 1, code: 'paper-jam', says: 'ScannerAdfMispick' },
  multipick: { pages: 1, code: 'double-feed' },
  hatch: { pages: 1, code: 'cover-open' },
  gone: { pages: 1, code: 'cancelled' },
  aborted: { pages: 1, code: 'driver-failed', says: 'HTTP 500' },
  neverReady: { pages: 1, code: 'timeout', deadlines: { silence: 3000 } },
  hang: { pages: 1, code: 'timeout', kind: 'no response', deadlines: { silence: 3000 } },
  torn: { pages: 1, code: 'driver-failed', says: 'AbortedBySystem' },
  brokenOff: { pages: 1, code: 'driver-failed', kind: 'truncated' },
  jamTorn: { pages: 1, code: 'paper-jam' },
  abortedEarly: { pages: 1, code: 'driver-failed', says: 'HTTP 404, ResourcesAreNotReady' },
  offline: { pages: 1, code: 'device-offline' },
  endless: { pages: 1, code: 'unsupported', kind: 'too large' },
  notJpeg: { pages: 1, code: 'driver-failed', kind: 'malformed' },
  redirect: { pages: 1, code: 'driver-failed', says: 'HTTP 302' },
  empty: { pages: 1 },
};

for (const [fault, { pages: count, ...expected }] of Object.entries(ofPages)) {
  t.test(`page fault ${fault}, at the second sheet: ${expected.code ?? 'all pages'}`, async t => {
    const { rig, session } = await opened(t, {}, {}, expected.deadlines);
    rig.device.load(3);
    rig.device.fault(2, fault as Fault);
    const result = await scan(session, { maxPixels: 2_000_000 });
    isAsExpected(t, result, expected);
    t.equal(result.pages.length, count);
    t.strictSame(rig.device.strayed, [], 'no other host is asked');
    await rig.device.clearFaults();
    rig.device.empty();
    rig.device.load(1);
    t.match(await scan(session), { code: undefined, pages: [{ sheet: 1 }] }, 'it scans again');
  });
}

function isAsExpected(t: Test, { code, kind, message }: Outcome, expected: Expected): void {
  t.equal(code, expected.code, message);
  if (expected.kind) t.equal(kind, expected.kind, message);
  if (expected.says) t.ok(message.includes(expected.says), message);
}

const ofJobs: Readonly<Partial<Record<Fault, Expected>>> = {
  busy: { code: 'busy', says: 'HTTP 503' },
  conflict: { code: 'unsupported', says: 'HTTP 409' },
  refused: { code: 'driver-failed', says: 'HTTP 500' },
  noLocation: { code: 'driver-failed', kind: 'malformed' },
  redirectJobs: { code: 'driver-failed', says: 'HTTP 307' },
  wrongLocation: {},
};

const ofDocuments: Readonly<Partial<Record<Fault, Expected>>> = {
  entities: { code: 'driver-failed', kind: 'malformed' },
  hugeXml: { code: 'unsupported', kind: 'too large' },
  notXml: { code: 'driver-failed', kind: 'malformed' },
  deaf: { code: 'timeout', kind: 'no response', deadlines: { answer: 2000, status: 1000 } },
  unavailable: { code: 'busy', says: 'HTTP 503' },
  redirectDocuments: { code: 'driver-failed', says: 'HTTP 302' },
};

for (const [fault, expected] of Object.entries(ofJobs)) {
  t.test(`job fault ${fault}: ${expected.code ?? 'all pages'}`, async t => {
    const { rig, session } = await opened(t);
    rig.device.load(1);
    rig.device.fault(1, fault as Fault);
    isAsExpected(t, await scan(session), expected);
    t.strictSame(rig.device.strayed, [], 'no other host is asked');
  });
}

for (const [fault, expected] of Object.entries(ofDocuments)) {
  t.test(`document fault ${fault}: opening fails, an open session still scans`, async t => {
    const { rig, session } = await opened(t, {}, {}, expected.deadlines);
    rig.device.load(2);
    rig.device.fault('always', fault as Fault);
    t.match(await scan(session), { code: undefined, pages: [{}, {}] });
    await session.close();
    const failure = await rig.driver.open(rig.deviceId, { signal }).catch((error: unknown) => error);
    isAsExpected(t, { pages: [], code: codeOf(failure), kind: kindOf(failure), message: messageOf(failure) }, expected);
    t.strictSame(rig.device.strayed, [], 'no other host is asked');
  });
}

t.test('AirSane: 409 ends the stack after a page, and is no-paper before it', async t => {
  for (const airSane of ['loaded', 'empty'] as const) {
    for (const duplexMode of ['Simplex', 'DuplexLongEdge'] as const) {
      const { rig, session } = await opened(t, { airSane, flatbed: false });
      const status = () => session.status({ signal });
      t.match(await scan(session, { duplexMode }), { code: 'no-paper', pages: [] });
      rig.device.load(2);
      t.match(
        await scan(session, { duplexMode }),
        { code: undefined, pages: { length: duplexMode === 'Simplex' ? 2 : 4 } },
        'the scan is tried whatever the idle sensor says',
      );
      if (airSane === 'empty') {
        t.match(await status(), { paper: 'empty', paperByTrial: undefined }, 'once, it may only have been slow');
        rig.device.load(1);
        t.match(await scan(session, { duplexMode }), { code: undefined });
      }
      t.match(await scan(session, { duplexMode }), { code: 'no-paper', pages: [] });
      const ignored = { online: true, paper: 'unknown', paperByTrial: true };
      t.match(await status(), ignored, 'a sensor that was wrong about paper is ignored');
      await session.close();
      const again = await rig.driver.open(rig.deviceId, { signal });
      t.match(await again.status({ signal }), ignored, 'also by the next session');
      await again.close();
    }
  }
});

t.test('flatbed: 409 for a page is not a feeder fault', async t => {
  const { rig, session } = await opened(t, { feeder: 'none' });
  rig.device.fault(1, 'mispick');
  t.match(await scan(session, { source: 'flatbed' }), { code: 'driver-failed', message: /HTTP 409/ });
});

t.test('job: 503 at first, the device is asked again', async t => {
  const { rig, session } = await opened(t, {}, {}, { busy: 60_000 });
  rig.device.load(1);
  rig.device.fault(1, 'busyOnce');
  t.match(await scan(session), { code: undefined, pages: [{}] });
});

t.test('Xerox B215: 410 means not ready yet', async t => {
  const { rig, session } = await opened(t, { model: 'Xerox B215 MFP' });
  rig.device.load(2);
  rig.device.fault(2, 'goneOnce');
  t.match(await scan(session), { code: undefined, pages: [{}, {}] });
});

t.test('Host header: the device accepts one value only, it is found', async t => {
  for (const host of ['port', 'localhost'] as const) {
    const { rig, session } = await opened(t, { host });
    rig.device.load(1);
    t.match(await scan(session), { code: undefined, pages: [{}] }, host);
    await session.close();
  }
});

t.test('status: each AdfState, paper and detected fault; offline when the device does not answer', async t => {
  const { rig, session } = await opened(t);
  const status = () => session.status({ signal });
  t.strictSame(await status(), { online: true, paper: 'empty' });
  rig.device.load(1);
  t.strictSame(await status(), { online: true, paper: 'loaded' });
  for (const [trouble, detected] of [
    ['jam', 'paper-jam'],
    ['multipick', 'double-feed'],
    ['hatch', 'cover-open'],
  ] as const) {
    rig.device.detect(trouble);
    t.strictSame(await status(), { online: true, paper: 'unknown', detected });
  }
  rig.device.unplug();
  t.strictSame(await status(), { online: false, paper: 'unknown' });
  t.match(await scan(session), { code: 'device-offline', pages: [] });
  await t.rejects(
    rig.driver.open('http://127.0.0.1:9/eSCL', { signal }),
    { code: 'device-not-found' },
    'an address that is not configured is not called',
  );
});

t.test("page: the device's file unchanged, described by its own header", async t => {
  const { rig, session } = await opened(t);
  rig.device.load(1);
  const { pages } = await scan(session, {
    duplexMode: 'DuplexLongEdge',
    resolution: 100,
    pageSize: 'A5',
    colorMode: 'Color',
  });
  t.match(pages, [
    {
      kind: 'encoded',
      mimeType: 'image/jpeg',
      sheet: 1,
      side: 'front',
      pixels: 'rgb24',
      dpi: 100,
      width: 583,
      height: 827,
    },
    { kind: 'encoded', side: 'back' },
  ]);
  t.ok(pages.every(page => (page as EncodedPage).data.at(-1) === 0xd9));
  const settings = rig.device.requests.find(each => each.method === 'POST')?.body ?? '';
  for (const word of [
    '<pwg:Width>1748<',
    '<pwg:Height>2480<',
    '>RGB24<',
    '<scan:XResolution>100<',
    '<scan:Duplex>true<',
    '>Feeder<',
  ])
    t.match(settings, word);
  t.equal(rig.device.requests.at(-1)?.method, 'DELETE', 'the job is deleted');
});

t.test('page: longer than its own size allows, unsupported', async t => {
  const { rig, session } = await opened(t);
  rig.device.load(1);
  rig.device.fault(1, 'endless');
  t.match(await scan(session, { maxPixels: 200_000_000 }), {
    code: 'unsupported',
    kind: 'too large',
    pages: [],
    message: /1048576/,
  });
});

t.test('mostPages: a feeder that never runs empty is stopped', async t => {
  const { rig, session } = await opened(t, {}, { mostPages: 3 });
  rig.device.load(3);
  t.match(await scan(session), { code: undefined, pages: { length: 3 } });
  rig.device.load(9);
  const { pages, code, message } = await scan(session);
  t.match([code, message], ['driver-failed', /mostPages/]);
  t.equal(pages.length, 4, 'the pages fetched so far are kept');
  t.ok(rig.device.remaining() > 0);
});

t.test('maxPixels: refused before a job is created', async t => {
  const { rig, session } = await opened(t);
  rig.device.load(1);
  t.match(await scan(session, { maxPixels: 1000 }), { code: 'unsupported', pages: [] });
  t.notOk(rig.device.requests.some(each => each.method === 'POST'));
});

t.test('job: a deletion that failed is repeated before the next job', async t => {
  const { rig, session } = await opened(t);
  rig.device.load(2);
  rig.device.fault(1, 'offline');
  t.match(await scan(session), { code: 'device-offline' });
  await rig.device.clearFaults();
  await session.close();
  const again = await rig.driver.open(rig.deviceId, { signal });
  t.match(await scan(again), { code: undefined });
});
