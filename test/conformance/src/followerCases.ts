/** What a plugin that follows scans promises, case by case. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { createFollowers, FOLLOW_DEADLINE_MS, settledWithin, systemClock } from '@platen/core';
import { type Contributions, messageOf, type ScanEvent } from '@platen/core/plugin';
import type { ContractCase } from './contractTest.js';
import { withDeadline } from './driverCases/deadline.js';
import { expectEqual, expectSame } from './driverCases/expect.js';
import { beyond, open } from './openResources.js';
import { recordingLog } from './recordingLog.js';

export interface FollowerFeatures {
  /** Whether it counts pages, so that the rig can say how many. */
  readonly counts: boolean;
  /** Milliseconds for one event, and for the close. Absent: 5000, as in the service. */
  readonly timeoutMs?: number;
}

export interface FollowerRig {
  /** What the plugin's `setup` returns. A second call is the next start of the service: it has the same data folder. */
  setUp(): Following | Promise<Following>;
  /** Pages that it counted, from where it keeps them. Asked after the close. */
  counted?(): number | Promise<number>;
  dispose?(): Promise<void>;
}

type Following = Pick<Contributions, 'follow' | 'close'>;
type FollowerCase = ContractCase<FollowerRig, FollowerFeatures>;
/** An event of which the scan and the time are not said yet; Omit on each kind keeps their fields. */
type Told<Event = ScanEvent> = Event extends ScanEvent ? Omit<Event, 'scan' | 'at'> : never;

const pages = (count: number): Told[] =>
  Array.from({ length: count }, (_, at) => ({ event: 'page-stored', page: at + 1 }));

/** @param code why it is not complete */
function scanOf(
  scan: string,
  count: number,
  {
    kind = 'on-demand',
    code,
    origins,
  }: { kind?: 'on-demand' | 'auto-scan'; code?: 'paper-jam'; origins?: string[] } = {},
): ScanEvent[] {
  const all: Told[] = [
    { event: 'scan-started', kind, scanner: 'Feeder A' },
    ...pages(count),
    { event: 'scan-ended', pages: count, seconds: count * 2, ...(code && { code }) },
  ];
  return all.map((each, at) => ({
    ...each,
    scan,
    at: Date.UTC(2026, 0, 31, 9) + at * 2000,
    ...(origins && { origins }),
  }));
}

/** All kinds of scans, one after the other; and the number of their pages. */
const mixed = [
  ...scanOf('a', 3),
  ...scanOf('b', 1, { code: 'paper-jam' }),
  ...scanOf('c', 0, { code: 'paper-jam' }),
  ...scanOf('d', 1, { kind: 'auto-scan', origins: ['https://shop.example'] }),
];
const MIXED_PAGES = 5;

/** Ten pages a second: several fast scanners at once. */
const BURST_PAGES = 200;
const burstMs = ({ timeoutMs = FOLLOW_DEADLINE_MS }: FollowerFeatures): number => timeoutMs * 4;

const countsNone = ({ counts }: FollowerFeatures): string | undefined =>
  counts ? undefined : 'the plugin counts no pages';

