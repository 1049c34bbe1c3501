/** Clients that do not read: what they get when they are back, what they may cost, and when they are ended. */
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { disable, enable, imageOf, listen, quick } from '../spec/autoscanCalls.js';
import { scan, until } from '../spec/calls.js';
import { start } from '../spec/specTest.js';
import { sheets, type Ink } from '../topology/sheets.js';
import type { Fixture } from '../topology/topology.js';
import { virtualTopology as topology } from '../topology/virtualTopology.js';

/** About 15 MB each, more than a connection's buffers hold. */
const large = { resolution: 200, colorMode: 'Color', imageFormat: 'Bmp' } as const;

/** A reader that hangs as soon as it has its first page. */
async function hangingReader(t: Test, fixture: Fixture): Promise<{ id: string; kill(): void }> {
  const call = get({
    host: '127.0.0.1',
    port: fixture.port,
    path: '/api/twain/autoscan/events',
    headers: { host: 'localhost' },
    rejectUnauthorized: false,
    agent: false,
  });
  call.on('error', () => undefined);
  t.teardown(() => void call.destroy());
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  response.on('error', () => undefined).setEncoding('utf8');
  let text = '';
  for await (const part of response.iterator({ destroyOnReturn: false })) {
    text += part as string;
    if (/"}\n\n/.test(text)) break;
  }
  response.pause();
  return { id: /^id: (\S+)$/m.exec(text)?.[1] ?? '', kill: () => void call.destroy() };
}

const stack = (count: number) => sheets(...Array.from({ length: count }, (_each, at) => (at % 8) as Ink));

/** Shared by two tests each. */
const patient = start(t, topology, { config: { clients: { maxStreams: 3 } } });
const impatient = start(t, topology, {
  config: { memory: { encodedBytes: 0 }, clients: { maxStreams: 1, maxUnread: 1, stallSeconds: 1 } },
});

t.test('events: a stalled reader reconnects, gets everything after its last page', async t => {
  const fixture = await patient;
  await fixture.load('duplex', []);
  await enable(t, fixture, 'duplex');
  const waiting = hangingReader(t, fixture);
  await fixture.insert('duplex', stack(30));
  const { id, kill } = await waiting;
  // The other one has all: small pages fit into the first one's buffers, or its connection holds them up.
  const other = await listen(t, fixture);
  await until(async () => (await fixture.waiting('duplex')) === 0);
  kill();
  const back = await listen(t, fixture, id);
  const numbers = (await back.come(29)).map(({ data }) => imageOf(data).pageNumber);
  t.same(
    numbers,
    Array.from({ length: 29 }, (_each, at) => at + 2),
  );
  other.hangUp();
});

t.test('events: a reader’s next pages are gone, it is told and continues, and so does auto-scan', async t => {
  const fixture = await start(t, topology, { config: { autoscan: { resendBytes: 0 } } });
  await fixture.load('duplex', stack(20));
  await enable(t, fixture, 'duplex');
  const first = await listen(t, fixture);
  const ids = (await first.come(20)).map(({ id }) => id);
  await fixture.insert('duplex', sheets(1));
  await first.come(21);
  const late = await listen(t, fixture, ids[2]);
  const [gap, ...more] = await late.ended;
  t.match(gap, { event: 'error', data: { error: /Pages 4 to 1\d / } });
  t.same(more, []);
  const again = await listen(t, fixture, gap?.id);
  const [next] = await again.come(1);
  t.equal(Number(next?.id?.split('-')[1]), Number(gap?.id?.split('-')[1]) + 1);
  await fixture.insert('duplex', sheets(2));
  await first.come(22);
  t.match(await disable(fixture), { json: { message: /Auto-scan is disabled/ } });
});

t.test('events: readers that never read, limited in number and disconnected when stalled', async t => {
  const fixture = await impatient;
  await fixture.load('duplex', []);
  await enable(t, fixture, 'duplex', large);
  const socket = await fixture.connect();
  t.teardown(() => void socket.destroy());
  socket.on('error', () => undefined).write('GET /api/twain/autoscan/events HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(socket, 'data');
  socket.pause();
  const refused = await fixture.events();
  await refused.ended;
  t.equal(refused.status, 429);
  t.match(JSON.parse(refused.text), { success: false, error: /clients\.maxStreams/ });
  // A page that does not fit into its buffers.
  await fixture.insert('duplex', sheets(1));
  await until(async () => {
    const stream = await fixture.events();
    stream.hangUp();
    return stream.status === 200;
  });
  t.pass('its place is free');
});

t.test('answers: clients that never read, limited in number, disconnected and their memory freed', async t => {
  const fixture = await impatient;
  const spool = join(fixture.dataDir, 'spool');
  const body = JSON.stringify({ scannerName: fixture.name('flatbed'), parameters: large });
  const neverRead = async (): Promise<void> => {
    const socket = await fixture.connect();
    t.teardown(() => void socket.destroy());
    socket.on('error', () => undefined);
    socket.pause();
    socket.write(
      `POST /api/twain/scan HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  };
  await neverRead();
  let refused: { status: number; json: { error?: string } };
  await until(async () => {
    refused = await scan(fixture, 'flatbed', quick);
    // On a busy machine it may be disconnected before anyone is refused; then there is another one.
    if (refused.status === 200) await neverRead();
    return refused.json.error?.includes('do not read') === true;
  });
  t.equal(refused!.status, 409);
  await until(async () => (await scan(fixture, 'flatbed', quick)).status === 200);
  await until(async () => (await readdir(spool)).length === 0);
  t.pass('nothing stays');
});

t.test('events: streams pipelined behind another one, end with their connection and free their places', async t => {
  const fixture = await patient;
  await fixture.load('duplex', []);
  await enable(t, fixture, 'duplex');
  const request = 'GET /api/twain/autoscan/events HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const socket = await fixture.connect();
  t.teardown(() => void socket.destroy());
  socket
    .on('error', () => undefined)
    .resume()
    .write(request.repeat(2));
  const open = async (): Promise<number> => {
    const stream = await fixture.events();
    t.teardown(() => void stream.hangUp());
    return stream.status;
  };
  await until(async () => (await open()) === 429);
  socket.destroy();
  await until(async () => (await open()) === 200);
  t.equal(await open(), 200);
});
