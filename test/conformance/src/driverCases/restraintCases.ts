/** Promise 8, as far as it can be seen from outside: a driver leaves to core what is core's. */
import assert from 'node:assert/strict';
import { staysTrue } from './deadline.js';
import { cause, causes, needsFeeder, onSession, type DriverCase } from './trial.js';

export const restraintCases: readonly DriverCase[] = [
  {
    id: '8-adjusts-only-what-the-hardware-does',
    title: 'a page names no adjustment that the capabilities do not say the hardware does',
    run: onSession(async trial => {
      const { features } = trial;
      if (features.feeder) await trial.rig.load(1);
      const duplexMode = features.feeder && features.duplex ? 'DuplexShortEdge' : 'Simplex';
      const pages = await trial.scan({ duplexMode, adjustments: ['rotate', 'deskew', 'crop', 'turn'] }).rest();
      const source = trial.capabilities[features.feeder ? 'feeder' : 'flatbed'];
      const hardware = [...(source?.adjustments ?? []), ...(source?.controls ?? [])];
      for (const { adjusted = [], sheet, side } of pages) {
        const beyond = adjusted.filter(each => !hardware.includes(each));
        assert.deepEqual(
          beyond,
          [],
          `sheet ${sheet} ${side} was adjusted by ${beyond.join(', ')}, which the capabilities do not list: is it done in software?`,
        );
      }
    }),
  },
  {
    id: '8-feeds-nothing-after-a-jam',
    title: 'after a jam the driver feeds nothing of its own accord',
    skip: needsFeeder,
    untried: causes('paper-jam'),
    run: onSession(async trial => {
      await trial.rig.load(5);
      await cause(trial.rig, 2, 'paper-jam');
      await trial
        .scan()
        .rest()
        .catch(() => {});
      // A jammed sheet may count as fed or not; a continuous device may have had one more in its path.
      const left = await trial.remaining();
      assert.ok(left >= 2, `sheet 2 of 5 jams, but only ${left} are left in the feeder: the driver fed on`);
      await staysTrue(async () => {
        const now = await trial.remaining();
        assert.equal(
          now,
          left,
          `after the jam ${left} sheets were left in the feeder, a moment later ${now}: the driver feeds by itself`,
        );
      });
    }),
  },
];
