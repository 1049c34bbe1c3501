/** A child process reports how it ended, and is ended together with its group. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { startChild, type ChildOptions } from './childProcess.js';
import { streamLines } from './streamLines.js';

const node = (script: string, options: Partial<ChildOptions> = {}) =>
  startChild({ command: process.execPath, args: ['-e', script], ...options });
const skip = process.platform === 'win32' && 'Windows has neither signals nor process groups';

t.test('ended: exit code, signal or failure to start, one sentence', async t => {
  t.match(await node('process.exit(3)').ended, { sentence: 'ended with code 3', code: 3, error: undefined });
  const none = startChild({ command: '/nowhere/program' });
  t.match(await none.ended, {
    sentence: 'cannot be started: there is no program /nowhere/program',
    error: { code: 'ENOENT' },
  });
  t.same([none.process?.pid, none.refusal], [undefined, undefined]);
  none.kill();
  const refused = startChild({ command: process.execPath, args: ['a\0b'] });
  t.match(await refused.ended, { sentence: /^cannot be started: .*null bytes/ });
  t.equal(refused.process, undefined);
  t.equal(refused.refusal, (await refused.ended).sentence);
});

t.test('kill: a process that leads a group, the whole group ends', { skip }, async t => {
  const child = node(
    "console.log(require('node:child_process').spawn('sleep', ['60'], { stdio: 'ignore' }).pid); setInterval(() => {}, 1000)",
    { detached: true },
  );
  const [printed] = (await once(child.process!.stdout!, 'data')) as [Buffer];
  child.kill();
  t.match(await child.ended, { sentence: 'was ended by SIGKILL', signal: 'SIGKILL' });
  const isAlive = (): boolean => {
    try {
      return process.kill(Number(printed), 0);
    } catch {
      return false;
    }
  };
  while (isAlive()) await sleep(5);
  t.pass('its child has ended');
});

t.test(
  'leave: a process that reads to the end of its input exits by itself, any other is killed',
  { skip },
  async t => {
    const good = node("process.stdin.on('end', () => process.exit(0)).resume()");
    t.equal(await good.leave(10_000), true);
    t.match(await good.ended, { code: 0 });
    const stubborn = node('setInterval(() => {}, 1000)');
    t.equal(await stubborn.leave(50), false);
    t.match(await stubborn.ended, { signal: 'SIGKILL' });
  },
);

t.test('streamLines: whole lines without blank ones, and a line that never ends in pieces', async t => {
  const child = node("process.stdout.write('one\\n\\n  two \\nthr'); process.stdout.write('ee\\n' + 'x'.repeat(5000))");
  const lines: string[] = [];
  const printed = streamLines(child.process!.stdout!, line => lines.push(line));
  t.equal(printed.last, undefined);
  await printed.ended;
  t.same(lines, ['one', '  two', 'three', 'x'.repeat(4096), 'x'.repeat(904)]);
  t.equal(printed.last, 'x'.repeat(904));
});
