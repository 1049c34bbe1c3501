/** What a driver leaves open when it is closed. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { beyond, open } from '../openResources.js';
import { TIMEOUT_MS } from './deadline.js';
import { list } from './deviceCases.js';
import { neverAborted, startScan } from './scan.js';
import { onSession, type DriverCase } from './trial.js';

export const openCases: readonly DriverCase[] = [
  {
    id: 'leaves-nothing-open',
    title: 'after its close a driver has left no timer, socket, watch or process behind',
    alone: true,
    hint:
      'Fix: in close(), end what the driver opened: clear its intervals, destroy the agents of its connections, end its ' +
      'watches, and kill its helpers and wait for their exit.',
    async run(rig, features) {
      const before = open();
      await used(rig, features);
      let left = beyond(open(), before);
      for (let waited = 0; left.length > 0 && waited < (features.timeoutMs ?? TIMEOUT_MS); waited += 50) {
        await pause(50);
        left = beyond(open(), before);
      }
      assert.deepEqual(left, [], `after the driver's close there are still open: ${left.join(', ')}`);
    },
  },
];

/** Everything of the driver that opens something, and its close at the end. */
const used = onSession(async ({ rig, session, features, within, order }) => {
  await list(rig.driver, within);
  rig.driver.watch?.(() => {});
  session.watch?.(() => {});
  await within(session.status({ signal: neverAborted() }), 'status');
  if (features.feeder) await rig.load(2);
  await startScan(session, order(), within).rest();
});
