/** Which scanners are in use, over a client that is faked and timers that stand still. */
import { mock } from 'node:test';
import { setImmediate as breathe } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { PlatenError } from '../../client/errors.js';
import type { Scanner } from '../../client/shapes.js';
import type { Calls } from '../calls.js';
import { createScannerUse } from './scannerUse.js';
import type { Scanners } from './scanners.js';

const desk: Scanner = {
  ...{ name: 'Desk', manufacturer: 'M', model: 'X', isOnline: true },
  ...{ hasFeeder: true, hasFlatbed: false, supportsDuplex: false },
};

function follower(t: Test) {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const page = { visibilityState: 'visible' };
  Object.assign(globalThis, { document: page });
  t.teardown(() => Object.assign(globalThis, { document: undefined }));
  const asked: (Parameters<Calls['listScanners']>[0] | undefined)[] = [];
  const shown: (readonly Scanner[])[] = [];
  let answer = async (): Promise<readonly Scanner[]> => [desk];
  const client = { listScanners: (given?: object) => (asked.push(given), answer()) } as unknown as Calls;
  const scanners = { all: [desk], showUse: (found: readonly Scanner[]) => void shown.push(found) };
  const use = createScannerUse({ client }, scanners as unknown as Scanners);
  return {
    ...{ use, asked, shown, page },
    answers: (given: typeof answer) => void (answer = given),
    async pass() {
      mock.timers.tick(5000);
      for (let turn = 0; turn < 5; turn++) await breathe();
    },
  };
}

t.test('use: every 5 s while the page is visible, and no scanner is searched for', async t => {
  const { use, asked, shown, page, pass } = follower(t);
  use.follow();
  use.follow();
  t.same(asked, []);
  await pass();
  page.visibilityState = 'hidden';
  await pass();
  page.visibilityState = 'visible';
  await pass();
  const wanted = { details: true, search: false, consent: false };
  t.same(asked, [wanted, wanted]);
  t.same(shown, [[desk], [desk]]);
});

t.test('use: the service is away, nothing is shown as in use, and it looks again', async t => {
  const { use, shown, answers, pass } = follower(t);
  answers(() => Promise.reject(new PlatenError('no-answer', 'It does not run.')));
  use.follow();
  await pass();
  answers(async () => [desk]);
  await pass();
  t.same(shown, [[], [desk]]);
});

t.test('use: the page is not allowed any more, the person is not asked again and again', async t => {
  const { use, asked, answers, pass } = follower(t);
  answers(() => Promise.reject(new PlatenError('consent-required', 'Nobody allowed it.')));
  use.follow();
  for (let turn = 0; turn < 3; turn++) await pass();
  t.equal(asked.length, 1);
  answers(async () => [desk]);
  use.follow();
  await pass();
  t.equal(asked.length, 2, 'allowed again, it goes on');
});

t.test('use: at its end, no call follows and a late answer is not shown', async t => {
  const late = follower(t);
  late.use.end();
  // The first list was on its way.
  late.use.follow();
  await late.pass();
  t.same(late.asked, []);
  mock.timers.reset();
  const { use, asked, shown, answers, pass } = follower(t);
  let tell = (_found: readonly Scanner[]): void => undefined;
  answers(() => new Promise(resolve => (tell = resolve)));
  use.follow();
  await pass();
  use.end();
  tell([desk]);
  await pass();
  t.same([asked.length, shown], [1, []]);
});
