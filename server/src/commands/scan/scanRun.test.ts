/** A scan through a service: it is refused, ended early, fails, is lost, and is let go. */
import { createClient, PlatenError, type PlatenErrorCode } from '@platen/client';
import { serviceAt } from '@platen/client/service';
import { fakeDocumentFormat, fakeDriver, fakeFormat, type FakeDriverOptions } from '@platen/conformance';
import { InvalidValue, ScanError } from '@platen/core';
import t, { type Test } from 'tap';
import { NoReply } from '../../machine/ask.js';
import { reachFakes } from './reach.test.kit.js';
import type { ReachedService } from './reachedService.js';
import { failureIn, startScanRun } from './scanRun.js';

async function scanning(t: Test, options: FakeDriverOptions, scannerName = 'A', parameters = {}) {
  const driver = fakeDriver({ devices: [{ name: 'A', flatbed: false }], ...options });
  const format = fakeDocumentFormat();
  const { service, kept } = await reachFakes(t, {
    drivers: [driver],
    formats: [fakeFormat({ name: 'Png' })],
    documents: [format],
  });
  const seen: number[] = [];
  const run = startScanRun({ scannerName, parameters }, service, async ({ number }) => void seen.push(number));
  return {
    driver,
    service,
    format,
    run,
    seen,
    kept,
    async document(): Promise<number> {
      let bytes = 0;
      for await (const chunk of run.document({ format: 'fake' })) bytes += chunk.length;
      return bytes;
    },
  };
}

t.test('scan of a command: each page is taken, the document is written while it is scanned, then all goes', async t => {
  const { run, seen, format, document, kept } = await scanning(t, { sheets: 3 });
  t.ok(await run.started);
  t.ok((await document()) > 0);
  t.equal(await run.over, undefined);
  t.same(seen, [1, 2, 3]);
  t.equal(format.pages, 3);
  t.match(
    run.leftOver({ format: 'fake', title: 'A & B' }),
    /^Its pages are kept in .*: curl .*\/api\/scans\/[\da-f-]{36}\/document\?format=fake&title=A/,
  );
  t.match(
    run.leftPages([{ number: 2 }, { number: 3 }, { number: 4, isStored: false }]),
    /^Page 4 is in memory only.* Pages 2, 3 are kept in .*\/pages\/2 -o FILE$/,
  );
  t.match(await run.documents(), [{ number: 1, pages: [1, 2, 3] }]);
  t.equal((await kept()).length, 1);
  await run.release();
  t.same(await kept(), []);
});

t.test('scan of a command: a jam, the pages before it are all of the document', async t => {
  const { run, format, document } = await scanning(t, { sheets: 3, faults: { 2: 'paper-jam' } });
  await run.started;
  await document();
  t.match(await run.over, { code: 'paper-jam' });
  t.equal(format.pages, 1);
});

t.test('scan of a command: continued after a jam, the later pages are taken', async t => {
  const { run, driver, service, seen } = await scanning(t, { sheets: 3, faults: { 2: 'paper-jam' } });
  t.match(await run.over, { code: 'paper-jam' });
  driver.clearFaults();
  const { scan } = run;
  if (!scan) return t.fail('the scan was accepted');
  const parts = { scannerName: 'A', parameters: {}, continued: scan };
  const more = startScanRun(parts, service, async ({ number }) => void seen.push(number));
  t.equal(await more.over, undefined);
  t.equal(more.scan, scan);
  t.same(seen, [1, 2], 'the jammed sheet was taken out');
  const again = startScanRun(parts, service, async () => undefined);
  t.match(await again.over, { code: 'no-paper' }, 'nothing is left to scan');
});

t.test('scan of a command: refused, nothing is kept', async t => {
  const { run, kept } = await scanning(t, { sheets: 3 }, 'C');
  t.notOk(await run.started);
  t.match(await run.over, { code: 'device-not-found' });
  t.same(await kept(), []);
  const wrong = await scanning(t, {}, 'A', { resolution: 1_000_000 });
  t.match(await wrong.run.over, { code: 'invalid-value', field: /resolution/, accepts: /./ });
});

