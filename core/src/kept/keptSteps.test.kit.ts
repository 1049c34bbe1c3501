/** The steps of random walks over kept scans. */
import * as fc from 'fast-check';
import { commands, turns } from '../walk.test.kit.js';
import { LEFT_MS } from './attendance.js';
import type { Walk } from './keptWalk.test.kit.js';
import { origins, scanners } from './keptWorld.test.kit.js';
import { KEY_MS } from './requestKeys.js';

const MINUTE = 60_000;

const origin = fc.constantFrom(...origins);
/** Lines form at the first. */
const scannerName = fc.constantFrom(scanners[0], ...scanners);
const sheets = fc.constantFrom(0, 1, 1);
const place = fc.nat(5);
const scanOf = (walk: Walk, at: number) => walk.idle()[at % Math.max(1, walk.idle().length)];

const feed = commands(
  'feed',
  fc.tuple(scannerName, fc.integer({ min: 1, max: 4 }), fc.constantFrom(0, 0, 0, 1, 2)),
  (walk: Walk, [name, count, jamAt]) => walk.load(name, count, jamAt),
);
const waiting = { waitMs: fc.constantFrom(0, MINUTE, KEY_MS), stays: fc.constantFrom(true, true, false) };
const start = commands('start', fc.record({ origin, scannerName, sheets, ...waiting }), (walk: Walk, its) =>
  walk.start(its),
);
/** By two clients on one scanner: keys are repeated. */
const startWithKey = commands(
  'start',
  fc.record({
    origin: fc.constantFrom(origins[0], origins[1]),
    scannerName: fc.constant(scanners[0]),
    sheets,
    key: fc.constantFrom('a', 'b'),
    ...waiting,
  }),
  (walk: Walk, its) => walk.start(its),
);
const hold = commands('hold', fc.constantFrom(undefined, undefined, ...scanners), (walk: Walk, name) =>
  walk.hold(name),
);
const pass = commands('pass', fc.constantFrom(1000, LEFT_MS, MINUTE, KEY_MS / 2), (walk: Walk, ms) => walk.pass(ms));
const turn = commands('turn', fc.integer({ min: 1, max: 60 }), async (walk: Walk, count) => {
  await turns(count);
  await walk.check();
});
/** What clients do, and what happens to the service. */
export const steps = [
  ...[feed, feed, start, start, start, start, startWithKey, startWithKey, hold, hold, pass, pass, turn, turn],
  commands('collect', fc.tuple(origin, scannerName, fc.boolean()), (walk: Walk, its) => walk.collect(...its)),
  commands('continue', place, (walk: Walk, at) => {
    const scan = scanOf(walk, at);
    if (scan) walk.continue(scan);
  }),
  commands('cancel', place, (walk: Walk, at) => walk.cancel(at)),
  commands('cancel all', origin, (walk: Walk, its) => walk.cancelAll(its)),
  commands('attend', fc.tuple(place, fc.boolean()), (walk: Walk, its) => walk.attend(...its)),
  commands('deliver', fc.tuple(place, place), async (walk: Walk, [at, page]) => {
    const scan = scanOf(walk, at);
    if (scan) await walk.deliver(scan, page);
  }),
  commands('release', place, async (walk: Walk, at) => {
    const scan = scanOf(walk, at);
    if (scan) await walk.release(scan);
  }),
  commands('wait', fc.constantFrom(1000, KEY_MS / 2, KEY_MS, 12 * KEY_MS), (walk: Walk, ms) => walk.wait(ms)),
  commands('restart', fc.boolean(), (walk: Walk, isCrash) => walk.restart(isCrash)),
];
