/** Over a server with one scan. */
import t, { type Test } from 'tap';
import { createCalls } from '../calls.js';
import type { Scan } from '../../client/scans/keptScan.js';
import { id } from '../../client/scans/servedScan.test.kit.js';
import { scanServer, until, type ScanServer } from '../../client/scans/scanServer.test.kit.js';
import { createScanLocks } from './scanLocks.js';
import { createPageMarks } from '../pages/pageMarks.js';
import { createNotices } from '../messages/notices.js';
import { createShownScans, type ShownScans } from './shownScans.js';
import { fakeContext, kept } from '../pages/sheets.test.kit.js';
import { createSavedDocuments } from '../pages/savedDocuments.js';
import { createWaitingScans } from './waitingScans.js';

const RELEASE = `DELETE /api/scans/${id}`;

interface Given {
  readonly takesAll?: boolean;
  readonly isHeld?: boolean;
  readonly context?: ReturnType<typeof fakeContext>;
}

/** Of the dialog before: the page that it was in is left. */
let earlier: ShownScans | undefined;

function dialog({ url }: ScanServer, { takesAll = true, isHeld = false, context = fakeContext() }: Given = {}) {
  const shown: string[] = [];
  const whole = { ...context, client: createCalls({ baseUrl: url }) };
  const marks = createPageMarks(whole.memory);
  const locks = { ...createScanLocks(), hold: async () => !isHeld };
  earlier?.dispose();
  const shownScans = (earlier = createShownScans(whole.memory, marks, locks));
  const notices = createNotices(whole);
  const documents = createSavedDocuments(whole.memory);
  const waiting = createWaitingScans({
    ...{ context: whole, notices, shownScans, marks, locks, documents },
    takesAll: () => takesAll,
    onShow: scans => void shown.push(...scans.map(scan => scan.id)),
    onOpen: ({ savedDocument }) => void shown.push(savedDocument.name),
  });
  return { context: whole, waiting, documents, shownScans, notices, shown };
}

const ids = (scans: readonly Scan[]): string[] => scans.map(scan => scan.id);

/** A scan of an earlier visit. */
async function left(t: Test, requestId?: string): Promise<ScanServer> {
  const server = await scanServer(t);
  await createCalls({ baseUrl: server.url }).startScan('Feeder A', {}, requestId === undefined ? {} : { requestId });
  server.add('one');
  server.add('two');
  return server;
}

t.test('waiting: a scan of an earlier visit is offered, without the pages that were removed, and shown', async t => {
  const server = await left(t);
  server.end('completed');
  const { context, waiting, shownScans, shown } = dialog(server);
  shownScans.mark([kept(id, 2)], 'removed');
  await waiting.look();
  t.same(ids(waiting.scans), [id]);
  t.same(waiting.scans.map(waiting.pagesOf), [1]);
  t.same(shown, []);
  waiting.accept();
  t.same(shown, [id]);
  t.same(waiting.scans, []);
  t.same(context.focused, ['pages']);
  t.equal(server.count(RELEASE), 0);
});

t.test('waiting: discarded, it is deleted only when the person can no longer take it back', async t => {
  const server = await left(t);
  server.end('failed', 'paper-jam');
  const { waiting, notices } = dialog(server);
  await waiting.look();
  waiting.refuse(waiting.scans);
  t.same(waiting.scans, []);
  const [notice] = notices.all;
  t.match(notice, { kind: 'note', title: /discarded/, action: { text: 'Undo' } });
  notices.act(notice!);
  t.same(ids(waiting.scans), [id]);
  t.equal(server.count(RELEASE), 0);
  waiting.refuse(waiting.scans);
  notices.close(notices.all[0]!);
  await until(() => server.count(RELEASE) === 1);
  t.same(waiting.scans, []);
});

t.test('waiting: one that runs, of a tab that was closed, ends before it is deleted', async t => {
  const server = await left(t, 'platen-scan.1');
  const { waiting, notices } = dialog(server, { takesAll: false });
  await waiting.look();
  t.same(ids(waiting.scans), [id]);
  waiting.refuse(waiting.scans);
  notices.close(notices.all[0]!);
  await until(() => server.count(RELEASE) === 1);
  t.ok(server.asked.findIndex(({ call }) => call === `POST /api/scans/${id}/cancel`) > 0);
  t.same(notices.all, []);
});

t.test('waiting: a scan that runs is shown at once, and so is one that this component showed', async t => {
  const server = await left(t);
  const { waiting, shown } = dialog(server);
  await waiting.look();
  t.same(shown, [id]);
  t.same(waiting.scans, []);
  server.end('completed');
  const context = fakeContext();
  context.memory.remember('scans', [id], 'tab');
  const after = dialog(server, { context, takesAll: false });
  t.same(after.shown, []);
  await after.waiting.look();
  t.same(after.waiting.scans, [], 'it is another application’s');
});