t.test('scan of a command: ended before paper moves, the reason is the one that was given', async t => {
  const { run, driver, kept } = await scanning(t, { sheets: 3 });
  const reason = new ScanError('cancelled', 'The scan was stopped.');
  await run.end(reason);
  await run.end(new ScanError('cancelled', 'Stopped again.'));
  t.equal(await run.over, reason);
  t.ok(driver.fed <= 1);
  if (await run.started) await run.release();
  t.same(await kept(), []);
});

t.test('scan of a command: ended while it feeds, the pages so far are the document', async t => {
  const { run, driver, format, document } = await scanning(t, { sheets: 30 });
  const reason = new ScanError('cancelled', 'The scan was stopped.');
  t.ok(await run.started);
  const written = document();
  await driver.whenFed(2);
  await run.end(reason);
  t.equal(await run.over, reason);
  await written;
  t.equal(format.pages, driver.fed);
  t.ok(driver.fed < 30);
});

type Told = Readonly<Record<string, (tries: number) => Response | Promise<Response>>>;

/** A scan in a service that answers as told, by `VERB /path`; else with what follows. */
function told(answers: Told) {
  const asked: string[] = [];
  const json = (value: object): Response => Response.json(value);
  const scan = { id: 's', state: 'running', notes: [], pageCount: 0, pages: [], progress: {} };
  const otherwise: Told = {
    'POST /api/scans': () => json(scan),
    'POST /api/scans/s/cancel': () => json(scan),
    'POST /api/twain/cancel': () => json({ message: 'Cancelled.' }),
    'DELETE /api/scans/s': () => json({ success: true }),
  };
  const fetch = async (url: string, { method = 'GET' }: RequestInit = {}): Promise<Response> => {
    const call = `${method} ${new URL(url).pathname}`;
    const tries = asked.push(call) && asked.filter(each => each === call).length;
    const answer = answers[call] ?? otherwise[call];
    if (!answer) throw new NoReply('refused', 'ECONNREFUSED');
    return answer(tries);
  };
  const options = { baseUrl: 'https://localhost:1', fetch: fetch as typeof globalThis.fetch };
  const service: ReachedService = {
    client: createClient(options),
    calls: serviceAt(options),
    looked: async () => undefined,
    left: (what, path) => `${what} LEFT ${path}`,
    close: async () => undefined,
  };
  return { asked, run: startScanRun({ scannerName: 'A', parameters: {} }, service, async () => undefined) };
}

function refusal(code: string, status = 409): Response {
  const headers = { 'platen-error': JSON.stringify({ code }) };
  const response = Response.json({ success: false, error: `${code}.` }, { status, headers });
  return Object.defineProperty(response, 'url', { value: 'https://localhost:1/' });
}

const events = (...all: readonly (readonly [string, object])[]): Response =>
  new Response(all.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join(''));

t.test('scan of a command: refused because it was stopped before it began', async t => {
  let refuse = (_: Response): void => undefined;
  const { run, asked } = told({ 'POST /api/scans': () => new Promise(resolve => (refuse = resolve)) });
  const reason = new ScanError('cancelled', 'Stopped.');
  await run.end(reason);
  refuse(refusal('busy'));
  t.equal(await run.over, reason);
  t.same(asked.sort(), ['POST /api/scans', 'POST /api/twain/cancel']);
});

t.test('scan of a command: stopped while the service starts it, cancels the scan that it gets', async t => {
  let accept = (): void => undefined;
  const scan = { id: 's', state: 'running', notes: [], pageCount: 0, pages: [], progress: {} };
  const { run, asked } = told({
    'POST /api/scans': () => new Promise(resolve => (accept = () => resolve(Response.json(scan)))),
    'GET /api/scans/s/events': () => events(['state', { state: 'cancelled', code: 'cancelled', notes: [] }]),
  });
  const reason = new ScanError('cancelled', 'Stopped.');
  await run.end(reason);
  accept();
  t.equal(await run.over, reason);
  t.ok(asked.includes('POST /api/scans/s/cancel'));
});

