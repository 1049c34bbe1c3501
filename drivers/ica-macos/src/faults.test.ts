/**
 * Faults of macOS scanners: each has its code and message and leaves no process, and the next scan works. Under
 * AddressSanitizer and UBSan.
 */
import { codeOf, messageOf, type DriverCode, type ScanOrder } from '@platen/core/plugin';
import t, { type Test } from 'tap';
import { bodyOf, helpers, lacking, never, scanned, type Body, type BodyOptions } from './rig.test.kit.js';

interface Fault extends Partial<BodyOptions> {
  /** The sheet and the simulation's name of the fault; sheet 0 is the opening. */
  readonly fault?: readonly [number, string];
  readonly sheets?: number;
  readonly order?: Partial<ScanOrder>;
  readonly code: DriverCode;
  readonly says: RegExp;
  /** Pages delivered before it. */
  readonly pages?: number;
}

/** Only what never comes has a short deadline. */
const silentScan = { scan: 2000 };
const german = 'feeder sensor german';
const feeder = 'flatbed feeder sensor';

const scanning: Readonly<Record<string, Fault>> = {
  'an empty feeder': { sheets: 0, code: 'no-paper', says: /"Desk" has no paper/ },
  'an empty feeder, reported in German': {
    is: german,
    sheets: 0,
    code: 'no-paper',
    says: /has no paper/,
  },
  'a jam in the middle of a batch': {
    fault: [2, 'jam'],
    pages: 1,
    code: 'paper-jam',
    says: /paper jam.*The paper is jammed/,
  },
  'a jam in German': { is: german, fault: [2, 'jam'], pages: 1, code: 'paper-jam', says: /paper jam.*Papierstau/ },
  'an empty feeder, reported outside the scan, which completes': {
    is: 'feeder sensor tells',
    sheets: 0,
    code: 'no-paper',
    says: /has no paper/,
  },
  'a jam, reported outside the scan, which completes': {
    is: 'feeder sensor tells',
    fault: [2, 'jam'],
    pages: 1,
    code: 'paper-jam',
    says: /paper jam.*The paper is jammed/,
  },
  'a jam, reported outside the scan, which never completes': {
    is: 'feeder sensor only-tells',
    deadlines: { settle: 100 },
    fault: [2, 'jam'],
    pages: 1,
    code: 'paper-jam',
    says: /paper jam.*The paper is jammed/,
  },
  'a jam, without a paper sensor': {
    is: 'feeder',
    fault: [2, 'jam'],
    pages: 1,
    code: 'paper-jam',
    says: /paper jam/,
  },
  'a jam while files are written': {
    options: { transfer: 'file' },
    fault: [2, 'jam'],
    pages: 1,
    code: 'paper-jam',
    says: /paper jam/,
  },
  'a page without some of its rows': {
    fault: [2, 'torn'],
    pages: 1,
    code: 'driver-failed',
    says: /left out rows of a page/,
  },
  'a file without its end': {
    options: { transfer: 'file' },
    fault: [2, 'torn'],
    pages: 1,
    code: 'driver-failed',
    says: /whose end is missing/,
  },
  'unplugged in the middle of a page': {
    fault: [2, 'unplug'],
    pages: 1,
    code: 'device-offline',
    says: /"Desk" is no longer connected/,
  },
  'unplugged, reported only by the browser': {
    is: 'feeder sensor unsaid',
    fault: [2, 'unplug'],
    deadlines: { scan: 3000 },
    pages: 1,
    code: 'device-offline',
    says: /"Desk" is no longer connected/,
  },
  'a scan that completes without a page': {
    fault: [1, 'silent'],
    code: 'driver-failed',
    says: /without sending a page.*"transfer": "file"/,
  },
  'a scan that completes without a page, from the flatbed': {
    is: 'flatbed',
    sheets: 0,
    order: { source: 'flatbed' },
    fault: [1, 'silent'],
    code: 'driver-failed',
    says: /without sending a page/,
  },
  'a scanner that goes silent': {
    fault: [2, 'deaf'],
    pages: 1,
    deadlines: silentScan,
    code: 'timeout',
    says: /did not answer "scan" for .+ and was killed/,
  },
  'a framework that hangs': {
    fault: [2, 'stuck'],
    pages: 1,
    deadlines: silentScan,
    code: 'timeout',
    says: /was killed/,
  },
  'a framework that crashes': { fault: [2, 'crash'], pages: 1, code: 'driver-failed', says: /helper "ica"/ },
  'a framework that throws': {
    fault: [1, 'throw'],
    code: 'driver-failed',
    says: /exception in ImageCaptureCore.*NSInvalidArgumentException: no scan/,
  },
  'black and white, not supported': {
    is: 'feeder sensor no-bw',
    order: { colorMode: 'BlackAndWhite' },
    code: 'unsupported',
    says: /Scan in Grayscale/,
  },
  'cancelled at the scanner': { fault: [1, 'pressed'], code: 'cancelled', says: /cancelled the scan itself/ },
};

