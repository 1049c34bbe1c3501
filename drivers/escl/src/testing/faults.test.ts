/** Each fault of the test device affects its request, and the device works again after `clearFaults`. */
import t, { type Test } from 'tap';
import { begin, next, pageOf, post, says } from './client.test.kit.js';
import { startDevice, type Device } from './device.js';
import {
  documentFaults,
  jobFaults,
  pageFaults,
  type DocumentFault,
  type Fault,
  type JobFault,
  type PageFault,
} from './faults.js';
import { readMark } from './pictures.js';

const outcomes: Readonly<
  Record<PageFault, { readonly codes: readonly (number | 'cut')[]; readonly left: number; readonly adf?: string }>
> = {
  neverReady: { codes: [503, 503], left: 2 },
  notReadyOnce: { codes: [503, 200], left: 1 },
  early404: { codes: [404, 200], left: 1 },
  gone: { codes: [410, 410], left: 2 },
  goneOnce: { codes: [410, 200], left: 1 },
  jam: { codes: [409, 404], left: 1, adf: 'ScannerAdfJam' },
  mispick: { codes: [409, 404], left: 2, adf: 'ScannerAdfMispick' },
  multipick: { codes: [409, 404], left: 1, adf: 'ScannerAdfMultipickDetected' },
  hatch: { codes: [409, 404], left: 2, adf: 'ScannerAdfHatchOpen' },
  door: { codes: [409, 404], left: 2, adf: 'ScannerAdfDoorOpen' },
  aborted: { codes: [500, 404], left: 2 },
  abortedEarly: { codes: [404, 404], left: 2 },
  empty: { codes: [404], left: 2 },
  hang: { codes: ['cut'], left: 1 },
  offline: { codes: ['cut', 'cut'], left: 2 },
  torn: { codes: ['cut', 404], left: 1 },
  brokenOff: { codes: ['cut'], left: 1 },
  jamTorn: { codes: [200, 404], left: 1, adf: 'ScannerAdfJam' },
  slow: { codes: [200], left: 1 },
  endless: { codes: [200], left: 1 },
  wrongType: { codes: [200], left: 1 },
  notJpeg: { codes: [200], left: 1 },
  redirect: { codes: [302, 302], left: 2 },
};

async function started(t: Test, fault: Fault, sheet = 2): Promise<Device> {
  const device = await startDevice();
  t.teardown(() => device.close());
  device.load(3);
  device.fault(sheet, fault);
  return device;
}

async function codeOf(job: string, signal?: AbortSignal): Promise<number | 'cut'> {
  try {
    const response = await next(job, signal ? { signal } : {});
    if (response.status === 200) await response.arrayBuffer();
    return response.status;
  } catch {
    return 'cut';
  }
}

for (const fault of Object.keys(pageFaults) as PageFault[]) {
  t.test(`${fault}: ${pageFaults[fault]}`, async t => {
    const device = await started(t, fault);
    const job = await begin(device);
    t.same(await readMark(await pageOf(job)), { sheet: 1, side: 'front' }, 'the sheet before it');
    const { codes, left, adf } = outcomes[fault];
    const giveUp = new AbortController();
    for (const code of codes) {
      const asked = codeOf(job, giveUp.signal);
      if (fault === 'hang') {
        while (device.remaining() > left) await says(device, 'State');
        giveUp.abort();
      }
      t.equal(await asked, code);
    }
    t.equal(device.remaining(), left);
    if (adf) t.same(await says(device, 'AdfState'), [adf]);
    await device.clearFaults();
    t.same(await says(device, 'AdfState').then(each => each.length), 1);
    await fetch(job, { method: 'DELETE' });
    if (device.remaining() === 0) device.load(1);
    await pageOf(await begin(device));
    t.same(device.strayed, [], 'nothing was sent elsewhere');
  });
}

t.test('fault: always, every sheet', async t => {
  const device = await started(t, 'early404');
  device.fault('always', 'mispick');
  t.equal((await next(await begin(device))).status, 409);
  await device.clearFaults();
  t.equal((await next(await begin(device))).status, 200);
});

