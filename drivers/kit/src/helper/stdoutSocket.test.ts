/** stdoutSocket: a program's output in one buffer, its end, and the fallback to a pipe. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { faultyHelper, longDeadline } from './helper.test.kit.js';
import { openStdoutSocket, type StdoutSocket } from './stdoutSocket.js';

/** Creates temporary folders in this folder for the length of the test. */
function temporaryIn(t: Test, folder: string): void {
  const { TMPDIR } = process.env;
  process.env['TMPDIR'] = folder;
  t.teardown(() => {
    if (TMPDIR === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = TMPDIR;
  });
}

async function socketOf(script: string): Promise<StdoutSocket> {
  const socket = await openStdoutSocket();
  if (!socket) throw new Error('There is no socket.');
  const child = spawn(process.execPath, ['-e', script], {
    stdio: ['ignore', socket.childEnd, 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  socket.childEnd.destroy();
  await once(child, 'spawn');
  return socket;
}

t.test('stdoutSocket: a long output, every byte in order, then the end; no folder is left', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-socket-'));
  t.teardown(() => rm(folder, { recursive: true }));
  temporaryIn(t, folder);
  const length = 3_000_001;
  const socket = await socketOf(
    `const b = Buffer.from(Array.from({ length: ${length} }, (_, i) => i % 251)); process.stdout.write(b);`,
  );
  let at = 0;
  let wrong = 0;
  for await (const chunk of socket.chunks) {
    // A slow reader: the writer waits.
    if (at === 0) await new Promise(resolve => setTimeout(resolve, 50));
    for (const byte of chunk) if (byte !== at++ % 251) wrong++;
  }
  t.strictSame([at, wrong], [length, 0]);
  t.strictSame(await readdir(folder), []);
});

t.test('stdoutSocket: a silent program or a destroyed socket, the end', async t => {
  for await (const chunk of (await socketOf('')).chunks) t.fail(`${chunk.length} bytes`);
  const socket = await socketOf('setTimeout(() => undefined, 60_000).unref(); process.stdin.resume()');
  const ended = (async () => {
    for await (const chunk of socket.chunks) t.fail(`${chunk.length} bytes`);
  })();
  socket.destroy();
  await ended;
});

t.test('helper: killed or closed before its process starts, never starts it', async t => {
  const killed = faultyHelper(t, 'none');
  const call = killed.call('echo', {}, longDeadline);
  killed.kill('the test wants it');
  await t.rejects(call, { code: 'driver-failed', message: /the test wants it/ });
  await killed.close();
  const closed = faultyHelper(t, 'none');
  const other = closed.call('echo', {}, longDeadline);
  await closed.close();
  await t.rejects(other, { code: 'driver-failed', message: /is closed/ });
  t.notOk(
    [...killed.logged, ...closed.logged].some(line => /ended/.test(line)),
    'no process ended',
  );
});

t.test('helper: no folder for the socket, uses an ordinary pipe', async t => {
  temporaryIn(t, join(t.testdir(), 'missing'));
  t.equal(await openStdoutSocket(), undefined);
  t.ok(await faultyHelper(t, 'deafToTheEnd', { exitMs: 100 }).pid());
});
