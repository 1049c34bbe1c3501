/** The running job, with the client module, over a server with one scan. */
import t, { type Test } from 'tap';
import { createCalls } from '../calls.js';
import { PlatenError } from '../../client/errors.js';
import type { Scan } from '../../client/scans/keptScan.js';
import { id } from '../../client/scans/servedScan.test.kit.js';
import { scanServer, until } from '../../client/scans/scanServer.test.kit.js';
import { createJob, isOfComponent, isPreview, type Followed } from './job.js';
import type { Activity } from './activity.js';
import { createNotices } from '../messages/notices.js';
import type { KeptAt } from '../pages/page.js';
import { fakeContext } from '../pages/sheets.test.kit.js';

const CANCEL = `POST /api/scans/${id}/cancel`;
const EVENTS = `GET /api/scans/${id}/events`;

async function dialog(t: Test) {
  const server = await scanServer(t);
  const activities: (Activity | undefined)[] = [];
  const [begun, ended]: [Scan[], Followed[]] = [[], []];
  const [refused, failures]: [unknown[], unknown[]] = [[], []];
  const context = {
    ...fakeContext(),
    client: createCalls({ baseUrl: server.url }),
    changed: () => void (activities.at(-1) !== job.activity && activities.push(job.activity)),
  };
  const notices = createNotices(context);
  const job = createJob({
    ...{ context, notices },
    onScan: scan => void begun.push(scan),
    onEnd: followed => void ended.push(followed),
    onRefused: (_, error) => void refused.push(error),
    onConnection: () => undefined,
    onFailure: error => void failures.push(error),
  });
  const taken: string[] = [];
  const take = (sheets: readonly { readonly id: string }[], isFirst: boolean): void => {
    for (const sheet of sheets) taken.push(isFirst ? `first ${sheet.id}` : sheet.id);
  };
  return { server, context, notices, job, activities, begun, ended, refused, failures, taken, take };
}

t.test('scan: its pages are given as they are finished, then its end', async t => {
  const { server, context, job, activities, begun, ended, failures, taken, take } = await dialog(t);
  const done = job.scan('Feeder A', { resolution: 75 }, take);
  t.match(job.activity, { kind: 'scan', scanner: 'Feeder A', before: 0, count: 0, isConnected: true, isEnding: false });
  await until(() => begun.length === 1);
  t.ok(isOfComponent(begun[0]!) && !isPreview(begun[0]!));
  server.add('one');
  await until(() => taken.length === 1);
  t.match(job.activity, { count: 1 });
  server.add('two');
  await until(() => taken.length === 2);
  t.same(ended, []);
  server.end('completed');
  await done;
  t.same(taken, [`first ${id}/1`, `${id}/2`]);
  t.match(ended, [{ count: 2, tookMs: Number, end: { isFault: false, code: undefined, error: undefined } }]);
  t.equal(job.activity, undefined);
  t.equal(activities.at(-1), undefined);
  t.same(context.said.slice(-1), ['2 pages finished']);
  t.same(failures, []);
});

t.test('scan: a page’s file is at the service, and is read turned', async t => {
  const { server, job, begun } = await dialog(t);
  const files: unknown[] = [];
  const done = job.scan('Feeder A', {}, ([sheet]) => void files.push(sheet?.page.file));
  await until(() => begun.length === 1);
  server.add('one');
  server.end('completed');
  await done;
  const [file] = files as [KeptAt];
  t.match(file, { scan: id, number: 1, sheet: 1, side: 'front', damage: undefined });
  t.equal(await (await file.read(90)).text(), 'one@90 ');
});

t.test('scan: one at a time', async t => {
  const { server, job, begun, ended, take } = await dialog(t);
  const done = job.scan('Feeder A', {}, take);
  await until(() => begun.length === 1);
  await job.scan('Feeder A', {}, take);
  t.equal(server.started.length, 1);
  t.equal(job.activity?.kind, 'scan', 'the first one goes on');
  server.end('completed');
  await done;
  t.equal(ended.length, 1);
});

t.test('scan: cancelled, it ends after the current sheet, and is not a fault', async t => {
  const { server, job, begun, ended, failures, taken, take } = await dialog(t);
  const done = job.scan('Feeder A', {}, take);
  await until(() => begun.length === 1);
  server.add('one');
  await until(() => taken.length === 1);
  job.end();
  t.match(job.activity, { isEnding: true });
  job.end();
  await done;
  t.equal(server.count(CANCEL), 1);
  t.match(ended, [{ count: 1, end: { isFault: false, code: 'cancelled' } }]);
  t.same(failures, []);
});

t.test('scan: what the service refuses is a failure, not an end', async t => {
  const { server, job, ended, failures, take } = await dialog(t);
  server.fail('POST /api/scans', 409);
  await job.scan('Feeder A', {}, take);
  t.match(failures, [{ code: 'busy' }]);
  t.same(ended, []);
  t.equal(job.activity, undefined);
});

