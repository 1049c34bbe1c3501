/** How a job is created: the settings that are sent, refusals, and busy devices. */
import { readFile } from 'node:fs/promises';
import { codeOf, messageOf, type ScanOrder } from '@platen/core/plugin';
import t from 'tap';
import { capabilitiesOfFixture } from '../fixtures.test.kit.js';
import { createJob, startJob, type JobParts } from './scanJob.js';
import { prepare } from './prepare.js';
import { standard } from '../protocol/quirks.js';
import { writeScanSettings } from '../protocol/scanSettings.js';
import { quick } from '../rig.test.kit.js';
import { retryAfter, type EsclClient } from '../http/esclClient.js';

const order: ScanOrder = {
  source: 'feeder',
  resolution: 300,
  colorMode: 'BlackAndWhite',
  duplexMode: 'Simplex',
  pageSize: 'A4',
  adjustments: [],
  maxPixels: 50_000_000,
};
const capabilities = capabilitiesOfFixture('profiles-by-name');
const never = new AbortController().signal;

/** A client that answers with these statuses in turn, and records the settings it was sent. */
function parts(statuses: readonly number[], adf = '', stop = never): JobParts & { readonly asked: string[] } {
  const asked: string[] = [];
  const client: Partial<EsclClient> = {
    async createJob(settings) {
      const status = statuses[asked.push(settings) - 1] ?? 201;
      return status === 201 ? { job: '/eSCL/ScanJobs/1' } : { status, retryAfter: 1 };
    },
    status: async () => ({ state: 'Idle', adf, jobs: [] }),
  };
  return {
    client: client as EsclClient,
    asked,
    name: 'A',
    capabilities,
    quirks: standard,
    deadlines: quick,
    maxPixels: 1e9,
    stop,
    ended: never,
  };
}

const prepared = prepare(capabilities, 'feeder', order, 'A');

t.test('createJob: one bit per pixel, in a format that has it; in grey if the device refuses', async t => {
  const willing = parts([]);
  t.match(await createJob(willing, prepared), {
    path: '/eSCL/ScanJobs/1',
    settings: { mode: 'BlackAndWhite1', format: 'image/png', duplex: true },
  });
  const refusing = parts([409]);
  t.match(await createJob(refusing, prepared), { settings: { mode: 'Grayscale8', format: 'image/jpeg' } });
  t.match(refusing.asked, [/BlackAndWhite1.*image\/png/s, /Grayscale8.*image\/jpeg/s]);
  await t.rejects(createJob(parts([409, 409]), prepared), { code: 'unsupported' });
});

t.test('prepare: lossless, PNG if offered, else the least compression', async t => {
  const wish = (lossless: boolean, more: Partial<typeof capabilities> = {}) =>
    prepare({ ...capabilities, ...more }, 'feeder', { ...order, colorMode: 'Color', lossless }, 'A').settings;
  t.match(wish(true), { format: 'image/png', compression: undefined });
  t.match(wish(false, { leastCompression: 0 }), { format: 'image/jpeg', compression: undefined });
  const { duplex } = capabilities;
  const jpegOnly = { leastCompression: 0, ...(duplex && { duplex: { ...duplex, formats: ['image/jpeg'] } }) };
  const plain = wish(true, jpegOnly);
  t.match(plain, { format: 'image/jpeg', compression: 0 });
  t.match(writeScanSettings(plain), /<scan:CompressionFactor>0</);
});

t.test('createJob: the device scans for another client, busy', async t => {
  const { client, ...rest } = parts([500]);
  const busy = { ...rest, client: { ...client, status: async () => ({ state: 'Processing', adf: '', jobs: [] }) } };
  await t.rejects(createJob(busy, prepared), { code: 'busy' });
});

