/**
 * Random walks over kept scans on three scanners: four clients start, repeat, continue, cancel, fetch and release them, wait
 * in line, leave and come back; feeders jam, the room is small, time passes, and the service stops or crashes. Every page
 * that was announced is there, byte for byte, until its scan is released, too old, or fetched; numbers have no gaps; states
 * follow one another as they may; a key starts one scan. First come, first served at each scanner, whatever the others do.
 */
import { testWalks } from '../walk.test.kit.js';
import { durablePages, type DurablePages } from './durablePages.test.kit.js';
import { steps } from './keptSteps.test.kit.js';
import { createWalk } from './keptWalk.test.kit.js';
import type { Home } from './keptWorld.test.kit.js';

const RUNS = 200;
/** Bytes of three pages. */
const SMALL_ROOM = 250;

function inMemory(pages: DurablePages = durablePages()): Home {
  return {
    open: async () => pages.store(),
    spare: durablePages().store(),
    delivered: async () => undefined,
    isSlow: false,
    crash: () => inMemory(pages.copy()),
  };
}

const rooms = [1e9, SMALL_ROOM];
let walks = 0;
const roomOfNext = (): number => rooms[walks++ % rooms.length] ?? 1e9;

await testWalks('kept scans: random walks, no announced page is lost, a key starts one scan', RUNS, steps, () =>
  createWalk(inMemory(), roomOfNext()),
);
