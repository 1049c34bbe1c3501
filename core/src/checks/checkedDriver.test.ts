/** A checked driver: invalid output is the driver's failure, with its name, and affects nothing else. */
import { fakeDriver, testPage } from '@platen/conformance';
import t from 'tap';
import type { Device, Driver, Session } from '../contract/driver.js';
import type { Page } from '../contract/page.js';
import type { Log } from '../contract/plugin.js';
import type { ScanOrder } from '../contract/order.js';
import { checkedDriver } from './checkedDriver.js';

const call = { signal: new AbortController().signal };
const scanCall = { ...call, stop: new AbortController().signal };
const order: ScanOrder = {
  source: 'feeder',
  resolution: 300,
  colorMode: 'Grayscale',
  duplexMode: 'Simplex',
  pageSize: 'A4',
  adjustments: [],
  maxPixels: 10_000,
};

function logOf(): { log: Log; warnings: string[] } {
  const warnings: string[] = [];
  const quiet = (): void => undefined;
  return { log: { debug: quiet, info: quiet, error: quiet, warn: line => void warnings.push(line) }, warnings };
}

const silent = logOf().log;

function listing(devices: readonly unknown[]): Driver {
  const fake = fakeDriver({ id: 'acme' });
  return {
    ...fake,
    async *devices() {
      yield* devices as Device[];
    },
  };
}

async function listOf(driver: Driver): Promise<Device[]> {
  const devices: Device[] = [];
  for await (const device of driver.devices(call)) devices.push(device);
  return devices;
}

/** A session of the fake, changed, behind the checks. */
async function opened(
  changes: Partial<Record<keyof Session, unknown>>,
  closed: () => void = () => undefined,
): Promise<Session> {
  const fake = fakeDriver({ id: 'acme', sheets: 5 });
  const driver: Driver = {
    ...fake,
    async open(...asked) {
      const session = await fake.open(...asked);
      return { ...session, close: async () => (closed(), session.close()), ...changes } as Session;
    },
  };
  return checkedDriver(driver, silent).open('fake-1', call);
}

const [good] = await listOf(fakeDriver());
const page = testPage({ pixels: 'gray8' });

t.test('devices: an invalid device, skipped and logged once; the others are listed', async t => {
  const { log, warnings } = logOf();
  const wrong = [
    null,
    'A',
    { ...good, id: 'b\u001b[2J', name: undefined },
    { ...good, id: 'c', name: ' \n' },
    { ...good, id: 'd', online: 1 },
    { ...good, id: 'e', feeding: 'both' },
    { ...good, id: 'f', identities: ['x', 7] },
    { ...good, id: 'g', traits: { autoScanFailureLimit: 0 } },
    { ...good, id: 'h', traits: { oneAtATime: 'yes' } },
    { ...good, id: '' },
  ];
  const driver = checkedDriver(listing([...wrong, good]), log);
  for (let times = 0; times < 2; times++)
    t.same(
      (await listOf(driver)).map(({ id }) => id),
      ['fake-1'],
    );
  t.equal(warnings.length, wrong.length - 1, 'the first two are not objects and share one log line');
  for (const line of warnings) t.match(line, /acme/);
  t.notOk(warnings.some(line => line.includes('\u001b')));
});

t.test('devices: text fields, cleaned of control characters and cut to length; unknown fields are dropped', async t => {
  const name = `Desk\u001b]0;x\u0007\n${'é'.repeat(1000)}`;
  const driver = checkedDriver(
    listing([{ ...good, name, model: `${'x'.repeat(255)}😀`, identities: ['uuid:1', 'escl:host/Desk'], secret: 1 }]),
    silent,
  );
  const [device] = await listOf(driver);
  t.notMatch(device?.name, /\p{Cc}/u);
  t.equal(device?.name.length, 256);
  t.equal(device?.model, 'x'.repeat(255), 'no half of a surrogate pair');
  t.same(device?.identities, ['uuid:1', 'escl:host/Desk']);
  t.notOk('secret' in (device ?? {}));
});

t.test('devices: many different invalid devices, the number of log lines is limited', async t => {
  const { log, warnings } = logOf();
  const driver = checkedDriver(listing(Array.from({ length: 500 }, (_, i) => ({ id: `x${i}` }))), log);
  t.same(await listOf(driver), []);
  t.ok(warnings.length < 100);
});

t.test('driver: throws an error, it is passed on unchanged', async t => {
  const own = new Error('bad handle');
  const session = await opened({
    capabilities: () => Promise.reject(own),
    scan: async function* () {
      yield page;
      throw own;
    },
  });
  t.equal(await session.capabilities(call).catch((error: unknown) => error), own);
  t.equal(await pagesOf(session).catch((error: unknown) => error), own);
});