t.test('createJob: 503, asked again until stop', async t => {
  const busy = parts([503, 503]);
  t.match(await createJob(busy, prepared), { path: '/eSCL/ScanJobs/1' });
  t.equal(busy.asked.length, 3);
  const stopped = parts([], '', AbortSignal.abort());
  t.equal(await createJob(stopped, prepared), undefined);
  t.strictSame(stopped.asked, []);
});

t.test('createJob: AdfState counts for more than the HTTP status', async t => {
  const codes = [];
  for (const adf of ['ScannerAdfEmpty', 'ScannerAdfHatchOpen', 'ScannerAdfLoaded'])
    codes.push(await createJob(parts([500], adf), prepared).catch(codeOf));
  t.strictSame(codes, ['no-paper', 'cover-open', 'driver-failed']);
});

/** Reads documents until the end or a failure: the device answers with these HTTP statuses, and then reports this. */
async function documents(answers: readonly number[], adf: string, state: string, ...reasons: string[]) {
  const { client, ...rest } = parts([]);
  const body = await readFile(new URL('../../fixtures/replays/page.jpg', import.meta.url));
  let at = 0;
  const job = await startJob(
    {
      ...rest,
      client: {
        ...client,
        nextDocument: async () => ({ status: answers[at++] ?? 404, headers: {}, body }),
        status: async () => ({ state: 'Idle', adf, jobs: [{ path: '/eSCL/ScanJobs/1', state, reasons }] }),
      } as unknown as EsclClient,
    },
    prepare(capabilities, 'feeder', { ...order, colorMode: 'Color' }, 'A'),
  );
  let pages = 0;
  try {
    while (await job!.next()) pages++;
    return { pages };
  } catch (error) {
    return { pages, code: codeOf(error), message: messageOf(error) };
  }
}

t.test('next: a job that the device aborts, no paper, busy or failed', async t => {
  const [empty, loaded, notReady] = ['ScannerAdfEmpty', 'ScannerAdfLoaded', 'ResourcesAreNotReady'];
  t.match(await documents([404], empty!, 'Aborted', notReady!), { pages: 0, code: undefined }, 'no paper');
  t.match(await documents([409], '', 'Aborted', notReady!), { pages: 0, code: 'paper-jam' }, 'by the HTTP status');
  t.match(await documents([503], empty!, 'Aborted', notReady!), { pages: 0, code: 'busy' }, 'the first sheet');
  t.match(await documents([503], loaded!, 'Aborted', notReady!), { pages: 0, code: 'busy' });
  const second = await documents([200, 503], empty!, 'Aborted', notReady!);
  t.match(second, { pages: 1, code: 'driver-failed', message: /HTTP 503/ }, 'sheets are missing after a page');
  t.match(await documents([200, 404], empty!, 'Aborted', notReady!), { pages: 1, code: 'driver-failed' });
  t.match(await documents([200, 404], empty!, 'Completed'), { pages: 1, code: undefined });
});

t.test('retryAfter: seconds within limits, undefined for dates', async t => {
  const of = (text: string) => retryAfter({ 'retry-after': text });
  t.strictSame(['2', '0', '9999', 'Wed, 21 Oct 2026 07:28:00 GMT', '-1', ''].map(of), [
    2000,
    50,
    30_000,
    undefined,
    undefined,
    undefined,
  ]);
});

t.test('prepare: no such source, too many pixels, one side only', async t => {
  t.throws(() => prepare(capabilities, 'flatbed', order, 'A'), { message: /flatbed/ });
  t.throws(() => prepare(capabilities, 'feeder', { ...order, maxPixels: 100 }, 'A'), { message: /2480 x 3508/ });
  t.strictSame(prepare(capabilitiesOfFixture('hp-officejet'), 'feeder', order, 'A').sides, ['front']);
  t.match(prepare(capabilitiesOfFixture('hp-officejet'), 'feeder', order, 'A').settings, {
    mode: 'Grayscale8',
    duplex: false,
  });
  t.notOk('duplex' in prepare(capabilitiesOfFixture('canon-pixma'), 'flatbed', order, 'A').settings);
});
