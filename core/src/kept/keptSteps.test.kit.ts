/** The steps of random walks over kept scans. */
import * as fc from 'fast-check';
import { command, commands, turns } from '../walk.test.kit.js';
import type { Walk } from './keptWalk.test.kit.js';
import { origins } from './keptWorld.test.kit.js';
import { KEY_MS } from './requestKeys.js';

const origin = fc.constantFrom(...origins);
const place = fc.nat(5);
const scanOf = (walk: Walk, at: number) => walk.idle()[at % Math.max(1, walk.idle().length)];

const feed = commands(
  'feed',
  fc.tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom(0, 0, 0, 1, 2)),
  (walk: Walk, [sheets, jamAt]) => walk.load(sheets, jamAt),
);
const start = commands(
  'start',
  fc.tuple(origin, fc.constantFrom(undefined, 'a', 'b'), fc.constantFrom('1', '1', '2')),
  (walk: Walk, [its, key, body]) => walk.start(its, key, body),
);
const turn = commands('turn', fc.integer({ min: 1, max: 60 }), async (walk: Walk, count) => {
  await turns(count);
  await walk.check();
});
/** What clients do, and what happens to the service. */
export const steps = [
  ...[feed, feed, start, start, turn, turn],
  commands('collect', fc.tuple(origin, fc.boolean()), (walk: Walk, [its, isRead]) => walk.collect(its, isRead)),
  commands('continue', place, (walk: Walk, at) => {
    const scan = scanOf(walk, at);
    if (scan) walk.continue(scan);
  }),
  fc.constant(command<Walk>('cancel', walk => walk.cancel())),
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
