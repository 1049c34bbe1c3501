/** Health: what the scanners' own status says, and which scanners are asked. */
import t from 'tap';
import { healthOf } from './health.js';
import { rigOf } from './rig.test.kit.js';

const signal = new AbortController().signal;

t.test('health: a scanner that answers; not one that a session has open or that is away', async t => {
  const rig = await rigOf({ model: 'Acme Desk' });
  t.teardown(() => rig.dispose?.());
  t.strictSame(await rig.driver.health({ signal }), { state: 'ok', facts: [] }, 'none was looked for');
  for await (const { name } of rig.driver.devices({ signal })) t.equal(name, 'Acme Desk');
  const device = 'Acme Desk';
  t.match(await rig.driver.health({ signal }), {
    state: 'ok',
    sentence: undefined,
    facts: [
      { name: 'escl_version', value: /^2\./, device },
      { name: 'state', value: 'Idle', device },
      { name: 'feeder', value: 'ScannerAdfEmpty', device },
    ],
  });
  const session = await rig.driver.open(rig.deviceId, { signal });
  t.strictSame((await rig.driver.health({ signal })).facts, []);
  await session.close();
  t.equal((await rig.driver.health({ signal })).facts?.length, 3);
  await rig.unplug?.();
  t.match(await rig.driver.health({ signal }), { state: 'ok' });
});

t.test('health: faults that a person clears are warnings', async t => {
  const scanner = (name: string, state: string, adf = '') => ({
    ...{ device: { name }, version: '2.6' },
    status: async () => ({ state, adf, jobs: [] }),
  });
  const { state, sentence } = await healthOf([
    scanner('A', 'Idle', 'ScannerAdfHatchOpen'),
    scanner('B', 'Stopped'),
    scanner('C', 'Idle', 'ScannerAdfDuplexPageTooLong'),
    { ...scanner('D', 'Idle'), status: () => Promise.reject(new Error('it does not answer')) },
  ]);
  t.equal(state, 'warning');
  t.equal(sentence, '"A" has an open cover. "B" has stopped: look at its display.');
});
