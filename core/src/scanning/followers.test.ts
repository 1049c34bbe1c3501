/** Plugins that follow scans: told in order, and never so that a scan waits. */
import { fakeClock, recordingLog } from '@platen/conformance';
import t from 'tap';
import type { ScanEvent } from '../contract/scanEvents.js';
import { deferred } from '../time/wait.js';
import { createFollowers, FOLLOW_DEADLINE_MS, MOST_WAITING } from './followers.js';

const page = (number: number, scan = 'a'): ScanEvent => ({ event: 'page-stored', page: number, scan, at: 0 });

function setUp(origins = false) {
  const clock = fakeClock();
  const log = recordingLog();
  return { clock, log, ...createFollowers({ clock, log, origins }) };
}

t.test('followers: each is told of all events, in order, and one call after another', async t => {
  const { tell } = setUp();
  const heard: string[] = [];
  let running = 0;
  const slow = {
    plugin: 'slow',
    follow: async (event: ScanEvent) => {
      t.equal(++running, 1);
      await new Promise(resolve => setImmediate(resolve));
      heard.push(`slow ${event.event === 'page-stored' ? event.page : ''}`);
      running--;
    },
  };
  const quick = { plugin: 'quick', follow: (event: ScanEvent) => void heard.push(`quick ${event.scan}`) };
  await Promise.all([tell(page(1), [slow, quick]), tell(page(2), [slow, quick]), tell(page(3), [slow])]);
  t.strictSame(heard, ['quick a', 'quick a', 'slow 1', 'slow 2', 'slow 3']);
});

t.test('followers: no plugin is called in the turn of the scan', async t => {
  const { tell } = setUp();
  let called = false;
  const told = tell(page(1), [{ plugin: 'x', follow: () => void (called = true) }]);
  t.equal(called, false);
  await told;
  t.equal(called, true);
});

t.test('followers: one that throws, rejects or hangs, is logged once, and hears what comes next', async t => {
  const { tell, log, clock } = setUp();
  const heard: number[] = [];
  const acts: ((number: number) => void | Promise<void>)[] = [
    () => {
      throw new Error('broken');
    },
    () => Promise.reject(new Error('broken again')),
    () => new Promise(() => undefined),
    number => void heard.push(number),
  ];
  const follower = {
    plugin: '@acme/meter',
    follow: (event: ScanEvent) => (event.event === 'page-stored' ? acts[event.page]?.(event.page) : undefined),
  };
  const all = acts.map((_, at) => tell(page(at), [follower]));
  for (let turn = 0; turn < 5; turn++) await new Promise(resolve => setImmediate(resolve));
  t.strictSame(heard, []);
  await clock.advance(FOLLOW_DEADLINE_MS);
  await Promise.all(all);
  t.strictSame(heard, [3]);
  t.match(log.lines, [/^warn: .*"@acme\/meter".*page-stored.*broken/]);
  t.equal(log.lines.length, 1);
});

t.test('followers: what waits for a slow one is limited, and what is lost is told', async t => {
  const { tell, log } = setUp();
  const first = deferred<void>();
  let heard = 0;
  const follower = { plugin: 'slow', follow: () => (heard++ === 0 ? first.promise : undefined) };
  const all = [tell(page(0), [follower])];
  await new Promise(resolve => setImmediate(resolve));
  for (let number = 1; number <= MOST_WAITING + 5; number++) all.push(tell(page(number), [follower]));
  first.resolve();
  await Promise.all(all);
  t.equal(heard, MOST_WAITING + 1);
  t.match(log.lines, [/: 5 events were lost/]);
});

t.test('followers: which web pages asked is told only where the configuration says so', async t => {
  for (const origins of [false, true]) {
    const { tell } = setUp(origins);
    let heard: ScanEvent | undefined;
    const follower = { plugin: 'x', follow: (event: ScanEvent) => void (heard = event) };
    await tell({ ...page(1), origins: ['https://shop.example'] }, [follower]);
    t.strictSame(heard?.origins, origins ? ['https://shop.example'] : undefined);
    t.throws(() => Object.assign(heard!, { page: 7 }), 'nobody changes it for the others');
    if (origins) t.throws(() => (heard!.origins as string[]).push('https://other.example'));
    await tell({ ...page(2), origins: [] }, [follower]);
    t.notOk('origins' in heard!, 'a program');
  }
});
