/** Helper: crashes, hangs, is killed or closed; the call says so, no process is left, and the next call works. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import type { HelperCall } from './helperTypes.js';
import {
  buildFixture,
  failureOf,
  isAlive,
  longDeadline,
  testHelper,
  type TestHelper,
  untilGone,
} from './helper.test.kit.js';

/** Deadline of a call that is never answered. */
const brief: HelperCall = { deadlineMs: 300 };

const command = buildFixture(t);
if (command) {
  // A loaded machine may take its time to end a process.
  const fixture = (t: Test): TestHelper => testHelper(t, { command, exitMs: 60_000 });

  void t.test(
    'helper: killed in the middle of a page, the bands sent before arrive, the call fails, the next one works',
    async t => {
      const helper = fixture(t);
      const pid = await helper.pid();
      const bands: number[] = [];
      const failure = await failureOf(
        helper.call(
          'page',
          { bytes: 1e6, band: 1_000, pause: 5 },
          {
            ...longDeadline,
            onMore: ({ data }) => {
              bands.push(data.length);
              if (bands.length === 3) process.kill(pid, 'SIGKILL');
            },
          },
        ),
      );
      t.equal(failure, 'driver-failed: the helper "fixture" was ended by SIGKILL');
      t.ok(bands.length >= 3 && bands.every(length => length === 1_000), 'no incomplete band');
      t.notOk(isAlive(pid));
      t.not(await helper.pid(), pid);
      t.equal(helper.generation, 2);
    },
  );

  void t.test('helper: a crash after a page, all its bands are delivered first', async t => {
    const helper = fixture(t);
    let bytes = 0;
    const failure = await failureOf(
      helper.call(
        'page',
        { bytes: 4e6, band: 1e6, crash: 3e6 },
        {
          ...longDeadline,
          onMore: async ({ data }) => {
            await new Promise(resolve => setTimeout(resolve, 50));
            bytes += data.length;
          },
        },
      ),
    );
    t.equal(failure, 'driver-failed: the helper "fixture" was ended by SIGABRT');
    t.equal(bytes, 3e6);
  });

  void t.test('helper: a crash, ends every pending call, calls the listeners and is logged', async t => {
    const helper = fixture(t);
    let exits = 0;
    const unsubscribe = helper.onExit(() => exits++);
    const pid = await helper.pid();
    const both = await Promise.all([
      failureOf(helper.call('crash', {}, longDeadline)),
      failureOf(helper.call('echo', {}, longDeadline)),
    ]);
    t.strictSame(both, Array(2).fill('driver-failed: the helper "fixture" was ended by SIGABRT'));
    t.not(await helper.pid(), pid);
    t.equal(exits, 1);
    t.ok(helper.logged.includes('warn: the helper "fixture" was ended by SIGABRT'));
    t.ok(helper.logged.includes('debug: fixture: a vendor prints before it crashes'));
    unsubscribe();
    await helper.close();
    t.equal(exits, 1);
  });

  for (const [title, hang] of [
    ['SIGSTOP', async (helper: TestHelper) => void process.kill(await helper.pid(), 'SIGSTOP')],
    [
      'a verb that never returns',
      async (helper: TestHelper) => void helper.call('block', {}, longDeadline).catch(() => undefined),
    ],
  ] as const) {
    void t.test(`helper: a hang (${title}), timeout; the program is killed, the next call works`, async t => {
      const helper = fixture(t);
      const pid = await helper.pid();
      await hang(helper);
      t.equal(
        await failureOf(helper.call('echo', {}, brief)),
        'timeout: the helper "fixture" did not answer "echo" for 300 ms and was killed',
      );
      t.ok(await helper.pid());
      t.notOk(isAlive(pid), 'never two at a time');
      t.equal(helper.generation, 2);
    });
  }

  void t.test('helper: a hang of one call, fails the others with driver-failed', async t => {
    const helper = fixture(t);
    await helper.pid();
    const other = failureOf(helper.call('block', {}, longDeadline));
    await failureOf(helper.call('echo', {}, brief));
    t.match(await other, /^driver-failed: .*did not answer "echo"/);
  });

  void t.test('helper: a program that stops in the middle of a page, counts as a hang', async t => {
    const helper = fixture(t);
    const pid = await helper.pid();
    let stopped = false;
    const failure = await failureOf(
      helper.call(
        'page',
        { bytes: 1e6, band: 1_000, pause: 5 },
        {
          ...brief,
          onMore: () => {
            if (!stopped) process.kill(pid, 'SIGSTOP');
            stopped = true;
          },
        },
      ),
    );
    t.match(failure, /^timeout: /);
    await untilGone(pid);
  });

  void t.test('helper: kill, ends calls at once with its reason', async t => {
    const helper = fixture(t);
    const pid = await helper.pid();
    const call = failureOf(helper.call('block', {}, longDeadline));
    await new Promise(setImmediate);
    helper.kill('the session was abandoned');
    helper.kill('twice');
    t.equal(await call, 'driver-failed: the helper "fixture" was killed: the session was abandoned');
    t.ok(await helper.pid());
    t.notOk(isAlive(pid));
  });

  void t.test('helper: killed, crashed or closed, its forked processes end too', async t => {
    const endings: ((helper: TestHelper) => unknown)[] = [
      helper => helper.kill('for the test'),
      helper => failureOf(helper.call('crash', {}, longDeadline)),
      helper => helper.close(),
    ];
    for (const end of endings) {
      const helper = fixture(t);
      const reader = Number((await helper.call('fork', {}, longDeadline)).header['pid']);
      t.ok(isAlive(reader));
      await end(helper);
      await untilGone(reader);
    }
    const orderly = fixture(t);
    await orderly.call('fork', {}, longDeadline);
    await orderly.close();
    t.ok(
      orderly.logged.includes('debug: the helper "fixture" ended with code 0'),
      'after ending its reader it exits normally',
    );
  });

  void t.test(
    'helper: close while busy, the call rejects, the program cleans up and ends, later calls reject',
    async t => {
      const helper = fixture(t);
      const pid = await helper.pid();
      const call = failureOf(helper.call('page', { bytes: 1e6, band: 1, pause: 5 }, longDeadline));
      await new Promise(setImmediate);
      await Promise.all([helper.close(), helper.close()]);
      t.notOk(isAlive(pid));
      t.equal(await call, 'driver-failed: the helper "fixture" is closed');
      t.ok(helper.logged.includes('debug: fixture: everything is closed'));
      t.notOk(
        helper.logged.some(line => line.startsWith('warn')),
        'no warnings',
      );
      t.equal(await failureOf(helper.call('pid', {}, longDeadline)), 'driver-failed: the helper "fixture" is closed');
      t.equal(helper.generation, 1);
    },
  );

  void t.test('helper: close before the first call or while starting, calls reject', async t => {
    const idle = fixture(t);
    await idle.close();
    t.equal(idle.generation, 0);
    const starting = fixture(t);
    const call = failureOf(starting.call('echo', {}, longDeadline));
    await starting.close();
    t.equal(await call, 'driver-failed: the helper "fixture" is closed');
  });

  for (const [verb, last] of [
    ['block', 'a verb did not end in time: leaving without it'],
    ['urgentBlock', 'everything is closed'],
  ] as const) {
    void t.test(`helper: the end of stdin, ends a program that blocks in "${verb}"`, async t => {
      const child = spawn(command, { stdio: ['pipe', 'ignore', 'pipe'] });
      child.stdin.write(`{"id":1,"verb":"${verb}","args":{}}\n`);
      const lines: string[] = [];
      for await (const line of createInterface(child.stderr)) {
        lines.push(line);
        if (line === 'blocked') child.stdin.end();
      }
      t.strictSame(lines, ['blocked', 'the service is gone', last]);
      await untilGone(child.pid!);
    });
  }

  const skip = process.platform !== 'linux' && 'only Linux notifies a process when its parent ends';
  void t.test(
    "helper: the service is killed while another process holds the helper's stdin open, the helper still ends",
    { skip },
    async t => {
      const service = spawn('sh', ['-c', '"$0" <&3 >&4 & echo $!; wait', command], {
        stdio: ['ignore', 'pipe', 'inherit', 'pipe', 'pipe'],
      });
      const [pid] = await Promise.all([
        once(createInterface(service.stdout!), 'line').then(([line]) => Number(line)),
        once(service.stdio[4]!, 'data'),
      ]);
      t.ok(isAlive(pid), 'it said hello');
      service.kill('SIGKILL');
      await untilGone(pid);
      service.stdio[3]!.destroy();
    },
  );

  void t.test('helper: the service is killed, no helper remains, not even a busy or stopped one', async t => {
    const service = fileURLToPath(new URL('../../fixtures/service.mjs', import.meta.url));
    const child = spawn(process.execPath, [service, command], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    const pids: number[] = [];
    for await (const line of createInterface(child.stdout)) {
      pids.push(...(JSON.parse(line) as number[]));
      t.ok(pids.every(isAlive));
      child.kill('SIGKILL');
    }
    t.equal(pids.length, 5, 'an idle one, a busy one, one that was stopped, and two forked readers');
    await Promise.all(pids.map(untilGone));
  });
}
