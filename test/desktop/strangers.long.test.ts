/**
 * Untrusted peers of the channel, in real time: a squatter, another secret, garbage and silence are rejected, each
 * logged once.
 */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rm, symlink } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { nullLog } from '@platen/core/plugin';
import { encodeFrame } from '@platen/driver-kit';
import { listenChannel } from '@platen/driver-remote';
import t, { type Test } from 'tap';
import { get, scan, until } from '../spec/calls.js';
import { untilConnected } from '../spec/desktopCalls.js';
import { sheets } from '../topology/sheets.js';
import { createInstallation, messages } from './installation.js';

const posix = { skip: process.platform === 'win32' && 'the channel is a pipe on Windows' };
const socketIn = (dataDir: string): string => join(dataDir, 'channel-platen.sock');
const GREETING_BYTES = 40;

async function squat(t: Test, dataDir: string, behave: (socket: Socket) => void): Promise<Server> {
  const sockets: Socket[] = [];
  await rm(socketIn(dataDir), { force: true });
  const server = createServer(socket => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    behave(socket);
  }).listen(socketIn(dataDir));
  t.teardown(() => {
    server.close();
    sockets.forEach(each => each.destroy());
  });
  await once(server, 'listening');
  return server;
}

/** @returns how many bytes a peer without the secret gets until it is disconnected */
async function knock(dataDir: string, bytes?: Buffer): Promise<number> {
  const socket = connect(socketIn(dataDir)).on('error', () => undefined);
  let received = 0;
  socket.on('data', (chunk: Buffer) => (received += chunk.length));
  socket.once('connect', () => bytes && socket.write(bytes));
  await new Promise<void>(resolve => socket.once('close', () => resolve()));
  return received;
}

// They mostly wait for the next dial, so they run side by side, the longest first. tap changes its options argument, so
// each test needs its own.
t.jobs = 3;
const side = () => ({ buffered: true });

t.test(
  'service: dials 2 s after its start and every 5 s from then on, and a squatter learns nothing',
  { ...side(), ...posix },
  async t => {
    const { service, host, dataDir } = await createInstallation(t);
    const times: number[] = [];
    const heard: Buffer[] = [];
    // It echoes: an echo is not a proof.
    const squatter = await squat(t, dataDir, socket => {
      times.push(performance.now());
      socket.on('data', (chunk: Buffer) => heard.push(chunk));
      socket.pipe(socket);
    });
    const before = performance.now();
    const fixture = await service();
    await until(async () => times.length >= 3);
    const [first = 0, second = 0, third = 0] = times;
    t.ok(first - before >= 2000, `first after ${Math.round(first - before)} ms, the start of the process included`);
    // Timers may be late on a busy machine, but never early; a late dial does not delay the next one.
    for (const pause of [(third - first) / 2]) t.ok(pause > 4500 && pause < 8000, `then every ${Math.round(pause)} ms`);
    const { status, json } = await get<{ error: string }>(fixture, '/api/twain/scanners');
    t.equal(status, 503);
    t.match(
      json.error,
      /^The desktop application is not connected\. The process at .*channel-platen\.sock is not Platen's desktop application, or its secret differs from .*channel\.secret: it does not know the secret\.$/,
    );
    t.ok(second > first);
    const warnings = messages(fixture.log(), 'warn').filter(line => line.startsWith('The process at'));
    t.equal(warnings.length, 1, 'logged once, not every five seconds');
    const all = Buffer.concat(heard);
    const secret = Buffer.from((await readFile(join(dataDir, 'channel.secret'), 'utf8')).trim(), 'hex');
    t.ok(all.length <= times.length * 72);
    t.notOk(all.includes(secret) || all.includes(secret.toString('hex')));

    squatter.close();
    await host();
    await untilConnected(fixture);
    t.equal((await get(fixture, '/api/twain/scanners')).status, 200);
  },
);

