/** Done: files for the embedding page. Documents come from a server with one scan, through the client module. */
import t, { type Test } from 'tap';
import { createCalls } from '../calls.js';
import { id } from '../../client/scans/servedScan.test.kit.js';
import { scanServer, until } from '../../client/scans/scanServer.test.kit.js';
import { createDelivery } from './delivery.js';
import { createScanLocks } from '../scanning/scanLocks.js';
import { createPageMarks } from '../pages/pageMarks.js';
import { createNotices } from '../messages/notices.js';
import { optionsOf } from '../options.js';
import type { Sheet } from '../pages/page.js';
import { createShownScans } from '../scanning/shownScans.js';
import { fakeContext, kept } from '../pages/sheets.test.kit.js';
import { createStack } from '../pages/stack.js';

const DOCUMENTS = 'POST /api/documents';

async function dialog(t: Test, sheets: readonly Sheet[], format?: string) {
  const server = await scanServer(t);
  const context = { ...fakeContext(), client: createCalls({ baseUrl: server.url }) };
  await context.client.startScan('Feeder A');
  for (const bytes of ['one ', 'two ', 'three ']) server.add(bytes);
  const stack = createStack(() => undefined);
  stack.add(sheets, 'same');
  const shownScans = createShownScans(context.memory, createPageMarks(context.memory), createScanLocks());
  const notices = createNotices(context);
  const handed: (readonly File[])[] = [];
  const failures: unknown[] = [];
  const delivery = createDelivery({
    ...{ context, stack, shownScans, notices },
    options: () => optionsOf(name => (name === 'format' ? (format ?? null) : null), undefined),
    onFiles: files => void handed.push(files),
    fail: async error => void failures.push(error),
  });
  return { server, stack, shownScans, notices, handed, failures, delivery };
}

const pages = (...numbers: number[]): Sheet[] => numbers.map(number => kept(id, number));

t.test('done: one PDF of the pages in the person’s order, turned', async t => {
  const { server, stack, shownScans, notices, handed, failures, delivery } = await dialog(t, pages(1, 2, 3));
  const [one, two, three] = stack.all as [Sheet, Sheet, Sheet];
  stack.move([three], 1);
  stack.turn([one], 90);
  stack.remove([two]);
  const running = delivery.run();
  t.ok(delivery.isWorking);
  await delivery.run();
  await running;
  t.notOk(delivery.isWorking);
  t.equal(server.count(DOCUMENTS), 1, 'pressed twice, made once');
  const [[file] = []] = handed;
  t.equal(file?.name, 'scan-20261121-1030.pdf');
  t.equal(await file?.text(), 'three one @90 ');
  t.same(
    [one, two, three].map(sheet => shownScans.isMarked(sheet, 'handed-over')),
    [true, false, true],
  );
  t.match(notices.all, [{ kind: 'note', title: '2 pages handed over', text: /^Changes after this / }]);
  t.same(failures, []);
});

t.test('done: images, each under its number', async t => {
  const { server, stack, handed, delivery } = await dialog(t, pages(1, 2), 'images');
  stack.turn([stack.all[1]!], 180);
  await delivery.run();
  const [files = []] = handed;
  t.same(
    files.map(({ name }) => name),
    ['scan-20261121-1030-page-01.png', 'scan-20261121-1030-page-02.png'],
  );
  t.same(await Promise.all(files.map(async file => file.text())), [`${id}/1 0`, `${id}/2 180`]);
  t.equal(server.count(DOCUMENTS), 0);
});

t.test('done: a page that cannot be read is left out, and the person reads so', async t => {
  const sheets = [...pages(1), kept(id, 2, { damage: 'The file is gone.' })];
  const { notices, handed, delivery } = await dialog(t, sheets);
  await delivery.run();
  t.equal(await handed[0]?.[0]?.text(), 'one ');
  t.match(notices.all, [{ kind: 'alert', title: '1 page handed over', text: /^1 page cannot be read/ }]);
});

t.test('done: without a page that can be read, a failure; no file is handed over', async t => {
  for (const sheets of [[], [kept(id, 1, { damage: 'The file is gone.' })]]) {
    const { handed, failures, notices, delivery } = await dialog(t, sheets);
    await delivery.run();
    t.match(failures, [{ code: 'no-pages' }]);
    t.same([handed, notices.all], [[], []]);
  }
});

t.test('done: a service that refuses is a failure, and nothing is marked as handed over', async t => {
  const { server, stack, shownScans, handed, failures, delivery } = await dialog(t, pages(1));
  server.fail(DOCUMENTS, 404);
  await delivery.run();
  t.match(failures, [{ code: 'scan-not-found' }]);
  t.same(handed, []);
  t.notOk(shownScans.isMarked(stack.all[0]!, 'handed-over'));
  t.notOk(delivery.isWorking);
});

t.test('done: cancelled, nothing is handed over, and nothing is said', async t => {
  for (const format of ['pdf', 'images']) {
    const { handed, failures, notices, delivery } = await dialog(t, pages(1, 2), format);
    const running = delivery.run();
    delivery.cancel();
    await running;
    t.same([handed, failures, notices.all], [[], [], []], format);
    await delivery.run();
    t.equal(handed.length, 1, 'it can be pressed again');
  }
});

t.test('files: in another format, without handing them over', async t => {
  const { server, shownScans, stack, handed, delivery } = await dialog(t, pages(1, 2));
  t.equal((await delivery.files('images')).length, 2);
  const [tiff] = await delivery.files('tif');
  t.match(tiff?.name, /\.tif$/);
  await until(() => server.count(DOCUMENTS) === 1);
  t.match(JSON.parse(server.asked.find(({ call }) => call === DOCUMENTS)?.body ?? ''), { format: 'tif' });
  t.same(handed, []);
  t.notOk(shownScans.isMarked(stack.all[0]!, 'handed-over'));
  await t.rejects(delivery.files('pdf', AbortSignal.abort()));
});