t.test('fault: wrongType is a JPEG, notJpeg is called one', async t => {
  const device = await started(t, 'wrongType', 1);
  device.fault(2, 'notJpeg');
  const job = await begin(device);
  const [wrong, not] = [await next(job), await next(job)];
  const isJpeg = async (response: Response) => Buffer.from(await response.arrayBuffer()).readUInt16BE() === 0xffd8;
  t.same([wrong.headers.get('content-type'), await isJpeg(wrong)], ['text/html', true]);
  t.same([not.headers.get('content-type'), await isJpeg(not)], ['image/jpeg', false]);
});

const ofJobs: Readonly<Record<JobFault, readonly number[]>> = {
  busy: [503, 503],
  busyOnce: [503, 201],
  conflict: [409, 409],
  refused: [500, 500],
  wrongLocation: [201],
  noLocation: [201],
  redirectJobs: [307, 307],
};

for (const fault of Object.keys(jobFaults) as JobFault[]) {
  t.test(`${fault}: ${jobFaults[fault]}`, async t => {
    const device = await started(t, fault);
    for (const code of ofJobs[fault]) {
      const response = await post(device);
      t.equal(response.status, code);
      const location = response.headers.get('location');
      if (location !== null && fault !== 'busyOnce') t.notOk(location.startsWith(device.url), 'not its own address');
      if (fault === 'wrongLocation')
        t.equal(
          (await next(new URL(new URL(location ?? '').pathname, device.url).href)).status,
          200,
          'its path is right',
        );
    }
    t.equal(device.remaining(), fault === 'wrongLocation' ? 2 : 3);
  });
}

t.test('fault: deafToEnd, a job that is deleted stays', async t => {
  const device = await started(t, 'deafToEnd');
  const job = await begin(device);
  const giveUp = new AbortController();
  const deleted = fetch(job, { method: 'DELETE', signal: giveUp.signal }).then(
    () => 'answered',
    () => 'deaf',
  );
  t.equal((await next(job)).status, 200, 'it goes on');
  giveUp.abort();
  t.equal(await deleted, 'deaf');
});

const ofDocuments: Readonly<Record<DocumentFault, (device: Device, document: string) => Promise<boolean>>> = {
  entities: async (device, document) => /<!ENTITY l9 /.test(await (await fetch(`${device.url}/${document}`)).text()),
  async hugeXml(device, document) {
    let read = 0;
    for await (const piece of (await fetch(`${device.url}/${document}`)).body ?? []) {
      read += piece.length;
      if (read > 1024 * 1024) return true;
    }
    return false;
  },
  notXml: async (device, document) => /<html>/.test(await (await fetch(`${device.url}/${document}`)).text()),
  async deaf(device, document) {
    const giveUp = new AbortController();
    const asked = fetch(`${device.url}/${document}`, { signal: giveUp.signal }).then(
      () => false,
      () => true,
    );
    while (device.requests.length === 0) await new Promise(resolve => setImmediate(resolve));
    giveUp.abort();
    return asked;
  },
  unavailable: async (device, document) => (await fetch(`${device.url}/${document}`)).status === 503,
  redirectDocuments: async (device, document) =>
    (await fetch(`${device.url}/${document}`, { redirect: 'manual' })).status === 302,
};

for (const fault of Object.keys(documentFaults) as DocumentFault[]) {
  t.test(`${fault}: ${documentFaults[fault]}`, async t => {
    for (const document of ['ScannerCapabilities', 'ScannerStatus'])
      t.ok(await ofDocuments[fault](await started(t, fault), document), document);
  });
}

t.test('strayed: requests to the other host are recorded', async t => {
  const device = await started(t, 'redirect', 1);
  t.equal((await fetch(`${await begin(device)}/NextDocument`)).status, 404);
  t.match(device.strayed, [{ method: 'GET', path: '/page.jpg' }]);
});