t.test(
  'service: a desktop application with another protocol, the log and the answers have both versions and the fix',
  side(),
  async t => {
    const { service, host, dataDir } = await createInstallation(t);
    const fixture = await service();
    let met = 0;
    const hello = { hello: { protocol: 3, role: 'driver', version: '9.9.9', insert: false } };
    const other = await listenChannel({
      name: 'platen',
      dataDir,
      log: nullLog,
      onStream(stream) {
        met++;
        for (const chunk of encodeFrame(hello)) stream.write(chunk);
        stream.resume();
      },
    });
    t.teardown(() => other.close());
    await until(async () => met >= 2);
    const what =
      /the other end \(version 9\.9\.9\) speaks protocol 3, this one \(version 0\.1\.0\) protocol 2: install the same version of Platen at both ends/;
    const { status, json } = await get<{ error: string }>(fixture, '/api/twain/scanners');
    t.equal(status, 503);
    t.match(json.error, what);
    t.equal((await fixture.request('GET', '/health')).text, 'Degraded');
    t.equal(
      messages(fixture.log(), 'warn').filter(line => line.startsWith('The connection') && what.test(line)).length,
      1,
    );
    await other.close();
    await host();
    await untilConnected(fixture);
  },
);

t.test(
  'service: a squatter with a different secret takes the name of a killed desktop application, and is rejected',
  { ...side(), ...posix },
  async t => {
    const { service, host, dataDir } = await createInstallation(t);
    const fixture = await service();
    const program = await host();
    await untilConnected(fixture);
    program.signal('SIGKILL');
    await program.ended;
    await squat(t, dataDir, socket => {
      let received = 0;
      socket.on('data', (chunk: Buffer) => {
        received += chunk.length;
        if (received === GREETING_BYTES)
          socket.write(Buffer.concat([Buffer.from('platen\0\u0001', 'latin1'), Buffer.alloc(32, 7)]));
        else socket.write(createHmac('sha256', Buffer.alloc(32, 1)).update('anything').digest());
      });
    });
    await until(async () => messages(fixture.log(), 'warn').some(line => line.includes('it does not know the secret')));
    t.equal((await fixture.request('GET', '/health')).text, 'Degraded');
  },
);

t.test(
  'channel: two data folders with different secrets, both ends reject each other and log it',
  { ...side(), ...posix },
  async t => {
    const { service, host, dataDir } = await createInstallation(t);
    const program = await host();
    // The service has another data folder, and its channel leads to the first one.
    const { service: other, dataDir: its } = await createInstallation(t);
    await symlink(socketIn(dataDir), socketIn(its));
    const fixture = await other();
    await until(async () => messages(fixture.log(), 'warn').some(line => line.startsWith('The process at')));
    t.match(
      messages(fixture.log(), 'warn').at(-1),
      /it closed the connection before it proved that it knows the secret\.$/,
    );
    await until(async () => messages(program.log(), 'warn').length > 0);
    t.match(messages(program.log(), 'warn'), [
      /^A process that connected to .* was rejected: it does not know the secret\.$/,
    ]);
    t.equal((await fixture.request('GET', '/health')).text, 'Degraded');
    const right = await service();
    await untilConnected(right);
    t.equal((await right.request('GET', '/health')).text, 'Healthy', 'the service with the right secret is served');
  },
);

t.test(
  'desktop application: peers without the secret get a greeting only, and the running scan continues',
  { ...side(), ...posix },
  async t => {
    const { service, host, dataDir } = await createInstallation(t);
    const [fixture, program] = await Promise.all([service(), host()]);
    await untilConnected(fixture);
    await fixture.load('slow', sheets(1, 2, 3, 4));
    const scanning = scan(fixture, 'slow', { resolution: 75 });
    const greeting = Buffer.concat([Buffer.from('platen\0\u0001', 'latin1'), Buffer.alloc(32, 7)]);
    for (let round = 0; round < 3; round++) {
      t.equal(
        await knock(dataDir, Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.padEnd(200))),
        GREETING_BYTES,
      );
      t.equal(
        await knock(
          dataDir,
          Buffer.concat([greeting, Buffer.alloc(32, 9), Buffer.from('{"call":1,"verb":"devices"}')]),
        ),
        GREETING_BYTES,
      );
    }
    t.equal(await knock(dataDir), GREETING_BYTES, 'a silent peer is disconnected');
    t.equal((await scanning).json.imageCount, 4, 'the service is unaffected');
    await until(async () => messages(program.log(), 'warn').length >= 3);
    const warnings = messages(program.log(), 'warn');
    t.match(warnings, [
      /^A process that connected to .* was rejected: it does not speak Platen's protocol\.$/,
      /: it does not know the secret\.$/,
      /: it said nothing within 4 s\.$/,
    ]);
    t.equal(warnings.length, 3);
    t.match(await get(fixture, '/api/twain/scanners'), { status: 200 });
  },
);
