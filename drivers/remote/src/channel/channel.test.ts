import { chmod, readdir, stat, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { recordingLog } from '@platen/conformance';
import t from 'tap';
import { addressIn, everything, folder, host, NAME, squatter, stranger } from './channel.test.kit.js';
import { CHANNEL_VERSION } from './challenge.js';
import { dialChannel } from './dial.js';
import { listenChannel } from './listen.js';
import { secretFile } from './secret.js';

const posix = { skip: process.platform === 'win32' && 'sockets in folders are not on Windows' };

t.test('channel: the two ends find and prove each other, whichever created the secret', async t => {
  for (const first of ['service', 'desktop']) {
    const dataDir = await folder(t);
    if (first === 'service')
      await t.rejects(dialChannel({ name: NAME, dataDir }), {
        code: 'channel-absent',
        message: /nobody listens there/,
      });
    const far = await host(t, dataDir);
    const arrives = far.next();
    const near = await dialChannel({ name: NAME, dataDir });
    t.teardown(() => near.destroy());
    const stream = await arrives;
    near.write('a');
    stream.write('b');
    const heard = near[Symbol.asyncIterator]().next();
    t.equal(String((await once(stream, 'data'))[0]), 'a');
    t.equal(String((await heard).value), 'b');
    t.same(far.log.lines, []);
  }
});

t.test('channel: while access is restricted, failed connections are rejected without a log', async t => {
  const dataDir = await folder(t);
  const log = recordingLog('info');
  const knock = async (address: string): Promise<void> => {
    const socket = connect(address, () => socket.end('nothing')).resume();
    await once(socket, 'close');
  };
  const restricted: string[] = [];
  const listening = await listenChannel({
    name: NAME,
    dataDir,
    log,
    onStream: stream => stream.destroy(),
    async restrict(address) {
      restricted.push(address);
      await knock(address);
    },
  });
  t.teardown(() => listening.close());
  t.same(restricted, [listening.address]);
  t.same(log.lines, []);
  await knock(listening.address);
  t.equal(log.lines.length, 1);
});

t.test('channel: the socket is private to its account, and is removed with its host', posix, async t => {
  const dataDir = await folder(t);
  const far = await host(t, dataDir);
  t.equal((await stat(far.address)).mode & 0o777, 0o600);
  await far.close();
  await far.close();
  t.same(await readdir(dataDir), ['channel.secret']);
  await t.rejects(dialChannel({ name: NAME, dataDir }), { code: 'channel-absent' });
});

t.test(
  'channel: the socket of a killed host is replaced, a host that ends late leaves the next one alone',
  posix,
  async t => {
    const dataDir = await folder(t);
    await writeFile(await addressIn(dataDir), '');
    await t.rejects(dialChannel({ name: NAME, dataDir }), { code: 'channel-absent' });
    const first = await host(t, dataDir);
    const second = await host(t, dataDir);
    await first.close();
    const near = await dialChannel({ name: NAME, dataDir });
    t.teardown(() => near.destroy());
    t.equal(second.streams.length + first.streams.length, 1);
  },
);

t.test('channel: a name that cannot be listened on is channel-taken', posix, async t => {
  const dataDir = await folder(t);
  await host(t, join(dataDir)).then(each => each.close());
  const { mkdir } = await import('node:fs/promises');
  await mkdir(await addressIn(dataDir));
  await t.rejects(host(t, dataDir), {
    code: 'channel-taken',
    message: /cannot be used: the operating system says EISDIR\.$/,
  });
  t.same((await readdir(dataDir)).sort(), ['channel-test.sock', 'channel.secret']);
});

t.test('channel: strangers get a greeting only, and are logged once until the service connects', async t => {
  const dataDir = await folder(t);
  const far = await host(t, dataDir);
  for (let i = 0; i < 3; i++) {
    const socket = await stranger(t, far.address);
    const got = everything(socket);
    socket.write(randomBytes(500));
    t.equal((await got).length, 40);
  }
  const file = secretFile(dataDir);
  const line = `warn: A process that connected to ${far.address} is not Platen's service, or its secret differs from ${file}; it was rejected: it does not speak Platen's protocol.`;
  t.same(far.log.lines, [line]);
  const greeting = Buffer.concat([Buffer.from('platen\0'), Buffer.of(CHANNEL_VERSION), randomBytes(32)]);
  const guesser = await stranger(t, far.address);
  const got = everything(guesser);
  guesser.write(Buffer.concat([greeting, randomBytes(32), Buffer.from('{"call":1}')]));
  t.equal((await got).length, 40);
  t.match(far.log.lines[1], /: it does not know the secret\.$/);

  const near = await dialChannel({ name: NAME, dataDir });
  t.teardown(() => near.destroy());
  const again = await stranger(t, far.address);
  again.end('GET / HTTP/1.1\r\n\r\n'.padEnd(40));
  await everything(again);
  t.equal(far.log.lines[2], line);
  t.equal(far.streams.length, 1);
});

t.test('channel: silent strangers are disconnected, and many do not keep the service out', async t => {
  const dataDir = await folder(t);
  const far = await host(t, dataDir);
  const silent: Socket[] = [];
  for (let i = 0; i < 40; i++) silent.push(await stranger(t, far.address));
  const near = await dialChannel({ name: NAME, dataDir });
  t.teardown(() => near.destroy());
  // The longest silent ones were dropped for those that came after.
  await Promise.all(silent.slice(0, 20).map(everything));
  t.equal(silent.at(-1)?.destroyed, false);

  const impatient = await folder(t);
  const other = await host(t, impatient, 30);
  const socket = await stranger(t, other.address);
  t.equal((await everything(socket)).length, 40);
  t.match(other.log.lines, [/: it said nothing within 0\.03 s\.$/]);
});

t.test('channel: a stranger that floods, no more than a challenge is read', async t => {
  const dataDir = await folder(t);
  const far = await host(t, dataDir);
  const socket = await stranger(t, far.address);
  const over = everything(socket);
  const flood = Buffer.alloc(1024 * 1024, 1);
  for (let i = 0; i < 64; i++) socket.write(flood);
  await over;
  t.ok(socket.bytesWritten - socket.writableLength < 8 * flood.length, 'most of it was never taken');
});

t.test('channel: a squatter gets only a greeting and a proof that is useless elsewhere', async t => {
  const behaviours: Readonly<Record<string, readonly [(socket: Socket) => void, RegExp, challengeMs?: number]>> = {
    silent: [() => undefined, /it said nothing within 0\.1 s/, 100],
    'hangs up': [socket => socket.destroy(), /it closed the connection/],
    'says garbage': [socket => socket.write(randomBytes(4096)), /it does not speak Platen's protocol/],
    echoes: [socket => socket.pipe(socket), /it does not know the secret/],
    'greets and is silent': [
      socket => socket.write(Buffer.concat([Buffer.from('platen\0'), Buffer.of(CHANNEL_VERSION), randomBytes(32)])),
      /it did not prove that it knows the secret within 2 s/,
      2000,
    ],
    'is newer': [
      socket => socket.write(Buffer.concat([Buffer.from('platen\0'), Buffer.of(2), randomBytes(32)])),
      /version 2 of the channel.*install the same version/,
    ],
  };
  for (const [name, [behave, why, challengeMs = 60_000]] of Object.entries(behaviours)) {
    const dataDir = await folder(t);
    const bytes: number[] = [];
    await squatter(t, dataDir, socket => {
      socket.on('data', (part: Buffer) => bytes.push(part.length));
      behave(socket);
    });
    const refused = {
      code: 'channel-refused',
      message: new RegExp(
        `^The process at .* is not Platen's desktop application, or its secret differs from .*: .*${why.source}`,
      ),
    };
    await t.rejects(dialChannel({ name: NAME, dataDir, challengeMs }), refused, name);
    t.ok(bytes.reduce((sum, each) => sum + each, 0) <= 72, name);
  }
});

t.test('channel: a secret that others may have read is rejected at either end', posix, async t => {
  const dataDir = await folder(t);
  const far = await host(t, dataDir);
  await chmod(secretFile(dataDir), 0o644);
  await t.rejects(dialChannel({ name: NAME, dataDir }), { code: 'channel-secret' });
  const socket = await stranger(t, far.address);
  t.equal((await everything(socket)).length, 0);
  t.match(far.log.lines, [/^warn: The secret of the channel .* other accounts may have read it/]);
  await far.close();
  await t.rejects(host(t, dataDir), { code: 'channel-secret' });
});

t.test('channel: a host that closes does not log unproven connections', async t => {
  const far = await host(t, await folder(t));
  const socket = await stranger(t, far.address);
  const over = everything(socket);
  await once(socket, 'readable');
  await far.close();
  await over;
  t.same(far.log.lines, []);
});