t.test('scan: after a jam it goes on, and counts the pages before', async t => {
  const { server, job, begun, ended, refused, taken, take } = await dialog(t);
  const jammed = job.scan('Feeder A', {}, take);
  await until(() => begun.length === 1);
  server.add('one');
  server.end('failed', 'paper-jam');
  await jammed;
  t.match(ended, [{ count: 1, end: { isFault: true, code: 'paper-jam', error: /paper-jam/ } }]);
  const scan = begun[0]!;
  server.fail(`POST /api/scans/${id}/continue`, 409);
  await job.continue(scan, take);
  t.match(refused, [PlatenError]);
  t.match(refused, [{ code: 'busy' }]);
  t.equal(ended.length, 1);
  const continued = job.continue(scan, take);
  t.match(job.activity, { kind: 'scan', scanner: 'Feeder', before: 1, count: 0 });
  await until(() => server.streams() === 1);
  server.add('two');
  server.end('completed');
  await continued;
  t.same(taken, [`first ${id}/1`, `first ${id}/2`], 'the first of each job');
  t.match(ended[1], { count: 1, end: { isFault: false } });
});

t.test('scan: while the service is away, it waits, and says so; no page is lost or given twice', async t => {
  const { server, context, job, begun, activities, ended, failures, taken, take } = await dialog(t);
  const done = job.scan('Feeder A', {}, take);
  await until(() => begun.length === 1);
  server.add('one');
  await until(() => taken.length === 1);
  await server.stop();
  await until(() => job.activity?.isConnected === false);
  t.ok(context.said.includes('Reconnecting to the scanning service…'));
  server.add('two');
  await server.restart();
  await until(() => taken.length === 2);
  server.end('completed');
  await done;
  t.same(taken, [`first ${id}/1`, `${id}/2`]);
  t.ok(context.said.includes('Connected again'));
  t.ok(server.count(EVENTS) > 1);
  t.ok(activities.some(activity => activity?.isConnected === false));
  t.match(ended, [{ count: 2, end: { isFault: false } }]);
  t.same(failures, []);
});

t.test('follow: of a scan that ended, all pages at once; how long it took is not known', async t => {
  const { server, context, job, ended, taken, take } = await dialog(t);
  await context.client.startScan('Feeder A');
  for (const bytes of ['one', 'two', 'three']) server.add(bytes);
  server.end('completed');
  const [scan] = await context.client.listScans();
  await job.follow(scan!, take);
  t.same(taken, [`first ${id}/1`, `first ${id}/2`, `first ${id}/3`]);
  t.match(ended, [{ count: 3, tookMs: undefined }]);
});

t.test('auto-scan: its pages are those of a scan, until it is stopped', async t => {
  const { server, context, notices, job, begun, ended, failures, taken, take } = await dialog(t);
  const done = job.autoScan('Feeder A', { resolution: 75 }, take);
  t.match(job.activity, { kind: 'auto', scanner: 'Feeder A', count: 0 });
  await until(() => begun.length === 1);
  t.match(begun[0], { id, kind: 'autoscan' });
  t.ok(isOfComponent(begun[0]!));
  t.match(JSON.parse(server.started[0] ?? ''), {
    ...{ keep: true, scannerName: 'Feeder A' },
    parameters: { resolution: 75, report: true },
  });
  await until(() => notices.all.length === 1);
  t.match(notices.all, [{ kind: 'note', title: /^Auto-scan is on/, detail: 'A note about its paper.' }]);
  server.add('one');
  await until(() => taken.length === 1);
  t.match(job.activity, { count: 1 });
  t.ok(context.said.includes('Page 1 was scanned'));
  server.add('two');
  await until(() => taken.length === 2);
  job.end();
  t.match(job.activity, { isEnding: true });
  await done;
  t.equal(server.count(CANCEL), 1);
  t.same(taken, [`first ${id}/1`, `${id}/2`]);
  t.match(ended, [{ count: 2, end: { isFault: false, code: undefined } }]);
  t.same(failures, []);
});

t.test('auto-scan: after a reload it is followed as one, with the pages before', async t => {
  const { server, context, job, ended, taken, take } = await dialog(t);
  await context.client.startAutoScan('Feeder A');
  server.add('one');
  const [scan] = await context.client.listScans();
  const done = job.follow(scan!, take);
  t.match(job.activity, { kind: 'auto' });
  await until(() => taken.length === 1);
  server.add('two');
  await until(() => taken.length === 2);
  t.match(job.activity, { count: 2 });
  job.end();
  await done;
  t.match(ended, [{ count: 2, end: { isFault: false } }]);
});

t.test('auto-scan: what the service refuses is a failure', async t => {
  const { server, job, ended, failures, take } = await dialog(t);
  server.fail('POST /api/twain/autoscan/enable', 409);
  await job.autoScan('Feeder A', {}, take);
  t.match(failures, [{ code: 'busy' }]);
  t.same(ended, []);
});

t.test('a new job closes what earlier ones said', async t => {
  const { server, notices, job, begun, take } = await dialog(t);
  notices.show('note', { title: 'of the scan before' });
  const done = job.scan('Feeder A', {}, take);
  t.same(notices.all, []);
  await until(() => begun.length === 1);
  server.end('completed');
  await done;
});
