/** A process that ends is restarted, with growing pauses while it keeps ending; one that hangs is killed. */
import t from 'tap';
import { HANG_BEATS } from './heartbeat.js';
import { rigOf, settle, type Rig } from './isolate.test.kit.js';
import { LONGEST_PAUSE_MS, WELL_MS } from './restartPauses.js';

const its = 'The process of the plugin "@acme/x"';

/** Ends the process, and measures the seconds until the next one. */
async function pauseAfter(rig: Rig, how: string): Promise<number> {
  const before = rig.processes.length;
  rig.last.end(how);
  await settle();
  for (let seconds = 0; seconds < 100; seconds++) {
    if (rig.processes.length > before) return seconds;
    await rig.clock.advance(1000);
    await settle();
  }
  throw new Error('no process came');
}

t.test('supervisor: the pause doubles up to 30 s, and is 1 s again after a process that ran well', async t => {
  const rig = rigOf();
  t.match(await rig.supervisor.begin(), { driver: 'fake', report: { state: 'loaded' } });
  const pauses: number[] = [];
  for (let crash = 0; crash < 8; crash++) pauses.push(await pauseAfter(rig, 'was ended by SIGSEGV'));
  t.same(pauses, [1, 2, 4, 8, 16, 30, 30, 30]);
  t.equal(rig.supervisor.generation, 9);

  await rig.clock.advance(WELL_MS - 1000);
  await settle();
  t.equal(await pauseAfter(rig, 'ended with code 1'), 30, 'not well yet');
  for (let seconds = 0; seconds < WELL_MS / 1000; seconds++) {
    await rig.clock.advance(1000);
    await settle(5);
  }
  t.equal(await pauseAfter(rig, 'ended with code 1'), 1);
  t.equal(await pauseAfter(rig, 'ended with code 1'), 2);
  await rig.supervisor.close();
  t.same(rig.last.asked, ['leave']);
});

t.test('supervisor: a crash loop is logged up to the longest pause, and so is its end', async t => {
  const rig = rigOf();
  await rig.supervisor.begin();
  for (let crash = 0; crash < 20; crash++) await pauseAfter(rig, 'was ended by SIGSEGV');
  t.same(rig.lines, [
    ...[1, 2, 4, 8, 16].flatMap(pause => [
      `warn: ${its} was ended by SIGSEGV; restarting in ${pause} s.`,
      `info: ${its} runs again.`,
    ]),
    `warn: ${its} was ended by SIGSEGV; restarting every 30 s, with no further warnings until it is stable.`,
  ]);
  t.ok(rig.supervisor.quiet);
  for (let seconds = 0; seconds < WELL_MS / 1000; seconds++) {
    await rig.clock.advance(1000);
    await settle(5);
  }
  t.equal(rig.lines.at(-1), `info: ${its} is stable again.`);
  t.notOk(rig.supervisor.quiet);
  await pauseAfter(rig, 'was ended by SIGSEGV');
  t.same(rig.lines.slice(-2), [`warn: ${its} was ended by SIGSEGV; restarting in 1 s.`, `info: ${its} runs again.`]);
  await rig.supervisor.close();
});

t.test('supervisor: a failed restart is retried, whatever the error', async t => {
  const rig = rigOf();
  await rig.supervisor.begin();
  rig.starts(
    { ends: 'failed: no scanner' },
    { refused: 'The plugin "@acme/x" is not installed.' },
    { throws: 'could not be started: no memory' },
    'silent',
    'well',
  );
  rig.last.end('ended with code 0');
  for (let seconds = 0; seconds < 32; seconds++) {
    await settle();
    await rig.clock.advance(1000);
  }
  await settle();
  t.same(
    rig.lines.filter(line => line.includes(its)),
    [
      `warn: ${its} ended with code 0; restarting in 1 s.`,
      `warn: ${its} failed: no scanner; restarting in 2 s.`,
      `warn: ${its} ended: The plugin "@acme/x" is not installed; restarting in 4 s.`,
      `warn: ${its} could not be started: no memory; restarting in 8 s.`,
      rig.lines.find(line => line.includes('served no driver')),
      `info: ${its} runs again.`,
    ],
  );
  t.match(
    rig.lines.find(line => line.includes('served no driver')),
    /served no driver \(.* the other end closed it\.\) and was killed; restarting in 16 s\.$/,
  );
  t.ok(rig.supervisor.running);
  await rig.supervisor.close();
});

