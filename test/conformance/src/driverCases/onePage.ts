/** One sheet of a source, and its picture: for cases that compare pages. */
import assert from 'node:assert/strict';
import type { DecodedImage, Page, Source } from '@platen/core/plugin';
import type { DriverRig } from '../driverRig.js';
import { orFail } from './expect.js';
import { listOf } from './facts.js';
import type { Trial, Wishes } from './trial.js';

/** Scans one sheet, which it loads. @throws AssertionError unless one page comes */
export async function onePage(trial: Trial, source: Source, wishes: Wishes): Promise<Page> {
  if (source === 'feeder') await trial.rig.load(1);
  const what = `a scan of one sheet from the ${source} with ${JSON.stringify(wishes)}`;
  const pages = await trial
    .scan({ ...wishes, source, sheets: 1 })
    .rest()
    .catch(orFail(`${what} should yield a page, but failed`));
  assert.ok(pages[0] && pages.length === 1, `${what} should yield one page, but ended after ${listOf(pages)}`);
  return pages[0];
}

/** Undefined where the rig cannot decode what the device sends. */
export async function decoded(rig: DriverRig, page: Page): Promise<DecodedImage | undefined> {
  return page.kind === 'raw' ? page : rig.decode?.(page);
}
