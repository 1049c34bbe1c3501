/** Speed, as far as it can be counted: copies of a page, and pages that wait in memory. Nothing is timed. */
import assert from 'node:assert/strict';
import type { Page } from '@platen/core/plugin';
import { staysTrue } from './deadline.js';
import { largeBytes, peakOf } from './processMemory.js';
import { needsFeeder, onSession, type DriverCase, type Trial } from './trial.js';

/** In bytes of the page: the parts of it that come, the page that they are joined to, and one step between. */
const MOST_COPIES = 3;
/** Pages that a driver may hold while its caller does not pull. */
const MOST_WAITING = 4;
const LARGE = 1_000_000;

const untried: DriverCase['untried'] = ({ largePage }) =>
  largePage ? undefined : 'the features do not say how to get a large page (largePage)';

export const speedCases: readonly DriverCase[] = [
  {
    id: 'speed-copies-of-a-page',
    title: `while a page comes, memory grows by ${MOST_COPIES} times its bytes at most`,
    alone: true,
    untried,
    hint:
      'Fix: keep the parts of a page as they come, and join them once: `Buffer.concat`, or one buffer of the announced ' +
      'size that the parts are copied into. Do not convert a page to a string, to base64 or to an array of numbers. A ' +
      'simulator in the same thread is counted too: run it in a worker or in a process of its own.',
    run: onSession(async trial => {
      await largePage(trial); // What a driver does once is done: it loads code, it fills pools.
      const { result: page, peak } = await peakOf(() => largePage(trial));
      const copies = rounded(peak / page.data.length);
      assert.ok(
        copies <= MOST_COPIES,
        `a page of ${page.data.length} bytes took ${peak} bytes of memory at its peak, ${copies} times its size`,
      );
      return { 'copies of a page': copies };
    }),
  },
  {
    id: 'speed-waiting-pages-are-few',
    title: `while a caller does not pull, ${MOST_WAITING} pages at most wait in memory`,
    alone: true,
    skip: needsFeeder,
    untried,
    hint: 'Fix: ask the device for the next page when it is pulled, or one page ahead: do not collect what it sends.',
    run: onSession(async trial => {
      await largePage(trial);
      await trial.rig.load(12);
      const before = await largeBytes();
      const scan = trial.scan(trial.features.largePage);
      const bytes = sizeOf(await scan.pull());
      await staysTrue(async () => {});
      const waiting = rounded(Math.max(0, (await largeBytes()) - before) / bytes);
      assert.ok(
        waiting <= MOST_WAITING,
        `one page was pulled, and meanwhile ${waiting} pages of ${bytes} bytes came to wait in memory`,
      );
      await scan.return();
      return { 'pages that wait in memory': waiting };
    }),
  },
];

const rounded = (value: number) => Math.round(value * 10) / 10;

async function largePage(trial: Trial): Promise<Page> {
  if (trial.features.feeder) await trial.rig.load(1);
  const [page] = await trial.scan({ ...trial.features.largePage, sheets: 1 }).rest();
  sizeOf(page);
  return page!;
}

function sizeOf(page: Page | undefined): number {
  assert.ok(page, 'a sheet was loaded, but no page came');
  const bytes = page.data.length;
  assert.ok(bytes >= LARGE, `a page of features.largePage has ${bytes} bytes; it should have ${LARGE} or more`);
  return bytes;
}