t.test('supervisor: the first process does not load its plugin, no restart', async t => {
  for (const [start, words] of [
    [{ ends: 'was ended by SIGSEGV' }, 'it was ended by SIGSEGV'],
    ['silent', /^it served no driver/],
    [{ throws: 'could not be started' }, 'it could not be started'],
  ] as const) {
    const rig = rigOf();
    rig.starts(start);
    await t.rejects(rig.supervisor.begin(), { message: words });
    await rig.clock.advance(LONGEST_PAUSE_MS);
    t.ok(rig.processes.length <= 1);
  }
  const rig = rigOf();
  rig.starts({ refused: 'No.' });
  t.match(await rig.supervisor.begin(), { report: { state: 'refused', sentence: 'No.' } });
  t.same(rig.last.asked, ['leave'], 'it is ended before the loader goes on');
});

t.test('heartbeat: a process that hangs is killed, one that answers late is not', async t => {
  const rig = rigOf();
  await rig.supervisor.begin();
  const pongs: (() => void)[] = [];
  const alive = rig.remote.ping;
  rig.remote.ping = call => new Promise((resolve, reject) => pongs.push(() => alive(call).then(resolve, reject)));
  const beat = async (): Promise<void> => {
    await rig.clock.advance(1000);
    await settle(5);
  };
  for (let seconds = 0; seconds < 5 + HANG_BEATS - 1; seconds++) await beat();
  t.equal(pongs.length, 1);
  pongs.shift()!();
  await settle();
  for (let seconds = 0; seconds < 5 + HANG_BEATS - 1; seconds++) await beat();
  t.same(rig.last.asked, []);
  await beat();
  t.same(rig.last.asked, [`kill did not answer for ${HANG_BEATS} s and was killed`]);
  await settle();
  t.equal(rig.lines.at(-1), `warn: ${its} did not answer for ${HANG_BEATS} s and was killed; restarting in 1 s.`);
  await rig.supervisor.close();
});

t.test('heartbeat: a computer that slept missed only one beat', async t => {
  const rig = rigOf();
  await rig.supervisor.begin();
  rig.remote.ping = () => new Promise(() => undefined);
  await rig.clock.advance(5000);
  const { after } = rig.clock;
  // Runs one timer, whenever it is due.
  const due: (() => void)[] = [];
  rig.clock.after = (_ms, callback) => {
    due.push(callback);
    return () => undefined;
  };
  await rig.clock.advance(1000);
  const [beat] = due.splice(0);
  beat?.();
  t.same(rig.last.asked, []);
  rig.clock.after = after;
  await rig.supervisor.close();
});

t.test('supervisor: a process without its connection is killed, unless it ends by itself', async t => {
  const rig = rigOf();
  await rig.supervisor.begin();
  rig.last.disconnect();
  await settle();
  t.notOk(rig.supervisor.running);
  await rig.clock.advance(1000);
  t.same(rig.last.asked, ['kill closed its connection and was killed']);
  await rig.supervisor.close();
});

t.test('supervisor: close while running, pausing and starting', async t => {
  const running = rigOf();
  await running.supervisor.begin();
  await Promise.all([running.supervisor.close(), running.supervisor.close()]);
  t.same(running.last.asked, ['leave']);
  t.same(running.lines, []);

  const pausing = rigOf();
  await pausing.supervisor.begin();
  pausing.last.end('was ended by SIGKILL');
  await settle();
  await pausing.supervisor.close();
  await pausing.clock.advance(LONGEST_PAUSE_MS);
  t.equal(pausing.processes.length, 1);

  const starting = rigOf();
  await starting.supervisor.begin();
  starting.last.end('was ended by SIGKILL');
  await settle();
  await starting.clock.advance(1000);
  t.equal(starting.processes.length, 2);
  await starting.supervisor.close();
  await starting.clock.advance(LONGEST_PAUSE_MS);
  await settle();
  t.equal(starting.processes.length, 2);
  t.notOk(starting.supervisor.running);
});
