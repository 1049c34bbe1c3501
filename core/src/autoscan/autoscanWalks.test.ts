/**
 * Random walks over auto-scan: readers of four origins come, read, leave and come back, paper is inserted, scanners jam
 * and are unplugged, others use the scanners or wait in line for them, several scanners are on, and the service stops or crashes over the same boxes. No page is lost
 * unless somebody discarded it, none comes again to a new reader, and all come in order.
 */
import * as fc from 'fast-check';
import { optionsWith } from '../service.test.kit.js';
import { command, commands, testWalks, turns } from '../walk.test.kit.js';
import { createWalk, IDLE_MS, KEPT_MS, origins, type Walk } from './autoscanWalk.test.kit.js';

const RUNS = 370;

const origin = fc.constantFrom(...origins);
const some = fc.nat(7);
const names = ['Desk', 'Hall', 'Till'];
const scanner = fc.constantFrom(...names);
const idOf = (name: string): string => `fake-${names.indexOf(name) + 1}`;
const oneOf = ({ readers }: Walk, place: number) => readers[place % readers.length];

/** What moves paper and pages comes more often. */
const often = [
  commands('enable', fc.tuple(origin, scanner), (walk: Walk, [its, name]) => {
    walk.call(walk.service.scans.enableAutoscan(optionsWith(), name, its));
  }),
  commands(
    'come',
    fc.tuple(origin, fc.boolean(), some, fc.constantFrom(undefined, undefined, ...names)),
    (walk: Walk, [its, again, place, name]) => {
      walk.come(its, again ? oneOf(walk, place)?.got.at(-1) : undefined, name);
    },
  ),
  commands('take', fc.tuple(some, fc.integer({ min: 1, max: 4 })), async (walk: Walk, [place, count]) => {
    const reader = oneOf(walk, place);
    for (let n = 0; n < count && reader; n++) {
      walk.take(reader);
      await turns(3);
    }
  }),
  commands('load', fc.tuple(scanner, fc.integer({ min: 1, max: 4 })), async (walk: Walk, [name, sheets]) => {
    walk.driver.load(sheets, idOf(name));
    await turns(2);
  }),
  commands('fetch', fc.tuple(origin, some), (walk: Walk, [its, place]) => walk.fetch(its, place)),
  commands('wait', fc.constantFrom(500, 500, 6000, IDLE_MS, KEPT_MS), async (walk: Walk, ms) => {
    walk.reasons.add('failing');
    await walk.wait(ms);
  }),
];
const steps = [
  ...often,
  ...often,
  commands('disable', origin, (walk: Walk, its) => {
    walk.reasons.add('requested');
    walk.discardAll();
    walk.call(walk.service.scans.disableAutoscan(its));
  }),
  commands('leave', some, (walk: Walk, place) => {
    const reader = oneOf(walk, place);
    if (reader) walk.leave(reader);
  }),
  commands(
    'fault',
    fc.tuple(scanner, fc.integer({ min: 1, max: 3 }), fc.constantFrom('paper-jam', 'driver-failed', 'device-offline')),
    (walk: Walk, [name, sheet, fault]) => {
      for (const reason of ['failing', 'device-lost', 'driver-failed']) walk.reasons.add(reason);
      walk.driver.fault(sheet, fault as 'paper-jam', idOf(name));
    },
  ),
  commands('plugged', fc.tuple(scanner, fc.boolean()), (walk: Walk, [name, on]) => {
    walk.reasons.add('device-lost');
    walk.driver.clearFaults(idOf(name));
    if (on) walk.driver.plug(idOf(name));
    else walk.driver.unplug(idOf(name));
  }),
  commands('hold', fc.boolean(), ({ driver }: Walk, held) => {
    if (held) for (const name of names) driver.hold(idOf(name));
    else driver.release();
  }),
  commands('open', scanner, (walk: Walk, name) => walk.call(walk.service.scans.open(name))),
  fc.constant(
    command<Walk>('close', walk => {
      walk.reasons.add('scanner-closed');
      walk.call(walk.service.scans.closeSource());
    }),
  ),
  commands('scan', fc.tuple(scanner, fc.constantFrom(0, 6000, KEPT_MS)), (walk: Walk, its) => walk.scan(...its)),
  commands('turn', fc.integer({ min: 1, max: 30 }), (_: Walk, count) => turns(count)),
  commands('restart', fc.boolean(), (walk: Walk, isCrash) => walk.restart(isCrash)),
];

await testWalks(
  'auto-scan: random walks, no page is lost or comes twice, all in order, the next auto-scan works',
  RUNS,
  steps,
  createWalk,
  [
    [64_352, 176],
    [175_218, 2138],
  ],
);
