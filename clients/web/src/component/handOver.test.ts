/** Done: files for the embedding page. Documents come from a server with one scan, through the client module. */
import t, { type Test } from 'tap';
import { createCalls } from './calls.js';
import { id, scanServer, until } from '../client/scanServer.test.kit.js';
import { createHandOver } from './handOver.js';
import { createHolding } from './holding.js';
import { createMarks } from './marks.js';
import { createNotices } from './notices.js';
import { optionsOf } from './options.js';
import type { Sheet } from './page.js';
import { createScansHere } from './scansHere.js';
import { fakeContext, kept } from './sheets.test.kit.js';
import { createStack } from './stack.js';

const DOCUMENTS = 'POST /api/documents';

async function desk(t: Test, sheets: readonly Sheet[], format?: string) {
  const server = await scanServer(t);
  const context = { ...fakeContext(), client: createCalls({ baseUrl: server.url }) };
  await context.client.startScan('Feeder A');
  for (const bytes of ['one ', 'two ', 'three ']) server.add(bytes);
  const stack = createStack(() => undefined);
  stack.add(sheets, 'same');
  const here = createScansHere(context.memory, createMarks(context.memory), createHolding());
  const notices = createNotices(context);
  const handed: (readonly File[])[] = [];
  const failures: unknown[] = [];
  const handOver = createHandOver({
    ...{ context, stack, here, notices },
    options: () => optionsOf(name => (name === 'format' ? (format ?? null) : null), undefined),
    onFiles: files => void handed.push(files),
    fail: async error => void failures.push(error),
  });
  return { server, stack, here, notices, handed, failures, handOver };
}

const pages = (...numbers: number[]): Sheet[] => numbers.map(number => kept(id, number));

t.test('done: one PDF of the pages in the person’s order, turned', async t => {
  const { server, stack, here, notices, handed, failures, handOver } = await desk(t, pages(1, 2, 3));
  const [one, two, three] = stack.all as [Sheet, Sheet, Sheet];
  stack.move([three], 1);
  stack.turn([one], 90);
  stack.remove([two]);
  const running = handOver.run();
  t.ok(handOver.isWorking);
  await handOver.run();
  await running;
  t.notOk(handOver.isWorking);
  t.equal(server.count(DOCUMENTS), 1, 'pressed twice, made once');
  const [[file] = []] = handed;
  t.equal(file?.name, 'scan-20261121-1030.pdf');
  t.equal(await file?.text(), 'three one @90 ');
  t.same(
    [one, two, three].map(sheet => here.isMarked(sheet, 'handed-over')),
    [true, false, true],
  );
  t.match(notices.all, [{ kind: 'note', title: '2 pages handed over', text: /^Changes after this / }]);
  t.same(failures, []);
});

t.test('done: images, each under its number', async t => {
  const { server, stack, handed, handOver } = await desk(t, pages(1, 2), 'images');
  stack.turn([stack.all[1]!], 180);
  await handOver.run();
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
  const { notices, handed, handOver } = await desk(t, sheets);
  await handOver.run();
  t.equal(await handed[0]?.[0]?.text(), 'one ');
  t.match(notices.all, [{ kind: 'alert', title: '1 page handed over', text: /^1 page cannot be read/ }]);
});

t.test('done: without a page that can be read, a failure; no file is handed over', async t => {
  for (const sheets of [[], [kept(id, 1, { damage: 'The file is gone.' })]]) {
    const { handed, failures, notices, handOver } = await desk(t, sheets);
    await handOver.run();
    t.match(failures, [{ code: 'no-pages' }]);
    t.same([handed, notices.all], [[], []]);
  }
});

t.test('done: a service that refuses is a failure, and nothing is marked as handed over', async t => {
  const { server, stack, here, handed, failures, handOver } = await desk(t, pages(1));
  server.fail(DOCUMENTS, 404);
  await handOver.run();
  t.match(failures, [{ code: 'scan-not-found' }]);
  t.same(handed, []);
  t.notOk(here.isMarked(stack.all[0]!, 'handed-over'));
  t.notOk(handOver.isWorking);
});

t.test('done: cancelled, nothing is handed over, and nothing is said', async t => {
  for (const format of ['pdf', 'images']) {
    const { handed, failures, notices, handOver } = await desk(t, pages(1, 2), format);
    const running = handOver.run();
    handOver.cancel();
    await running;
    t.same([handed, failures, notices.all], [[], [], []], format);
    await handOver.run();
    t.equal(handed.length, 1, 'it can be pressed again');
  }
});

t.test('files: in another format, without handing them over', async t => {
  const { server, here, stack, handed, handOver } = await desk(t, pages(1, 2));
  t.equal((await handOver.files('images')).length, 2);
  const [tiff] = await handOver.files('tif');
  t.match(tiff?.name, /\.tif$/);
  await until(() => server.count(DOCUMENTS) === 1);
  t.match(JSON.parse(server.asked.find(({ call }) => call === DOCUMENTS)?.body ?? ''), { format: 'tif' });
  t.same(handed, []);
  t.notOk(here.isMarked(stack.all[0]!, 'handed-over'));
  await t.rejects(handOver.files('pdf', AbortSignal.abort()));
});
