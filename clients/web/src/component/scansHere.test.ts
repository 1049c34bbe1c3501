import t from 'tap';
import type { Scan } from '../client/keptScan.js';
import type { ScanState } from '../client/shapes.js';
import { createHolding } from './holding.js';
import { createMarks } from './marks.js';
import { createScansHere } from './scansHere.js';
import { fakeContext, inMemory, kept } from './sheets.test.kit.js';

function desk({ memory } = fakeContext()) {
  const [done, released]: [string[], string[]] = [[], []];
  const holding = { ...createHolding(), release: (scan: string) => void released.push(scan) };
  const here = createScansHere(memory, createMarks(memory), holding);
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
  return { here, scan, done, released };
}

t.test('scans here: those that are shown now, and those before the reload', async t => {
  const context = fakeContext();
  const { here, scan } = desk(context);
  const one = scan('one', 1);
  t.notOk(here.has(one) || here.had(one));
  here.add(one);
  t.ok(here.has(one));
  t.equal(here.byId('one'), one);
  t.same(here.all, [one]);
  const { here: next } = desk(context);
  t.same(next.all, []);
  t.equal(next.byId('one'), undefined);
  t.ok(next.had(one));
  t.notOk(next.had(scan('two', 1)));
});

t.test('scans here: marks of pages that the service keeps, and of those in memory', async t => {
  const { here } = desk();
  const [page, other, memory] = [kept('one', 1), kept('one', 2), inMemory('auto')];
  here.mark([page, memory], 'removed');
  t.ok(here.isMarked(page, 'removed'));
  t.notOk(here.isMarked(page, 'saved'));
  t.notOk(here.isMarked(other, 'removed'));
  t.ok(here.isMarked(memory, 'removed'));
  here.mark([page], undefined);
  t.notOk(here.isMarked(page, 'removed'));
});

t.test('scans here: a scan is done with when every page is; a running one never is', async t => {
  const { here, scan } = desk();
  const two = scan('two', 2);
  here.mark([kept('two', 1), kept('two', 2)], 'saved');
  t.notOk(here.isDone(two), 'a download that began is no file yet');
  here.mark([kept('two', 2)], undefined);
  here.mark([kept('two', 1)], 'handed-over');
  t.notOk(here.isDone(two));
  // The first page that is left of an auto-scan may have any number.
  here.mark([kept('two', 7)], 'removed');
  t.ok(here.isDone(two));
  t.notOk(here.isDone(scan('two', 2, 'running')));
  t.ok(here.isDone(scan('none', 0, 'failed')), 'it ended without pages');
  here.mark([kept('two', 7)], undefined);
  t.notOk(here.isDone(two), 'the removal was undone');
});

t.test('scans here: handed over and then saved, a page is still done with', async t => {
  const { here, scan } = desk();
  const [page, memory] = [kept('one', 1), inMemory('auto')];
  here.mark([page, memory], 'handed-over');
  here.mark([page, memory], 'saved');
  t.ok(here.isDone(scan('one', 1)));
  t.ok(here.isMarked(memory, 'handed-over'));
  here.mark([page], 'removed');
  t.ok(here.isMarked(page, 'removed'));
});

t.test('scans here: only those that are done with are let go', async t => {
  const context = fakeContext();
  const { here, scan, done, released } = desk(context);
  const [one, two, broken] = [scan('one', 1), scan('two', 1), scan('broken', 0, 'failed', true)];
  for (const each of [one, two, broken]) here.add(each);
  here.mark([kept('one', 1)], 'removed');
  t.equal(here.letGo(), 2);
  await new Promise(setImmediate);
  t.same(done, ['one', 'broken']);
  t.same(released, ['one', 'broken'], 'another tab may find it, also if the service did not answer');
  t.same(here.all, [two]);
  t.notOk(desk(context).here.had(one));
  t.ok(desk(context).here.had(two));
});

t.test('scans here: all are let go, but one that runs', async t => {
  const { here, scan, done } = desk();
  const running = scan('running', 1, 'running');
  for (const each of [scan('one', 3), running]) here.add(each);
  here.letGoAll();
  t.same(done, ['one']);
  t.same(here.all, [running]);
});

t.test(
  'scans here: set aside, they are shown no more, also after a reload, and only those that are done with go',
  async t => {
    const context = fakeContext();
    context.memory.remember('scans', ['one'], 'tab');
    const { here, scan, done } = desk(context);
    const [one, two] = [scan('one', 1), scan('two', 1)];
    for (const each of [one, two]) here.add(each);
    here.mark([kept('one', 1)], 'saved');
    here.mark([kept('two', 1)], 'removed');
    t.same(here.setAside(), [one]);
    t.same([here.all, here.had(one), done], [[], false, ['two']]);
    t.notOk(desk(context).here.had(one));
  },
);
