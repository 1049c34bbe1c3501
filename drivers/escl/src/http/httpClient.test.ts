/** Truncated responses, invalid HTTP, and an old TLS server. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { createHttpClient, type HttpClient } from './httpClient.js';

const signal = new AbortController().signal;

async function clientOf(t: Test, scheme: 'http' | 'https', serve: (socket: Socket) => void): Promise<HttpClient> {
  const server = createServer(socket => {
    socket.on('error', () => undefined);
    socket.once('data', () => serve(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(`${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/eSCL`);
  const client = createHttpClient({
    url,
    deviceId: 'a',
    pins: { file: 'pins', accepts: async () => true },
    host: 'standard',
  });
  t.teardown(() => {
    client.close();
    server.close();
  });
  return client;
}

const request = (client: HttpClient, method: 'GET' | 'POST') =>
  client.request({ method, path: '/', maxBytes: 1000, idleMs: 60_000, signal });

const failureOf = (asked: Promise<unknown>): Promise<Error> =>
  asked.then(
    () => new Error('nothing failed'),
    (error: Error) => error,
  );

t.test('httpClient: connection ends after the headers, accepted for a POST, truncated for a GET', async t => {
  const client = await clientOf(t, 'http', socket =>
    socket.end('HTTP/1.1 201 Created\r\nLocation: /1\r\nContent-Length: 10\r\n\r\n'),
  );
  t.match(await request(client, 'POST'), { status: 201, headers: { location: '/1' } });
  t.match(await failureOf(request(client, 'GET')), { kind: 'truncated' });
});

t.test('httpClient: invalid chunk, the response is not understood', async t => {
  const client = await clientOf(t, 'http', socket =>
    socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n'),
  );
  t.match(await failureOf(request(client, 'GET')), { kind: 'malformed' });
});

t.test('httpClient: the limit set by the first bytes holds, and its error ends the response', async t => {
  const client = await clientOf(t, 'http', socket => void socket.write(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(500)}`));
  const limited = (limit: () => number) =>
    client.request({ method: 'GET', path: '/', maxBytes: 1e9, idleMs: 60_000, signal, limit });
  t.match(await failureOf(limited(() => 499)), { kind: 'too large', message: /499/ });
  await t.rejects(
    limited(() => {
      throw new RangeError('no image');
    }),
    { message: 'no image' },
  );
});

t.test('httpClient: TLS server without secure renegotiation (RFC 5746), the handshake begins', async t => {
  // A TLS 1.2 ServerHello without extensions, and nothing after it.
  const hello = Buffer.concat([Buffer.from([3, 3]), Buffer.alloc(32, 1), Buffer.from([0, 0xc0, 0x2f, 0])]);
  const handshake = Buffer.concat([Buffer.from([2, 0, 0, hello.length]), hello]);
  const client = await clientOf(t, 'https', socket =>
    socket.end(Buffer.concat([Buffer.from([22, 3, 3, 0, handshake.length]), handshake])),
  );
  const failure = await failureOf(request(client, 'GET'));
  t.match(failure, { kind: 'unreachable' });
  t.notMatch(failure.message, /renegotiation/);
});
