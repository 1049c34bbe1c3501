import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { failureOf, testApp } from '../testApp.test.kit.js';

const { app } = await testApp();
t.teardown(() => app.close());
const post = (payload: string | Buffer | undefined, type?: string) =>
  app.inject({
    method: 'POST',
    url: '/echo',
    ...(payload === undefined ? {} : { payload }),
    headers: type === undefined ? {} : { 'content-type': type },
  });

t.test('body: invalid JSON, 400 with the position and without the text', async t => {
  const response = await post('{"secret": nope}', 'application/json');
  t.equal(response.statusCode, 400);
  t.equal(
    failureOf(response),
    "The request's body is not valid JSON: the text is not JSON at line 1, column 12 (character 11).",
  );
});

t.test('body: 64 KiB is the limit', async t => {
  const json = (bytes: number): string => `"${'x'.repeat(bytes - 2)}"`;
  t.equal((await post(json(64 * 1024), 'application/json')).statusCode, 200);
  const over = await post(json(64 * 1024 + 1), 'application/json');
  t.equal(over.statusCode, 413);
  t.equal(failureOf(over), "The request's body is too large. The limit is 64 KiB.");
});

t.test('body: another content type, 415 unless the body is empty', async t => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'image/png',
    'nonsense',
    undefined,
  ]) {
    const response = await app.inject({
      method: 'POST',
      url: '/echo',
      payload: Buffer.from('{"a":1}'),
      headers: { ...(type === undefined ? {} : { 'content-type': type }), 'content-length': '7' },
    });
    t.equal(response.statusCode, 415, type ?? 'none');
    t.match(failureOf(response), /Content-Type: application\/json/);
  }
  t.equal((await post('', 'text/plain')).json().body, 'none');
});

t.test('body: empty counts as absent', async t => {
  for (const body of [undefined, '', '  \n']) {
    for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON', undefined]) {
      if (type === undefined && body !== undefined && body !== '') continue;
      const response = await post(body, type);
      t.equal(response.statusCode, 200, `${JSON.stringify(body)} ${type}`);
      t.equal(response.json().body, 'none');
    }
  }
});

t.test('body: drops dangerous keys and reads the rest', async t => {
  const response = await post('{"a":1,"__proto__":{"admin":true},"constructor":{"prototype":1}}', 'application/json');
  t.same(response.json().body, { a: 1 });
});

t.test('body: a client that sends everything before it reads gets the answer, not a reset', async t => {
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const body = Buffer.alloc(8 * 1024 * 1024, 0x20);
  for (const [type, status] of [
    ['application/json', '413'],
    ['image/png', '415'],
  ] as const) {
    const socket = connect(port, '127.0.0.1').pause();
    t.teardown(() => socket.destroy());
    const broken = new Promise<never>((_resolve, reject) => socket.once('error', reject));
    socket.write(
      `POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    await Promise.race([broken, new Promise(resolve => socket.write(body, resolve))]);
    const answer = new Promise<string>(resolve => socket.setEncoding('latin1').once('data', resolve));
    socket.resume();
    t.match(await Promise.race([broken, answer]), `HTTP/1.1 ${status} `);
  }
});
