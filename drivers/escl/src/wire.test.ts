/** Answers that are cut, that are no HTTP, and an old server of TLS. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { createWire, type Wire } from './wire.js';

const signal = new AbortController().signal;

async function wireTo(t: Test, scheme: 'http' | 'https', serve: (socket: Socket) => void): Promise<Wire> {
  const server = createServer(socket => {
    socket.on('error', () => undefined);
    socket.once('data', () => serve(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(`${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/eSCL`);
  const wire = createWire({ url, deviceId: 'a', pins: { file: 'pins', accepts: async () => true }, host: 'standard' });
  t.teardown(() => {
    wire.close();
    server.close();
  });
  return wire;
}

const ask = (wire: Wire, method: 'GET' | 'POST') => wire.ask({ method, path: '/', most: 1000, silence: 5000, signal });

const failureOf = (asked: Promise<unknown>): Promise<Error> => asked.then(() => new Error('nothing failed'), (error: Error) => error);

t.test('the connection ends after the head: of what answers a POST the head is enough', async t => {
  const wire = await wireTo(t, 'http', socket => socket.end('HTTP/1.1 201 Created\r\nLocation: /1\r\nContent-Length: 10\r\n\r\n'));
  t.match(await ask(wire, 'POST'), { status: 201, headers: { location: '/1' } });
  t.match(await failureOf(ask(wire, 'GET')), { kind: 'torn' });
});

t.test('chunks that are none are no HTTP', async t => {
  const wire = await wireTo(t, 'http', socket => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n'));
  t.match(await failureOf(ask(wire, 'GET')), { kind: 'not understood' });
});

t.test('a body is held to what its beginning says, and one that is no image is not read on', async t => {
  const wire = await wireTo(t, 'http', socket => void socket.write(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(500)}`));
  const measured = (measure: () => number) => wire.ask({ method: 'GET', path: '/', most: 1e9, silence: 5000, signal, measure });
  t.match(await failureOf(measured(() => 499)), { kind: 'too much', message: /499/ });
  await t.rejects(measured(() => {
    throw new RangeError('no image');
  }), { message: 'no image' });
});

t.test('TLS: a server that knows no secure renegotiation (RFC 5746) is talked to', async t => {
  // A ServerHello of TLS 1.2 without extensions, and then nothing more.
  const hello = Buffer.concat([Buffer.from([3, 3]), Buffer.alloc(32, 1), Buffer.from([0, 0xc0, 0x2f, 0])]);
  const handshake = Buffer.concat([Buffer.from([2, 0, 0, hello.length]), hello]);
  const wire = await wireTo(t, 'https', socket => socket.end(Buffer.concat([Buffer.from([22, 3, 3, 0, handshake.length]), handshake])));
  const failure = await failureOf(ask(wire, 'GET'));
  t.match(failure, { kind: 'unreachable' });
  t.notMatch(failure.message, /renegotiation/);
});
