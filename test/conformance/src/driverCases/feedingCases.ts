/** Promise 1: what is fed and what is pulled. */
import assert from 'node:assert/strict';
import { staysTrue } from './deadline.js';
import { listOf } from './facts.js';
import { needsDuplex, needsFeeder, onSession, type DriverCase, type Trial } from './trial.js';
import { expectSame } from './expect.js';

export const feedingCases: readonly DriverCase[] = [
  {
    id: '1-feeds-nothing-before-the-first-pull',
    title: 'a perSheet device feeds nothing until the first page is pulled',
    skip: needsFeeder,
    run: onSession(async trial => {
      await trial.rig.load(2);
      const iterator = trial.session.scan(trial.order(), idle())[Symbol.asyncIterator]();
      if (!trial.continuous) await feederStaysAt(trial, 2, 'before the first pull');
      await trial.within(Promise.resolve(iterator.return?.()), 'return() before the first pull');
    }),
  },
  {
    id: '1-feeds-no-sheet-that-was-not-pulled',
    title: 'of five sheets a perSheet device feeds one when one is pulled',
    skip: needsFeeder,
    run: onSession(async trial => {
      await trial.rig.load(5);
      const scan = trial.scan();
      assert.ok(await scan.pull(), 'five sheets were loaded, but the first pull yields no page');
      if (!trial.continuous) await feederStaysAt(trial, 4, 'after one sheet was pulled');
      await scan.return();
    }),
  },
  {
    id: '1-both-sides-are-one-feed',
    title: 'the two sides of a sheet are one pull',
    skip: needsDuplex,
    run: onSession(async trial => {
      await trial.rig.load(3);
      const scan = trial.scan({ duplexMode: 'DuplexLongEdge' });
      await scan.pull();
      if (!trial.continuous) await feederStaysAt(trial, 2, 'after a front was pulled');
      await scan.pull();
      if (!trial.continuous) await feederStaysAt(trial, 2, 'after its back was pulled');
      await scan.return();
    }),
  },
  {
    id: '1-yields-every-sheet-that-it-fed',
    title: 'what left the feeder before a stop is yielded, also what a continuous device overshot',
    skip: needsFeeder,
    run: onSession(async trial => {
      await trial.rig.load(5);
      const scan = trial.scan();
      const first = await scan.pull();
      await staysTrue(async () => {});
      scan.stop();
      await everyFedSheetCame(trial, 5, [...(first ? [first] : []), ...(await scan.rest())]);
    }),
  },
  {
    id: '1-sheets-is-the-most-to-feed',
    title: 'an order of one sheet ends after one',
    skip: needsFeeder,
    run: onSession(async trial => {
      await trial.rig.load(3);
      const pages = await trial.scan({ sheets: 1 }).rest();
      if (!trial.continuous) expectSame(listOf(pages), 'sheet 1 front', 'pages of an order of one sheet');
      await everyFedSheetCame(trial, 3, pages);
    }),
  },
];

function idle() {
  return { stop: new AbortController().signal, signal: new AbortController().signal };
}

export async function feederStaysAt(trial: Trial, sheets: number, when: string): Promise<void> {
  await staysTrue(async () => {
    const left = await trial.remaining();
    assert.equal(
      left,
      sheets,
      `${when} the feeder should hold ${sheets} sheets, but holds ${left}: the driver feeds sheets before they are pulled`,
    );
  });
}

/** Of `loaded` sheets, as many were yielded as have left the feeder. */
export async function everyFedSheetCame(
  trial: Trial,
  loaded: number,
  pages: readonly { sheet: number }[],
): Promise<void> {
  const fed = loaded - (await trial.remaining());
  const came = new Set(pages.map(page => page.sheet)).size;
  assert.equal(came, fed, `${fed} sheets left the feeder, but ${came} were yielded: every sheet that is fed must come`);
}
