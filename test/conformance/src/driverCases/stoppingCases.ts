/** Promise 2: `stop` and `return()`. */
import assert from 'node:assert/strict';
import { everyFedSheetCame, feederStaysAt } from './feedingCases.js';
import { listOf } from './facts.js';
import { endFromOutside, needsDuplex, needsFeeder, onSession, type DriverCase } from './trial.js';
import { expectSame } from './expect.js';

export const stoppingCases: readonly DriverCase[] = [
  {
    id: '2-stop-feeds-nothing-more',
    title: 'after stop the feeder keeps its sheets and the iterable ends',
    skip: needsFeeder,
    run: onSession(async trial => {
      await trial.rig.load(3);
      const scan = trial.scan();
      const first = await scan.pull();
      scan.stop();
      const rest = await scan.rest();
      if (!trial.continuous) {
        expectSame(listOf(rest), 'no page', 'pages after stop between two sheets, with nothing in the path');
        await feederStaysAt(trial, 2, 'after stop');
      }
      await everyFedSheetCame(trial, 3, [...(first ? [first] : []), ...rest]);
    }),
  },
  {
    id: '2-stop-yields-what-is-in-the-path',
    title: 'a sheet that is in the path when stop comes is yielded',
    skip: needsFeeder,
    run: onSession(async trial => {
      await trial.rig.load(3);
      const scan = trial.scan();
      const first = await scan.pull();
      const second = scan.pull();
      scan.stop();
      const pages = [first, await second].filter(page => page !== undefined);
      await everyFedSheetCame(trial, 3, [...pages, ...(await scan.rest())]);
    }),
  },
  {
    id: '2-stop-yields-the-back-of-a-fed-sheet',
    title: 'when stop comes after a front, its back still comes',
    skip: needsDuplex,
    run: onSession(async trial => {
      await trial.rig.load(2);
      const scan = trial.scan({ duplexMode: 'DuplexLongEdge' });
      await scan.pull();
      scan.stop();
      const rest = await scan.rest();
      expectSame(
        listOf(rest.slice(0, 1)),
        'sheet 1 back',
        'pages after stop between front and back of sheet 1, whose back is in the path',
      );
    }),
  },
  {
    id: '2-stop-before-the-scan-feeds-nothing',
    title: 'a stop that was there before the first pull ends the scan at once',
    skip: needsFeeder,
    run: onSession(async trial => {
      await trial.rig.load(2);
      const pages = await trial.scan({}, { stop: AbortSignal.abort() }).rest();
      expectSame(listOf(pages), 'no page', 'pages of a scan whose stop was aborted before the first pull');
      await feederStaysAt(trial, 2, 'after a scan that was stopped before it began');
    }),
  },
  {
    id: '2-session-usable-after-stop',
    title: 'after a stopped scan the session scans again',
    skip: needsFeeder,
    run: onSession(async trial => {
      await trial.rig.load(3);
      const scan = trial.scan();
      await scan.pull();
      scan.stop();
      await scan.rest();
      await trial.usable('after a stopped scan');
    }),
  },
  {
    id: '2-return-feeds-nothing-more',
    title: 'return() of the iterator ends it and feeds nothing more',
    skip: needsFeeder,
    run: onSession(async trial => {
      await trial.rig.load(3);
      const scan = trial.scan();
      await scan.pull();
      await scan.return();
      assert.equal(await scan.pull(), undefined, 'after return() the iterator still yields pages');
      const left = trial.continuous ? await trial.remaining() : 2;
      await feederStaysAt(trial, left, 'after return()');
    }),
  },
  {
    id: '2-return-frees-the-session',
    title: 'after return() of the iterator the session scans again',
    skip: needsFeeder,
    hint: endFromOutside,
    run: onSession(async trial => {
      await trial.rig.load(3);
      const scan = trial.scan();
      await scan.pull();
      await scan.return();
      await trial.usable('after return()');
    }),
  },
];
