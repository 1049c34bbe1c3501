/** Promise 4: one scan at a time, and where the paper comes from and ends. */
import assert from 'node:assert/strict';
import { failsWith, orFail } from './expect.js';
import { listOf } from './facts.js';
import { neverAborted } from './scan.js';
import { endFromOutside, needsFeeder, needsFlatbed, onSession, type DriverCase } from './trial.js';

export const paperCases: readonly DriverCase[] = [
  {
    id: '4-second-scan-is-busy',
    title: 'a second scan on a session is busy, and the first goes on',
    skip: needsFeeder,
    repair: endFromOutside,
    run: onSession(async trial => {
      await trial.rig.load(3);
      const scan = trial.scan();
      await scan.pull();
      await failsWith(trial.scan().rest(), 'busy', 'a second scan while the first is running');
      const rest = await scan.rest();
      assert.equal(
        listOf(rest),
        'sheet 2 front, sheet 3 front',
        'the first scan should go on after the second was refused',
      );
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
      await trial.scan({ source: 'feeder' }).rest().catch(() => {});
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
      assert.equal(listOf(pages), 'sheet 1 front, sheet 2 front', 'two sheets were loaded');
      const end = await scan.pull().catch(orFail('after the last sheet the iterable should end, but it throws'));
      assert.equal(listOf(end ? [end] : []), 'no page', 'two sheets were loaded, but a third page came');
    }),
  },
  {
    id: '4-absent-source-takes-the-loaded-feeder',
    title: 'an order without a source scans from the feeder when it is loaded',
    skip: needsFeeder,
    run: onSession(async trial => {
      await trial.rig.load(2);
      const pages = await trial.scan({ source: 'absent' }).rest();
      assert.equal(
        listOf(pages),
        'sheet 1 front, sheet 2 front',
        'two sheets are in the feeder and the order names no source',
      );
    }),
  },
  {
    id: '4-absent-source-takes-the-glass-when-the-feeder-is-empty',
    title: 'an order without a source scans the glass when the feeder is known to be empty',
    skip: features => needsFeeder(features) ?? needsFlatbed(features),
    run: onSession(async trial => {
      const { paper } = await trial.within(trial.session.status({ signal: neverAborted() }), 'status');
      const scan = trial.scan({ source: 'absent' });
      if (paper !== 'empty') {
        await failsWith(scan.rest(), 'no-paper', 'a scan without a source, whose feeder cannot tell that it is empty,');
        return;
      }
      const why = 'the feeder says empty and the order names no source';
      const pages = await scan.rest().catch(orFail(`${why}, but the scan fails`));
      assert.equal(listOf(pages), 'sheet 1 front', why);
    }),
  },
  {
    id: '4-glass-yields-one-page',
    title: 'a scan from the glass yields one page and ends',
    skip: needsFlatbed,
    run: onSession(async trial => {
      assert.equal(listOf(await trial.scan({ source: 'flatbed' }).rest()), 'sheet 1 front', 'the glass has one page');
    }),
  },
];