t.test('capabilities, status: invalid, driver-failed with the driver and the field', async t => {
  const source = { resolutions: [300], colorModes: ['Color'], duplex: false, pageSizes: ['A4'], adjustments: [] };
  for (const [answer, field] of [
    [undefined, /capabilities/],
    [{}, /feeder/],
    [{ feeder: { ...source, colorModes: ['Sepia'] } }, /colorModes/],
    [{ flatbed: { ...source, resolutions: '300' } }, /resolutions/],
    [{ flatbed: { ...source, resolutions: [] } }, /resolutions/],
    [{ flatbed: { ...source, controls: ['gamma'] } }, /controls/],
    [{ flatbed: { ...source, area: { width: 0, height: 1 } } }, /width/],
    [{ flatbed: { ...source, area: { width: 1 } } }, /height/],
    [{ flatbed: { ...source, driverOptions: [{ name: '', type: 'boolean' }] } }, /name/],
  ] as const) {
    const session = await opened({ capabilities: async () => answer });
    await t.rejects(session.capabilities(call), { code: 'driver-failed', message: field });
    await t.rejects(session.capabilities(call), { message: /acme/ });
  }
  const session = await opened({ status: async () => ({ online: true, paper: 'some' }) });
  await t.rejects(session.status(call), { code: 'driver-failed', message: /acme.*paper/ });
});

t.test('open: returns no session, driver-failed, and what it returned is closed', async t => {
  let closes = 0;
  await t.rejects(
    opened({ device: { ...good, feeding: 1 } }, () => void closes++),
    { code: 'driver-failed', message: /acme.*feeding/ },
  );
  t.equal(closes, 1);
  await t.rejects(opened({ scan: undefined }), { code: 'driver-failed', message: /acme.*scan/ });
  const nothing = checkedDriver(
    { ...fakeDriver({ id: 'acme' }), open: async () => undefined as unknown as Session },
    silent,
  );
  await t.rejects(nothing.open('fake-1', call), { code: 'driver-failed', message: /acme/ });
});

async function pagesOf(session: Session, seen: Page[] = []): Promise<Page[]> {
  for await (const each of session.scan(order, scanCall)) seen.push(each);
  return seen;
}

t.test(
  'scan: an invalid page, driver-failed after the pages before it, and the scan of the driver is ended',
  async t => {
    const wrong: readonly [value: unknown, code: string, words: RegExp][] = [
      [undefined, 'driver-failed', /object/],
      [{ hello: 1 }, 'driver-failed', /data/],
      [{ ...page, kind: 'vector' }, 'driver-failed', /kind/],
      [{ ...page, data: page.data.subarray(1) }, 'driver-failed', /bytes/],
      [{ ...page, width: 100 }, 'driver-failed', /stride/],
      [{ ...page, dpi: NaN }, 'driver-failed', /dpi/],
      [{ ...page, sheet: 0 }, 'driver-failed', /sheet/],
      [{ ...page, side: 'top' }, 'driver-failed', /side/],
      [{ ...page, adjusted: ['despeckle'] }, 'driver-failed', /adjusted/],
      [{ ...page, kind: 'encoded', mimeType: 'image/webp' }, 'driver-failed', /mimeType/],
      [{ ...page, kind: 'encoded', mimeType: 'image/jpeg', data: new Uint8Array(4_000_000) }, 'driver-failed', /bytes/],
      [testPage({ width: 200, height: 100, pixels: 'gray8' }), 'unsupported', /10000/],
    ];
    for (const [value, code, words] of wrong) {
      let ended = false;
      const session = await opened({
        async *scan() {
          try {
            yield page;
            yield value;
            yield page;
          } finally {
            ended = true;
          }
        },
      });
      const seen: Page[] = [];
      await t.rejects(pagesOf(session, seen), { code, message: words });
      t.equal(seen.length, 1);
      t.ok(ended);
    }
    await t.rejects(pagesOf(await opened({ scan: () => undefined })), { code: 'driver-failed', message: /acme/ });
  },
);

t.test('scan: a valid page, passed on with its own bytes', async t => {
  const padded = testPage({ pixels: 'rgb24', padding: 3 });
  const session = await opened({
    scan: async function* () {
      yield padded;
    },
  });
  const [seen] = await pagesOf(session);
  t.equal(seen?.data, padded.data);
  t.same(seen, padded);
});

t.test('scan: return() while a page is awaited, reaches the driver at once', async t => {
  const fake = fakeDriver({ id: 'acme', sheets: 5 });
  const session = await checkedDriver(fake, silent).open('fake-1', call);
  let left = false;
  const raw: AsyncIterable<Page> = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => undefined),
      return: async () => ((left = true), { done: true, value: undefined }),
    }),
  };
  const its = (await opened({ scan: () => raw })).scan(order, scanCall)[Symbol.asyncIterator]();
  void its.next();
  await its.return?.();
  t.ok(left);
  await session.close();
});

t.test('driver: optional members, present only while the driver has them', async t => {
  const fake: Driver = { ...fakeDriver({ id: 'acme', link: { connected: true } }) };
  const driver = checkedDriver(fake, silent);
  t.equal(driver.insert, undefined);
  t.equal(driver.link, fake.link);
  const inserted: string[] = [];
  fake.insert = async deviceId => void inserted.push(deviceId);
  await driver.insert?.('fake-1', new Uint8Array());
  t.same(inserted, ['fake-1']);
  delete fake.insert;
  t.equal(driver.insert, undefined);
});
