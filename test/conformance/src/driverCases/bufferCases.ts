/** Promise 6: a page's memory. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Page } from '@platen/core/plugin';
import { failsWith } from './expect.js';
import { needsFeeder, onSession, type DriverCase } from './trial.js';

const hashOf = (page: Page) => createHash('sha256').update(page.data).digest('hex');

export const bufferCases: readonly DriverCase[] = [
  {
    id: '6-buffers-are-not-reused',
    title: 'a page that was yielded stays as it is while the following ones come',
    skip: needsFeeder,
    run: onSession(async trial => {
      await trial.rig.load(4);
      const scan = trial.scan();
      const pages: { page: Page; hash: string }[] = [];
      for (let page = await scan.pull(); page; page = await scan.pull()) pages.push({ page, hash: hashOf(page) });
      for (const { page, hash } of pages) {
        assert.equal(
          hashOf(page),
          hash,
          `the bytes of sheet ${page.sheet} changed after it was yielded: its buffer was used again`,
        );
      }
    }),
  },
  {
    id: '6-buffers-do-not-overlap',
    title: 'no two pages share memory',
    skip: needsFeeder,
    run: onSession(async trial => {
      await trial.rig.load(3);
      const pages = await trial.scan().rest();
      for (const [i, one] of pages.entries()) {
        for (const other of pages.slice(i + 1)) {
          assert.ok(!overlap(one, other), `sheets ${one.sheet} and ${other.sheet} lie in the same memory`);
        }
      }
    }),
  },
  {
    id: '6-over-max-pixels-is-refused',
    title: 'a page with more pixels than the order allows is unsupported, and the session can be used again',
    run: onSession(async trial => {
      if (trial.features.feeder) await trial.rig.load(2);
      await failsWith(
        trial.scan({ maxPixels: 16 }).rest(),
        'unsupported',
        'a scan of a page of more than 16 pixels, with maxPixels 16,',
      );
      await trial.usable('after a page was refused for its size');
    }),
  },
];

function overlap(one: Page, other: Page): boolean {
  if (one.data.buffer !== other.data.buffer) return false;
  const ends = (page: Page) => page.data.byteOffset + page.data.byteLength;
  return one.data.byteOffset < ends(other) && other.data.byteOffset < ends(one);
}