const opening: Readonly<Record<string, Fault>> = {
  'a scanner in use': { fault: [0, 'busy'], code: 'busy', says: /is in use by another program.*-9925/ },
  'a scanner in use by a remote user': { fault: [0, 'remote'], code: 'busy', says: /-9926/ },
  'no session': { fault: [0, 'unopened'], code: 'device-offline', says: /does not answer.*-9927/ },
  'no connection': { fault: [0, 'unconnected'], code: 'device-offline', says: /-21345/ },
  'a scanner that requires a password': {
    fault: [0, 'protected'],
    code: 'driver-failed',
    says: /a user name and a password.*Image Capture/,
  },
  'no answer': { fault: [0, 'deaf'], deadlines: { open: 200 }, code: 'timeout', says: /"open" for 200 ms/ },
  'never ready': { fault: [0, 'unready'], deadlines: { ready: 200 }, code: 'timeout', says: /"ready" for 200 ms/ },
  'no unit selected, without an error': { fault: [0, 'unitless'], code: 'driver-failed', says: /selected none/ },
  'a framework that throws at the opening': { fault: [0, 'throw'], code: 'driver-failed', says: /no session/ },
};

/** Waits for processes to end: a killed process does not end at once. */
async function noHelpers(t: Test): Promise<void> {
  while (helpers().length > 0) await new Promise(resolve => setTimeout(resolve, 5));
  t.pass('no helper is left');
}

async function scans(
  t: Test,
  { driver, deviceId, load, remaining }: Body,
  options: Partial<ScanOrder> = {},
): Promise<void> {
  if ((await remaining()) === 0) await load(1);
  const session = await driver.open(deviceId, { signal: never() });
  const { pages, message } = await scanned(session, options);
  t.ok(pages.length > 0, `the next scan works ${message}`);
  await session.close();
}

async function bodyFor(t: Test, { is = feeder, sheets = 2, fault, ...more }: Fault): Promise<Body> {
  const body = await bodyOf({ is, sanitised: true, ...more });
  t.teardown(() => body.dispose());
  await body.load(sheets);
  if (fault) await body.fault(...fault);
  return body;
}

const skip = lacking();

t.test('while scanning', { skip }, async t => {
  for (const [name, fault] of Object.entries(scanning)) {
    await t.test(name, async t => {
      const body = await bodyFor(t, fault);
      const session = await body.driver.open(body.deviceId, { signal: never() });
      const { pages, code, message } = await scanned(session, { source: 'feeder', ...fault.order });
      t.equal(pages.length, fault.pages ?? 0, 'pages before');
      t.equal(code, fault.code, message);
      t.match(message, fault.says);
      await body.clearFaults();
      await session.close();
      await scans(t, body, fault.order?.source ? { source: fault.order.source } : {});
      await body.driver.close();
      await noHelpers(t);
    });
  }
});

t.test('faults while a scanner is opened', { skip }, async t => {
  for (const [name, fault] of Object.entries(opening)) {
    await t.test(name, async t => {
      const body = await bodyFor(t, fault);
      const error = await body.driver.open(body.deviceId, { signal: never() }).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      t.equal(codeOf(error), fault.code, messageOf(error));
      t.match(messageOf(error), fault.says);
      await noHelpers(t);
      await body.clearFaults();
      await scans(t, body);
    });
  }
});

t.test('scan: an ignored cancel, the helper is killed and the next scan uses another', { skip }, async t => {
  const body = await bodyFor(t, {
    sheets: 3,
    fault: [2, 'deaf'],
    deadlines: { cancel: 100 },
    code: 'cancelled',
    says: /./,
  });
  const session = await body.driver.open(body.deviceId, { signal: never() });
  const first = helpers();
  const abandon = new AbortController();
  const reason = new Error('enough');
  const pages = session
    .scan(
      {
        source: 'feeder',
        resolution: 75,
        colorMode: 'Grayscale',
        duplexMode: 'Simplex',
        pageSize: 'A6',
        adjustments: [],
        maxPixels: 1e8,
      },
      { signal: abandon.signal, stop: never() },
    )
    [Symbol.asyncIterator]();
  t.match(await pages.next(), { done: false });
  const second = pages.next();
  abandon.abort(reason);
  await t.rejects(second, reason);
  await body.clearFaults();
  t.ok((await scanned(session)).pages.length > 0, 'in the same session');
  t.notSame(helpers(), first);
  await session.close();
  await noHelpers(t);
});

t.test('session: does not close, ends with its helper', { skip }, async t => {
  const body = await bodyFor(t, { fault: [0, 'unclosed'], code: 'cancelled', says: /./ });
  const session = await body.driver.open(body.deviceId, { signal: never() });
  await session.close();
  await noHelpers(t);
  await body.clearFaults();
  await scans(t, body);
});

t.test('open: another process has the scanner, busy until that process ends', { skip }, async t => {
  const body = await bodyFor(t, { code: 'busy', says: /./ });
  const other = await bodyOf({ is: feeder, root: body.root });
  t.teardown(() => other.driver.close());
  const session = await other.driver.open('desk', { signal: never() });
  await t.rejects(body.driver.open('desk', { signal: never() }), {
    code: 'busy',
    message: /in use by another program/,
  });
  await session.close();
  await scans(t, body);
});