export const followerCases: readonly FollowerCase[] = [
  {
    id: 'events-taken',
    title: 'takes the events of every kind of scan, in order, and leaves them as they are',
    hint: 'Look at `event.event` first; `code` and `origins` may be absent. Copy an event before you change it: other plugins are told the same one.',
    async run(rig, features) {
      const plugin = await rig.setUp();
      expectEqual(await followed(plugin, features, mixed), [], 'what the service says of it');
    },
  },
  {
    id: 'unknown-event-left-alone',
    title: 'leaves alone an event that it does not know',
    hint: 'Compare `event.event` with the events that you use, and return for all others: a later release may have more.',
    async run(rig, features) {
      const plugin = await rig.setUp();
      const later = { event: 'scan-paused', scan: 'a', at: 0 } as unknown as ScanEvent;
      expectEqual(await followed(plugin, features, [later]), [], 'what the service says of it');
    },
  },
  {
    id: 'follow-ends',
    title: 'ends each call in time',
    hint: 'Give what you wait for a limit, `AbortSignal.timeout(3000)` for a request, and go on without it.',
    async run(rig, features) {
      const plugin = await rig.setUp();
      const events = scanOf('a', 2, { kind: 'auto-scan' });
      expectEqual(await followed(plugin, features, events), [], 'what the service says of it');
    },
  },
  {
    id: 'follow-keeps-up',
    title: `follows ${BURST_PAGES} pages in ${burstMs({ counts: false }) / 1000} s`,
    hint: 'Collect in memory and write at `scan-ended`, or send several events together: the service keeps 1000 events for a slow plugin, and loses the next ones.',
    async run(rig, features) {
      const plugin = await rig.setUp();
      await withDeadline(
        followed(plugin, features, scanOf('a', BURST_PAGES)),
        `the end of a scan of ${BURST_PAGES} pages`,
        burstMs(features),
      );
    },
  },
  {
    id: 'follow-loop-free',
    title: 'does not block the event loop',
    hint: 'Write with node:fs/promises, not with functions whose names end in Sync, and do what takes long in a worker thread.',
    async run(rig, features) {
      const plugin = await rig.setUp();
      for (const event of scanOf('a', 1)) {
        let least = Infinity;
        for (let tries = 0; tries < LOOP_TRIES && least > MOST_BLOCKED_MS; tries++)
          least = Math.min(least, await longestTurn(() => followed(plugin, features, [event])));
        assert.ok(
          least <= MOST_BLOCKED_MS,
          `at ${event.event} the event loop stood still for ${Math.round(least)} ms, at most ${MOST_BLOCKED_MS} are wanted`,
        );
      }
    },
  },
  {
    id: 'close-ends',
    title: 'is closed in time, also if there was no scan',
    hint: 'End what you wait for in close(), and catch what it throws: the service is stopping.',
    async run(rig, features) {
      for (const events of [[], scanOf('a', 1)]) {
        const plugin = await rig.setUp();
        await followed(plugin, features, events);
        await withDeadline(Promise.resolve(plugin.close?.()), 'close()', timeoutOf(features)).catch((error: unknown) =>
          assert.fail(`after ${events.length} events, ${messageOf(error)}`),
        );
      }
    },
  },
  {
    id: 'nothing-left-open',
    title: 'leaves no timer, socket, watch or process behind when it is closed',
    alone: true,
    hint: 'In close(), clear your intervals, destroy the agents of your connections, and end your watches and processes.',
    async run(rig, features) {
      const before = open();
      const plugin = await rig.setUp();
      await followed(plugin, features, scanOf('a', 1));
      await closed(plugin, features);
      let left = beyond(open(), before);
      for (let waited = 0; left.length > 0 && waited < timeoutOf(features); waited += 50) {
        await pause(50);
        left = beyond(open(), before);
      }
      assert.deepEqual(left, [], `after the plugin's close there are still open: ${left.join(', ')}`);
    },
  },
  {
    id: 'every-page-counted',
    title: 'counts the pages of every kind of scan, also of one that did not complete',
    skip: countsNone,
    hint: 'Add `pages` of each `scan-ended`, whatever its `code`: those pages were stored. Write before close() ends.',
    async run(rig, features) {
      expectSame(await countOf(rig, features, mixed), MIXED_PAGES, 'pages counted');
    },
  },
  {
    id: 'scans-counted-apart',
    title: 'counts right when scanners work at the same time',
    skip: countsNone,
    hint: 'Keep what belongs to a scan by `event.scan`, not in a variable of the plugin: events of several scans alternate.',
    async run(rig, features) {
      const [one, other] = [scanOf('a', 4), scanOf('b', 2)];
      const turns = one.flatMap((event, at) => [event, ...other.slice(at, at + 1)]);
      expectSame(await countOf(rig, features, turns), 6, 'pages counted of two scans at the same time');
    },
  },
  {
    id: 'counts-outlive-a-restart',
    title: 'goes on counting after a restart of the service',
    skip: countsNone,
    hint: 'Read the count in setup() from `dataDir`, and write a new file that replaces the old one: writeFile, then rename.',
    async run(rig, features) {
      await countOf(rig, features, scanOf('a', 3));
      expectSame(await countOf(rig, features, scanOf('b', 2)), 5, 'pages counted of two runs of the service');
    },
  },
];

const timeoutOf = ({ timeoutMs = FOLLOW_DEADLINE_MS }: FollowerFeatures): number => timeoutMs;

/**
 * Tells a plugin of the events, in the way of the service, and another one beside it.
 * @returns lines of the service's log
 */
async function followed(
  plugin: Following,
  features: FollowerFeatures,
  events: readonly ScanEvent[],
): Promise<string[]> {
  const { follow } = plugin;
  assert.ok(follow, 'setup returned no follow');
  const log = recordingLog();
  const limit = timeoutOf(features);
  const clock = {
    ...systemClock,
    after: (ms: number, then: () => void) => systemClock.after(Math.min(ms, limit), then),
  };
  const { tell } = createFollowers({ clock, log, origins: true });
  const its = { plugin: 'yours', follow: (event: ScanEvent) => follow.call(plugin, event) };
  const heard: ScanEvent[] = [];
  const another = { plugin: 'another', follow: (event: ScanEvent) => void heard.push(event) };
  await Promise.all(events.map(event => tell(event, [its, another])));
  expectEqual(heard, [...events], 'what another plugin was told');
  return log.lines;
}

/** The other cases' faults are not this one's. */
async function closed(plugin: Following, features: FollowerFeatures): Promise<void> {
  const closing = Promise.resolve(plugin.close?.()).catch(() => undefined);
  await settledWithin(closing, timeoutOf(features), systemClock);
}

async function countOf(rig: FollowerRig, features: FollowerFeatures, events: readonly ScanEvent[]): Promise<number> {
  const plugin = await rig.setUp();
  await followed(plugin, features, events);
  await closed(plugin, features);
  assert.ok(rig.counted, 'the features say that it counts: give the rig counted()');
  return rig.counted();
}

/** Less than a web page's heartbeat or another scan would notice. */
const MOST_BLOCKED_MS = 50;
/** On a busy computer a turn may be long by chance; work that blocks makes it long each time. */
const LOOP_TRIES = 5;

/** The longest turn of the event loop while the work is done, ms. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let [longest, last, isWorking] = [0, performance.now(), true];
  const ended = new Promise<void>(resolve => {
    const turn = (): void => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
      if (isWorking) setImmediate(turn);
      else resolve();
    };
    setImmediate(turn);
  });
  await work().finally(() => (isWorking = false));
  await ended;
  return longest;
}
