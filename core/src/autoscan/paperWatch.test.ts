/** When paper counts as loaded, and when a device counts as lost. */
import { setImmediate as breathe } from 'node:timers/promises';
import { fakeClock, fakeDriver } from '@platen/conformance';
import t from 'tap';
import type { Session, Status } from '../contract/driver.js';
import { ScanError } from '../contract/errors.js';
import type { EndReason, OutboxEnd } from '../outbox/outboxEnd.js';
import { watchPaper } from './paperWatch.js';

type Event = 'paper' | 'button' | 'offline';

interface Scene {
  readonly rested?: boolean;
  readonly watch?: Session['watch'] | 'none';
}

/** A device that reports what the test sets in `says`. */
async function scene({ rested = false, watch }: Scene = {}) {
  const clock = fakeClock();
  const driver = fakeDriver();
  const base = await driver.open('fake-1', { signal: new AbortController().signal });
  const [known] = [{ name: 'Desk', device: base.device, driver }];
  const seen = { asked: 0, paper: 0, lost: [] as OutboxEnd[], watching: 0 };
  const hands = {
    says: { online: true, paper: 'empty' } as Status | Error | 'nothing',
    ready: true,
    event: (_: Event): void => undefined,
  };
  const own: Session['watch'] = onEvent => {
    hands.event = onEvent;
    seen.watching++;
    return () => void seen.watching--;
  };
  const { watch: _, ...without } = base;
  const status: Session['status'] = async () => {
    seen.asked++;
    if (hands.says === 'nothing') return new Promise(() => undefined);
    if (hands.says instanceof Error) throw hands.says;
    return hands.says;
  };
  const session: Session = { ...without, status, ...(watch === 'none' ? {} : { watch: watch ?? own }) };
  const end = watchPaper({ known, session }, clock, rested, {
    ready: () => hands.ready,
    onPaper: () => void seen.paper++,
    onLost: end => void seen.lost.push(end),
  });
  const pass = async (ms = 0): Promise<void> => {
    await clock.advance(ms);
    await breathe();
    await clock.advance(0);
  };
  return { seen, hands, end, pass };
}

const loaded: Status = { online: true, paper: 'loaded' };

t.test('paper: loaded, reported once and polling stops', async t => {
  const { seen, hands, pass } = await scene();
  await pass();
  t.match(seen, { asked: 1, paper: 0, watching: 1 });
  hands.says = loaded;
  hands.event('paper');
  await pass();
  t.match(seen, { asked: 2, paper: 1, watching: 0 });
  hands.event('paper');
  await pass(60_000);
  t.match(seen, { asked: 2, paper: 1, lost: [] });
});

t.test('polling: the session has no events, twice a second', async t => {
  const { seen, hands, pass } = await scene({ watch: 'none' });
  await pass(1600);
  t.equal(seen.asked, 4);
  hands.says = loaded;
  await pass(500);
  t.equal(seen.paper, 1);
});

t.test('watch: throws, polling works without it', async t => {
  const { seen, hands, pass } = await scene({
    watch: () => {
      throw new Error('no events here');
    },
  });
  hands.says = loaded;
  await pass(500);
  t.match(seen, { paper: 1, lost: [] });
});

t.test('watch: calls back before it returns, the call counts', async t => {
  let ended = 0;
  const gone = await scene({ watch: onEvent => (onEvent('offline'), () => void ended++) });
  await gone.pass(5000);
  t.match(gone.seen, { asked: 0, lost: [{ event: 'error', reason: 'device-lost' }] });
  t.equal(ended, 1, 'and is ended');
  const there = await scene({ watch: onEvent => (onEvent('paper'), () => undefined) });
  there.hands.says = loaded;
  await there.pass();
  t.equal(there.seen.paper, 1);
});

t.test('paper: unknown, nothing is fed, whatever button is pressed', async t => {
  const { seen, hands, pass } = await scene();
  hands.says = { online: true, paper: 'unknown' };
  for (const event of ['paper', 'button', 'paper'] as const) {
    hands.event(event);
    await pass(60_000);
  }
  t.match(seen, { paper: 0, lost: [] });
});

t.test('paper: loaded while the outbox is full, nothing is fed', async t => {
  const { seen, hands, pass } = await scene();
  hands.says = loaded;
  hands.ready = false;
  await pass(10_000);
  t.equal(seen.paper, 0);
  hands.ready = true;
  await pass(500);
  t.equal(seen.paper, 1);
});

t.test('paper: after a failure, counts after 5 s or when it changed', async t => {
  const waits = await scene({ rested: true });
  waits.hands.says = loaded;
  await waits.pass(4900);
  t.equal(waits.seen.paper, 0);
  await waits.pass(600);
  t.equal(waits.seen.paper, 1, 'five seconds');

  const told = await scene({ rested: true });
  told.hands.says = loaded;
  await told.pass(1000);
  told.hands.event('button');
  await told.pass();
  t.equal(told.seen.paper, 0, 'a button press does not change the paper');
  told.hands.event('paper');
  await told.pass();
  t.equal(told.seen.paper, 1, 'an event');

  const seen = await scene({ rested: true, watch: 'none' });
  await seen.pass();
  seen.hands.says = loaded;
  await seen.pass(500);
  t.equal(seen.seen.paper, 1, 'the feeder was empty in between');
});

t.test('device: offline, lost at once', async t => {
  const cases: [string, Status | Error, EndReason][] = [
    ['it says so', { online: false, paper: 'unknown' }, 'device-lost'],
    ['asking fails with device-offline', new ScanError('device-offline', 'unplugged'), 'device-lost'],
    ['asking fails with not-connected', new ScanError('not-connected', 'the program went away'), 'not-connected'],
  ];
  for (const [title, says, reason] of cases) {
    const { seen, hands, pass } = await scene();
    hands.says = says;
    await pass();
    t.match(seen.lost, [{ event: 'error', reason }], title);
    await pass(60_000);
    t.match(seen, { asked: 1, watching: 0 });
    t.equal(seen.lost.length, 1);
  }
  const { seen, hands, pass } = await scene();
  await pass();
  hands.event('offline');
  hands.event('offline');
  t.equal(seen.lost.length, 1, 'an event');
  await pass(60_000);
  t.equal(seen.asked, 1);
});

t.test('status: fails three times in a row, the device is lost; one failure is tolerated', async t => {
  for (const says of [new Error('broken pipe'), 'nothing'] as const) {
    const { seen, hands, pass } = await scene();
    const round = says === 'nothing' ? 5500 : 500;
    hands.says = says;
    await pass();
    await pass(round);
    hands.says = { online: true, paper: 'empty' };
    await pass(round);
    await pass(5500);
    t.same(seen.lost, []);
    hands.says = says;
    await pass(3 * round + 500);
    t.match(seen.lost, [{ reason: 'device-lost', message: says === 'nothing' ? / longer than 5 s/ : /broken pipe/ }]);
  }
});

t.test('end: a status is still pending, it has no effect', async t => {
  const { seen, hands, end, pass } = await scene();
  hands.says = loaded;
  const passing = pass();
  end();
  await passing;
  await pass(60_000);
  t.match(seen, { paper: 0, lost: [], watching: 0 });
});
