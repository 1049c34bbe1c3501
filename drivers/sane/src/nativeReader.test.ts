/** Helper: a service that does not take what the helper sends. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { helper, needsSane, testBackend } from './native.test.kit.js';

const able = needsSane(t);

/** A helper that writes into a pipe, which holds 1 MiB at most: a socket holds as much as the system likes. */
async function startPiped(t: Test) {
  const env = testBackend(t);
  const path = join(String(env['SANE_CONFIG_DIR']), 'out');
  execFileSync('mkfifo', [path]);
  const out = await open(path, 'r+');
  t.teardown(() => out.close());
  const child = spawn(helper, [], { env, stdio: ['pipe', out.fd, 'pipe'] });
  t.teardown(() => void child.kill('SIGKILL'));
  let errors = '';
  child.stderr?.on('data', (text: Buffer) => {
    errors += text.toString();
  });
  let id = 0;
  async function take(length: number): Promise<Buffer> {
    const bytes = Buffer.alloc(length);
    for (let at = 0; at < length;) at += (await out.read(bytes, at, length - at)).bytesRead;
    return bytes;
  }
  /** The next frame's lengths; the frame itself is not read. */
  async function lead() {
    const lengths = await take(8);
    return { header: lengths.readUInt32LE(0), data: lengths.readUInt32LE(4) };
  }
  return {
    gone: once(child, 'close'),
    errors: () => errors,
    end: () => void child.stdin?.end(),
    /** Sends a request, and waits for nothing. @returns its id */
    ask(verb: string, args: object = {}): number {
      child.stdin?.write(`${JSON.stringify({ id: ++id, verb, args })}\n`);
      return id;
    },
    /** Resolves when the helper has read all requests. */
    asked: () => new Promise(resolve => child.stdin?.write('', resolve)),
    lead,
    take,
    /** Takes all frames up to the answer of a request. @returns the answer's header */
    async answer(to: number): Promise<Readonly<Record<string, unknown>>> {
      for (;;) {
        const { header, data } = await lead();
        const fields = JSON.parse((await take(header)).toString()) as Record<string, unknown>;
        await take(data);
        if (fields['id'] === to && fields['more'] !== true) return fields;
      }
    },
  };
}

if (able)
  void t.test('cancel: while an answer waits to be taken, ends the scan', async t => {
    const { ask, asked, answer } = await startPiped(t);
    ask('init');
    ask('open', { device: 'test:0' });
    ask('options');
    await answer(ask('start'));
    for (let i = 0; i < 10_000; i++) ask('parameters');
    await asked();
    await pause(300); // the pipe is full
    const cancelled = ask('cancel');
    await asked();
    await pause(50); // the cancel has begun
    t.match(await answer(cancelled), { ok: true });
    t.match(await answer(ask('set', { index: 2, value: 'Gray' })), { ok: true }, 'SANE refuses it during a scan');
  });

if (able)
  void t.test('end of stdin: no reader takes the bands, the helper still exits', async t => {
    const { ask, lead, take, end, gone, errors } = await startPiped(t);
    ask('init');
    ask('open', { device: 'test:0' });
    ask('set', { index: 2, value: 'Color' });
    ask('set', { index: 7, value: 1200 });
    ask('start');
    ask('read', { bandBytes: 4 << 20 });
    for (;;) {
      const { header, data } = await lead();
      if (data > 2 << 20) break;
      await take(header + data);
    }
    end();
    await gone;
    t.match(errors(), /did not end in time/, 'the helper ended itself');
  });