t.test('waiting: in another application, only scans of a component', async t => {
  const foreign = await left(t, 'mine');
  foreign.end('completed');
  const apart = dialog(foreign, { takesAll: false });
  await apart.waiting.look();
  t.same([ids(apart.waiting.scans), apart.shown], [[], []]);
  const server = await left(t, 'platen-scan.1');
  server.end('completed');
  const { waiting } = dialog(server, { takesAll: false });
  await waiting.look();
  t.same(ids(waiting.scans), [id]);
  const context = fakeContext();
  context.memory.remember('scans', [id], 'tab');
  const reloaded = dialog(server, { context, takesAll: false });
  await reloaded.waiting.look();
  t.same(reloaded.shown, [id], 'shown before the reload');
  t.same(reloaded.waiting.scans, []);
});

t.test('waiting: nothing is offered that another tab shows, that the person is done with, or of a preview', async t => {
  const server = await left(t);
  server.end('completed');
  const held = dialog(server, { isHeld: true });
  await held.waiting.look();
  t.same([ids(held.waiting.scans), held.shown, server.count(RELEASE)], [[], [], 0]);
  const done = dialog(server);
  done.shownScans.mark([kept(id, 1)], 'handed-over');
  done.shownScans.mark([kept(id, 2)], 'removed');
  await done.waiting.look();
  t.same([ids(done.waiting.scans), done.shown], [[], []]);
  await until(() => server.count(RELEASE) === 1);
  const previewed = await left(t, 'platen-preview.1');
  previewed.end('cancelled', 'cancelled');
  const next = dialog(previewed);
  await next.waiting.look();
  t.same([ids(next.waiting.scans), next.shown], [[], []]);
  await until(() => previewed.count(RELEASE) === 1);
});

t.test('waiting: a saved document is not a scan that waits: it is shown by its name, or discarded', async t => {
  const server = await left(t);
  server.end('completed');
  const { waiting, documents, shownScans, notices, shown } = dialog(server);
  shownScans.mark([kept(id, 1), kept(id, 2)], 'saved');
  documents.add({ name: 'gone.pdf', bytes: 1, layout: { order: ['other/1'], turns: {} } });
  documents.add({ name: 'one.pdf', bytes: 7, layout: { order: [`${id}/2`, `${id}/1`], turns: {} } });
  await waiting.look();
  t.equal(server.count(RELEASE), 0, 'a download that began is no file yet');
  t.same(ids(waiting.scans), []);
  t.match(waiting.saved, [{ savedDocument: { name: 'one.pdf' }, scans: [{ id }] }]);
  t.equal(documents.all.length, 1, 'a document whose scans are gone is forgotten');
  const [one] = waiting.saved;
  waiting.open(one!);
  t.same([shown, waiting.saved], [['one.pdf'], []]);
  waiting.add(one!.scans);
  waiting.refuse(one!.scans);
  t.same(waiting.saved, []);
  notices.act(notices.all[0]!);
  t.equal(waiting.saved.length, 1, 'taken back');
  waiting.refuse(one!.scans);
  notices.close(notices.all[0]!);
  await until(() => server.count(RELEASE) === 1);
});

t.test('waiting: a saved document that was scanned on waits like a scan', async t => {
  const server = await left(t);
  server.end('completed');
  const { waiting, documents } = dialog(server);
  documents.add({ name: 'one.pdf', bytes: 7, layout: { order: [`${id}/1`], turns: {} } });
  await waiting.look();
  t.same([ids(waiting.scans), waiting.saved], [[id], []]);
});

t.test('waiting: a document that is set aside during the look stays', async t => {
  const server = await left(t);
  server.end('completed');
  const first = dialog(server);
  await first.waiting.look();
  const [scan] = first.waiting.scans;
  const { waiting, documents, shownScans } = dialog(server);
  shownScans.add(scan!);
  documents.add({ name: 'one.pdf', bytes: 7, layout: { order: [`${id}/1`, `${id}/2`], turns: {} } });
  const looking = waiting.look();
  let isAside = false;
  const { has } = shownScans;
  shownScans.has = each => {
    const had = has(each);
    // Asked for while the scans are sorted.
    if (!isAside) {
      isAside = true;
      waiting.add(shownScans.setAside());
    }
    return had;
  };
  await looking;
  t.match(waiting.saved, [{ savedDocument: { name: 'one.pdf' } }]);
});
