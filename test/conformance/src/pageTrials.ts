/** Shared by the suites for formats, recognisers and processors: calls, copies of pages, a watch on the event loop. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { type Call, type Pixels, type RawPage, rowBytes, ScanError } from '@platen/core/plugin';
import { testPage, type TestPageWishes } from './testPages.js';

export const everyPixels: readonly Pixels[] = ['rgb24', 'gray8', 'bw1'];

/** A width that fills no byte of a 1-bit row, and sides that no block size divides. */
export const oddSize = { width: 61, height: 47 } as const;

/** Fewer turns of the event loop than this while a whole page is worked on: it was worked on right there. */
const FREE_TURNS = 10;

/** A call that is never aborted. */
export function calmCall(): Call {
  return { signal: new AbortController().signal };
}

export function copyOf(page: RawPage): RawPage {
  return { ...page, data: page.data.slice() };
}

/** The same pixels with and without padding; the padded page's last row ends without its padding, as it may. */
export function paddedAndPacked(wishes: TestPageWishes): { padded: RawPage; packed: RawPage } {
  const padding = 5;
  const padded = testPage({ ...wishes, padding });
  return {
    padded: { ...padded, data: padded.data.subarray(0, padded.data.length - padding) },
    packed: testPage(wishes),
  };
}

/** All white. */
export function blankPage({ width = 64, height = 48, pixels = 'rgb24' }: TestPageWishes = {}): RawPage {
  const page = testPage({ width, height, pixels });
  return { ...page, data: page.data.fill(pixels === 'bw1' ? 0 : 255) };
}

/** A page of A4's size, with grain, so that there is work to do on it. */
export function wholePage(pixels: Pixels, dpi = 300): RawPage {
  const [width, height] = [(2480 * dpi) / 300, (3508 * dpi) / 300];
  const stride = rowBytes(pixels, width);
  const data = new Uint8Array(stride * height);
  let state = 1;
  const grain = Math.min(data.length, 1 << 18);
  for (let i = 0; i < grain; i++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    data[i] = 0xf0 | (state >>> 28);
  }
  for (let at = grain; at < data.length; at += grain) data.copyWithin(at, 0, Math.min(grain, data.length - at));
  return { kind: 'raw', sheet: 1, side: 'front', width, height, dpi, pixels, stride, data };
}

/** Runs the work on a copy of the page and fails if that was written to. */
export async function leavesAlone(page: RawPage, work: (page: RawPage) => Promise<unknown>): Promise<void> {
  const given = copyOf(page);
  await work(given);
  const changed = given.data.findIndex((value, i) => value !== page.data[i]);
  assert.equal(changed, -1, `byte ${changed} of a ${page.pixels} page's buffer was written to`);
}

/** Fails unless an abandoned call throws its reason: always when it was abandoned before, and nothing else later on. */
export async function honoursAbort(what: string, work: (call: Call) => Promise<unknown>): Promise<void> {
  const reason = new ScanError('cancelled', 'abandoned by the contract suite');
  const before = await outcome(() => work({ signal: AbortSignal.abort(reason) }));
  assert.ok('error' in before, `${what} went on although its call had been abandoned`);
  assert.equal(before.error, reason, `${what} should throw the signal's reason`);

  const controller = new AbortController();
  const running = outcome(() => work({ signal: controller.signal }));
  controller.abort(reason);
  const after = await running;
  if ('error' in after)
    assert.equal(after.error, reason, `${what} should throw the signal's reason when abandoned on its way`);
}

/**
 * On a busy machine another thread may finish before the next turn of this one; work that blocks does so every time.
 */
const LOOP_TRIES = 20;
/** Milliseconds between two tries: a thread that rested gets its next turns sooner. */
const LOOP_REST = 50;

/** Fails unless the event loop kept turning while the work was done; it may be done several times. */
export async function keepsLoopFree(what: string, work: () => Promise<unknown>): Promise<void> {
  let most = 0;
  for (let tries = 0; tries < LOOP_TRIES && most < FREE_TURNS; tries++) {
    if (tries > 0) await pause(LOOP_REST);
    most = Math.max(most, await turnsDuring(work));
  }
  assert.ok(
    most >= FREE_TURNS,
    `${what} kept the event loop busy: it turned ${most} times, at least ${FREE_TURNS} are wanted`,
  );
}

async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let working = true;
  const turn = () => {
    // Further turns would only take the processor from the work.
    if (!working || turns >= FREE_TURNS) return;
    turns++;
    setImmediate(turn);
  };
  setImmediate(turn);
  try {
    await work();
  } finally {
    working = false;
  }
  return turns;
}

async function outcome(work: () => Promise<unknown>): Promise<{ value: unknown } | { error: unknown }> {
  try {
    return { value: await work() };
  } catch (error) {
    return { error };
  }
}
