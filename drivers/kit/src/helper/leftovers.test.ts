/** endLeftovers: helpers whose service has ended and that do not end by themselves. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { buildFixture, isAlive, testHelper, untilGone } from './helper.test.kit.js';
import { endLeftovers } from './leftovers.js';

/** The fixture with a countdown that outlasts the test. */
const command = process.platform === 'linux' ? buildFixture(t, ['-DPLATEN_LEAVE_MS=3600000u']) : undefined;
if (command) {
  void t.test('endLeftovers: the service was killed, its helper and readers are ended; other helpers stay', async t => {
    const service = fileURLToPath(new URL('../../fixtures/service.mjs', import.meta.url));
    const child = spawn(process.execPath, [service, command], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    t.teardown(() => void child.kill('SIGKILL'));
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const [, busy = 0, , , reader = 0] = JSON.parse(line) as number[];
    const ours = testHelper(t, { command });
    const pid = await ours.pid();
    const told: string[] = [];
    const say = (message: string): void => void told.push(message);
    const log = { debug: say, info: say, warn: say, error: say };

    await endLeftovers(command, log, 0);
    t.strictSame(told, [], 'its service runs');
    child.kill('SIGKILL');
    await once(child, 'exit');
    t.ok([busy, reader].every(isAlive), 'they outlive their service');
    await endLeftovers(command, log, 0);
    await Promise.all([busy, reader].map(untilGone));
    t.ok(
      told.some(message => message.includes(String(busy))),
      told.join('\n'),
    );
    t.equal(await ours.pid(), pid, 'a helper whose service runs is not ended');
  });

  void t.test('endLeftovers: a missing program, nothing to end', async t => {
    await t.resolves(
      endLeftovers('/nowhere/platen-helper', { debug() {}, info() {}, warn: message => t.fail(message), error() {} }),
    );
  });
}