t.test('scan of a command: interrupted by the end of the service, it can be let go', async t => {
  const state = { state: 'interrupted', code: 'service-ended', error: 'It ended.', notes: [] };
  const { run, asked } = told({ 'GET /api/scans/s/events': () => events(['state', state]) });
  t.match(await run.over, { code: 'service-ended' });
  t.equal(run.isLost, false);
  await run.release();
  t.equal(asked.at(-1), 'DELETE /api/scans/s');
});

t.test('scan of a command: the restarted service does not have the scan; its events are refused', async t => {
  const gone = told({ 'GET /api/scans/s/events': () => refusal('scan-not-found', 404) });
  t.match(await gone.run.over, { code: 'service-ended' });
  const refused = told({ 'GET /api/scans/s/events': () => refusal('origin-refused', 403) });
  t.match(await refused.run.over, { code: 'internal' });
  for (const { run, asked } of [gone, refused]) {
    t.equal(run.isLost, true);
    t.ok(asked.includes('POST /api/scans/s/cancel'));
    await run.release();
    t.notOk(
      asked.some(each => each.startsWith('DELETE')),
      'the scan stays',
    );
  }
});

t.test(
  'scan of a command: lost after the answer to a cancel had told its end, the pages that did not come stay',
  async t => {
    const scan = { id: 's', state: 'completed', notes: [], pageCount: 2, pages: [], progress: {} };
    const { run, asked } = told({
      'POST /api/scans/s/cancel': () => Response.json(scan),
      'GET /api/scans/s/events': async () => {
        await run.end(new ScanError('cancelled', 'Stopped.'));
        return refusal('scan-not-found', 404);
      },
    });
    t.match(await run.over, { code: 'service-ended' });
    t.equal(run.isLost, true);
    await run.release();
    t.notOk(asked.some(each => each.startsWith('DELETE')));
  },
);

t.test('scan of a command: a document that breaks off is not an answer', async t => {
  const broken = new ReadableStream({ start: controller => controller.error(new Error('aborted')) });
  const { run } = told({
    'GET /api/scans/s/events': () => new Promise(() => undefined),
    'GET /api/scans/s/document': () => new Response(broken),
  });
  t.ok(await run.started);
  const read = async (): Promise<void> => {
    for await (const _ of run.document({ format: 'pdf' })) t.fail('no bytes');
  };
  await t.rejects(read(), { name: 'NoReply' });
});

t.test('scan of a command: a refusal by HTTP is an error of the command', async t => {
  for (const code of ['unknown-path', 'host-refused', 'token-required'])
    await t.rejects(told({ 'POST /api/scans': () => refusal(code, 403) }).run.over, { code });
});

t.test('failures: what the command says of each', async t => {
  const of = (code: PlatenErrorCode, facts = {}): Error => failureIn(new PlatenError(code, 'Sentence.', facts), 'MORE');
  t.match(of('no-answer'), { name: 'ScanError', code: 'service-ended', message: /MORE$/ });
  t.match(failureIn(new NoReply('foreign', 'lost')), { code: 'service-ended' });
  t.match(of('busy'), { name: 'ScanError', code: 'busy', message: 'Sentence.' });
  const wrong = of('invalid-value', { field: 'a.b', accepts: '1 or 2', allowed: [1, 2] });
  t.ok(wrong instanceof InvalidValue);
  t.match(wrong, { field: 'a.b', accepts: '1 or 2', allowed: [1, 2] });
  t.match(of('invalid-value', { field: 'a.b' }), { code: 'invalid-value', field: 'a.b', accepts: 'another value' });
  const other = new Error('other');
  t.equal(failureIn(other), other);
});
