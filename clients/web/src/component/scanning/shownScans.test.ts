import t from 'tap';
import type { Scan } from '../../client/scans/keptScan.js';
import type { ScanState } from '../../client/shapes.js';
import { createScanLocks } from './scanLocks.js';
import { createPageMarks } from '../pages/pageMarks.js';
import { createShownScans } from './shownScans.js';
import { fakeContext, kept } from '../pages/sheets.test.kit.js';

function dialog({ memory } = fakeContext()) {
  const [done, released]: [string[], string[]] = [[], []];
  const locks = { ...createScanLocks(), release: (scan: string) => void released.push(scan) };
  const shownScans = createShownScans(memory, createPageMarks(memory), locks);
  /** @param fails the service does not let it go */
  const scan = (id: string, pageCount: number, state: ScanState = 'completed', fails = false): Scan => {
    const facts = { id, pageCount, state, kind: 'scan', scannerName: 'Feeder A' } as Scan;
    return Object.assign(facts, {
      async done() {
        done.push(id);
        if (fails) throw new Error('The service does not answer.');
      },
    });
  };
  return { shownScans, scan, done, released };
}

t.test('shown scans: those that are shown now, and those before the reload', async t => {
  const context = fakeContext();
  const { shownScans, scan } = dialog(context);
  const one = scan('one', 1);
  t.notOk(shownScans.has(one) || shownScans.had(one));
  shownScans.add(one);
  t.ok(shownScans.has(one));
  t.equal(shownScans.byId('one'), one);
  t.same(shownScans.all, [one]);
  const { shownScans: next } = dialog(context);
  t.same(next.all, []);
  t.equal(next.byId('one'), undefined);
  t.ok(next.had(one));
  t.notOk(next.had(scan('two', 1)));
});

t.test('shown scans: marks of pages', async t => {
  const { shownScans } = dialog();
  const [page, other] = [kept('one', 1), kept('one', 2)];
  shownScans.mark([page], 'removed');
  t.ok(shownScans.isMarked(page, 'removed'));
  t.notOk(shownScans.isMarked(page, 'saved'));
  t.notOk(shownScans.isMarked(other, 'removed'));
  shownScans.mark([page], undefined);
  t.notOk(shownScans.isMarked(page, 'removed'));
});

t.test('shown scans: a scan is done with when every page is; a running one never is', async t => {
  const { shownScans, scan } = dialog();
  const two = scan('two', 2);
  shownScans.mark([kept('two', 1), kept('two', 2)], 'saved');
  t.notOk(shownScans.isDone(two), 'a download that began is no file yet');
  shownScans.mark([kept('two', 2)], undefined);
  shownScans.mark([kept('two', 1)], 'handed-over');
  t.notOk(shownScans.isDone(two));
  // The first page that is left of an auto-scan may have any number.
  shownScans.mark([kept('two', 7)], 'removed');
  t.ok(shownScans.isDone(two));
  t.notOk(shownScans.isDone(scan('two', 2, 'running')));
  t.ok(shownScans.isDone(scan('none', 0, 'failed')), 'it ended without pages');
  shownScans.mark([kept('two', 7)], undefined);
  t.notOk(shownScans.isDone(two), 'the removal was undone');
});

t.test('shown scans: handed over and then saved, a page is still done with', async t => {
  const { shownScans, scan } = dialog();
  const page = kept('one', 1);
  shownScans.mark([page], 'handed-over');
  shownScans.mark([page], 'saved');
  t.ok(shownScans.isDone(scan('one', 1)));
  t.ok(shownScans.isMarked(page, 'handed-over'));
  shownScans.mark([page], 'removed');
  t.ok(shownScans.isMarked(page, 'removed'));
});

t.test('shown scans: only those that are done with are let go', async t => {
  const context = fakeContext();
  const { shownScans, scan, done, released } = dialog(context);
  const [one, two, broken] = [scan('one', 1), scan('two', 1), scan('broken', 0, 'failed', true)];
  for (const each of [one, two, broken]) shownScans.add(each);
  shownScans.mark([kept('one', 1)], 'removed');
  t.equal(shownScans.letGo(), 2);
  await new Promise(setImmediate);
  t.same(done, ['one', 'broken']);
  t.same(released, ['one', 'broken'], 'another tab may find it, also if the service did not answer');
  t.same(shownScans.all, [two]);
  t.notOk(dialog(context).shownScans.had(one));
  t.ok(dialog(context).shownScans.had(two));
});

t.test('shown scans: all are let go, but one that runs', async t => {
  const { shownScans, scan, done } = dialog();
  const running = scan('running', 1, 'running');
  for (const each of [scan('one', 3), running]) shownScans.add(each);
  shownScans.letGoAll();
  t.same(done, ['one']);
  t.same(shownScans.all, [running]);
});

t.test(
  'shown scans: set aside, they are shown no more, also after a reload, and only those that are done with go',
  async t => {
    const context = fakeContext();
    context.memory.remember('scans', ['one'], 'tab');
    const { shownScans, scan, done } = dialog(context);
    const [one, two] = [scan('one', 1), scan('two', 1)];
    for (const each of [one, two]) shownScans.add(each);
    shownScans.mark([kept('one', 1)], 'saved');
    shownScans.mark([kept('two', 1)], 'removed');
    t.same(shownScans.setAside(), [one]);
    t.same([shownScans.all, shownScans.had(one), done], [[], false, ['two']]);
    t.notOk(dialog(context).shownScans.had(one));
  },
);
