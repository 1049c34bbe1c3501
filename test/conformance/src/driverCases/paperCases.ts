/** Promise 4: one scan at a time, and where the paper comes from and ends. */
import { expectSame, failsWith, orFail } from './expect.js';
import { listOf } from './facts.js';
import { endFromOutside, needsFeeder, needsFlatbed, onSession, type DriverCase } from './trial.js';

export const paperCases: readonly DriverCase[] = [
  {
    id: '4-second-scan-is-busy',
    title: 'a second scan on a session is busy, and the first goes on',
    skip: needsFeeder,
    hint: endFromOutside,
    run: onSession(async trial => {
      await trial.rig.load(3);
      const scan = trial.scan();
      await scan.pull();
      await failsWith(trial.scan().rest(), 'busy', 'a second scan while the first is running');
      const rest = await scan.rest();
      expectSame(listOf(rest), 'sheet 2 front, sheet 3 front', 'pages of the first scan after the second was refused');
    }),
  },
  {
    id: '4-empty-feeder-is-no-paper',
    title: 'a feeder that is empty before the first page is no-paper',
    skip: needsFeeder,
    run: onSession(async trial => {
      await failsWith(trial.scan({ source: 'feeder' }).rest(), 'no-paper', 'a scan from an empty feeder');
    }),
  },
  {
    id: '4-session-usable-after-no-paper',
    title: 'after no-paper the session scans what is loaded then',
    skip: needsFeeder,
    run: onSession(async trial => {
      await trial
        .scan({ source: 'feeder' })
        .rest()
        .catch(() => {});
      await trial.usable('after no-paper');
    }),
  },
  {
    id: '4-iterable-ends-after-last-sheet',
    title: 'after the last sheet the iterable simply ends',
    skip: needsFeeder,
    run: onSession(async trial => {
      await trial.rig.load(2);
      const scan = trial.scan();
      const pages = [await scan.pull(), await scan.pull()].filter(page => page !== undefined);
      expectSame(listOf(pages), 'sheet 1 front, sheet 2 front', 'pages of a scan of two sheets');
      const end = await scan.pull().catch(orFail('after the last sheet the iterable should end, but it throws'));
      expectSame(listOf(end ? [end] : []), 'no page', 'pages after the last of two sheets');
    }),
  },
  {
    id: '4-glass-yields-one-page',
    title: 'a scan from the flatbed yields one page and ends',
    skip: needsFlatbed,
    run: onSession(async trial => {
      expectSame(listOf(await trial.scan({ source: 'flatbed' }).rest()), 'sheet 1 front', 'pages of a flatbed scan');
    }),
  },
];
