/** Errors of requests: each is `{success: false, error}`, and the service continues. */
import { once } from 'node:events';
import { exchange, statusesOf } from '../topology/client.js';
import type { Fixture } from '../topology/topology.js';
import { enable } from './autoscanCalls.js';
import { scan } from './calls.js';
import { meagre, share, spec, start } from './specTest.js';

const json = { 'content-type': 'application/json' };
const post = (fixture: Fixture, rawBody: string | Uint8Array, headers: Record<string, string> = json) =>
  fixture.request('POST', '/api/twain/scan', { rawBody, headers });

const host = 'Host: localhost\r\n';
const ofJson = `${host}Content-Type: application/json\r\n`;
const toScan = 'POST /api/twain/scan';

/** Refusals that need no whole body: the status, the request's line, and its headers. */
const early: readonly (readonly [status: number, line: string, headers: string])[] = [
  [413, toScan, ofJson],
  [413, 'POST /api/twain', ofJson],
  [413, 'POST /api/twain/cancel', ofJson],
  [413, 'POST /api/documents', ofJson],
  [415, toScan, `${host}Content-Type: image/png\r\n`],
  [415, toScan, host],
  [403, toScan, `${host}Content-Type: text/plain\r\nOrigin: https://page.example\r\n`],
  [403, toScan, `${ofJson}Origin: https://page.example\r\nSec-Fetch-Mode: no-cors\r\n`],
  [403, 'POST /app/tray/Feeder', `${host}Content-Type: image/png\r\n`],
  [421, toScan, 'Host: page.example\r\nContent-Type: application/json\r\n'],
  [421, toScan, 'Content-Type: application/json\r\n'],
  [400, toScan, `${ofJson}Host: localhost\r\n`],
  [404, 'GET /nothing', ofJson],
  [409, 'GET /api/twain/autoscan/events', ofJson],
];
const LENGTH = 8 * 1024 * 1024;

/** The answers to a request whose client sends its whole body, and then asks for `GET /`. */
async function afterAll(fixture: Fixture, line: string, headers: string): Promise<string> {
  const next = `GET / HTTP/1.1\r\n${host}Connection: close\r\n\r\n`;
  const body = 'x'.repeat(LENGTH);
  return exchange(
    await fixture.connect(),
    `${line} HTTP/1.1\r\n${headers}Content-Length: ${LENGTH}\r\n\r\n${body}${next}`,
  );
}

/** The answers to a request whose client ends when it has the first one, before its body is complete. */
async function afterPart(fixture: Fixture, line: string, headers: string): Promise<string> {
  const socket = await fixture.connect();
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => (text += part));
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  socket.write(`${line} HTTP/1.1\r\n${headers}Content-Length: ${LENGTH}\r\n\r\n{"scannerName`);
  while (!text.endsWith('}')) await Promise.race([once(socket, 'data'), closed]);
  socket.end();
  await closed;
  return text;
}

export const errors = [
  spec(
    'Errors: a refusal before the end of the body is the only answer, however much of the body follows',
    ['errors.body', 'limits.sizes'],
    async (t, fixture) => {
      for (const [status, line, headers] of early) {
        const what = `${status} ${line} ${headers}`;
        t.same(statusesOf(await afterPart(fixture, line, headers)), [status], `part of it: ${what}`);
        t.same(statusesOf(await afterAll(fixture, line, headers)), [status, 200], `all of it: ${what}`);
      }
    },
  ),

  spec(
    'Errors: 401, 403 and 429 before the end of the body are the only answer',
    ['errors.body', 'limits.sizes'],
    async (t, _fixture, topology) => {
      // Without its token, nobody could tell whether the desktop application is connected.
      const locked = await start(t, topology, {
        desktopAway: true,
        config: { security: { origins: ['https://app.example'], localPrograms: 'token' } },
      });
      t.same(statusesOf(await afterPart(locked, toScan, ofJson)), [401]);
      t.same(statusesOf(await afterPart(locked, toScan, `${ofJson}Origin: https://page.example\r\n`)), [403]);

      const fixture = await share(topology, meagre);
      await enable(t, fixture, 'duplex');
      const stream = await fixture.events();
      t.same(statusesOf(await afterPart(fixture, 'GET /api/twain/autoscan/events', ofJson)), [429]);
      stream.hangUp();
    },
    ['duplex'],
  ),

  spec(
    'Errors, POST /api/twain/scan: 400 when the scanner name is missing',
    ['errors.400', 'errors.body', 'endpoints.scan.request', 'endpoints.scan.errors'],
    async (t, fixture) => {
      for (const body of [
        {},
        { scannerName: '' },
        { scannerName: 5 },
        { scannerName: null },
        { scannerName: ['a'] },
        { scannername: 'a' },
        { parameters: { resolution: 75 } },
      ]) {
        const answer = await fixture.request('POST', '/api/twain/scan', { body, asIs: true });
        t.match(
          answer,
          { status: 400, json: { success: false, error: /^scannerName takes the name of a scanner/ } },
          JSON.stringify(body),
        );
      }
    },
  ),

  spec(
    'Errors, POST /api/twain/scan: 400 for no body, an empty body, or JSON that is not an object',
    'errors.400',
    async (t, fixture) => {
      t.match(
        await fixture.request('POST', '/api/twain/scan'),
        { status: 400, json: { error: /scannerName/ } },
        'none',
      );
      t.match(await post(fixture, ''), { status: 400, json: { error: /scannerName/ } }, 'empty');
      t.match(await post(fixture, 'null'), { status: 400 });
      for (const text of ['[]', '5', '"x"', 'true', '[{"scannerName":"a"}]']) {
        t.match(
          await post(fixture, text),
          { status: 400, json: { success: false, error: /the body takes a JSON object/i } },
          text,
        );
      }
    },
  ),

  spec(
    'Errors: malformed JSON is 400, with the position of the mistake and without the text',
    'errors.body',
    async (t, fixture) => {
      for (const text of [
        '{',
        '{"scannerName":}',
        '{"scannerName":"secret",}',
        "{'scannerName':'x'}",
        '[1,2',
        '{"a":1}}',
        '{"a":01}',
        '{"a":"\n"}',
        'NaN',
        '\u0000',
        '{"a":"\\x"}',
        '['.repeat(60_000),
      ]) {
        const { status, json: answer } = await post(fixture, text);
        t.equal(status, 400, text.slice(0, 30));
        t.match(answer, { success: false, error: /JSON|too early/ });
        t.match((answer as { error: string }).error, /line \d+, column \d+/);
        t.notMatch((answer as { error: string }).error, /secret/);
      }
      t.equal((await fixture.request('POST', '/api/twain/cancel', { rawBody: '{', headers: json })).status, 400);
    },
  ),

  spec(
    'Errors: nesting as deep as a body allows is handled',
    'errors.unknownField',
    async (t, fixture) => {
      const deep = `{"scannerName":${JSON.stringify(fixture.name('flatbed'))},"parameters":{"resolution":75},"x":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
      t.equal((await post(fixture, deep)).status, 200);
      const objects = `${'{"parameters":'.repeat(4000)}1${'}'.repeat(4000)}`;
      t.equal((await post(fixture, objects)).status, 400);
    },
    ['flatbed'],
  ),

  spec(
    'Limits: a body of 64 KiB is read, one byte more is 413',
    ['limits.sizes', 'errors.body'],
    async (t, fixture) => {
      const padded = (bytes: number): string => {
        const head = `{"scannerName":${JSON.stringify(fixture.name('flatbed'))},"parameters":{"resolution":75},"pad":"`;
        return `${head}${'x'.repeat(bytes - Buffer.byteLength(head) - 2)}"}`;
      };
      t.equal((await post(fixture, padded(64 * 1024))).status, 200);
      const tooLarge = { status: 413, json: { success: false, error: /64 KiB/ } };
      t.match(await post(fixture, padded(64 * 1024 + 1)), tooLarge);
      t.match(await post(fixture, 'x'.repeat(3_000_000)), tooLarge, 'much more');
      t.match(
        await post(fixture, 'x'.repeat(100_000), { ...json, 'transfer-encoding': 'chunked' }),
        tooLarge,
        'without Content-Length',
      );
    },
    ['flatbed'],
  ),

  spec(
    'Errors: another content type is 415, and nothing is scanned',
    ['endpoints.json', 'errors.body'],
    async (t, fixture) => {
      const body = JSON.stringify({ scannerName: fixture.name('flatbed') });
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/xml',
        'application/jsonx',
        'nonsense',
        '',
      ]) {
        const answer = await post(fixture, body, { 'content-type': type });
        t.match(answer, { status: 415, json: { success: false, error: /application\/json/ } }, type);
      }
      t.equal((await post(fixture, body, {})).status, 415, 'none');
    },
    ['flatbed'],
  ),

  spec(
    'Errors: malformed or half-sent HTTP is refused or dropped, and the service continues',
    'errors.body',
    async (t, fixture) => {
      const refused = await exchange(await fixture.connect(), 'nonsense\r\n\r\n');
      t.match(refused, /^HTTP\/1\.1 400 [^]*\{"success":false,"error":/);
      const huge = await exchange(
        await fixture.connect(),
        `GET / HTTP/1.1\r\nHost: localhost\r\nX-Pad: ${'x'.repeat(100_000)}\r\n\r\n`,
      );
      t.match(huge, /^HTTP\/1\.1 431 [^]*\{"success":false,"error":/);
      for (const half of [
        'GET / HT',
        'POST /api/twain/scan HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"scann',
        'GET /api/twain/scanners HTTP/1.1\r\nHost: localhost\r\nX-',
      ]) {
        const socket = await fixture.connect();
        socket.on('error', () => undefined);
        socket.write(half);
        socket.destroy();
      }
      t.equal((await fixture.request('GET', '/')).status, 200);
      t.equal((await scan(fixture, 'flatbed', { resolution: 75 })).status, 200);
    },
    ['flatbed'],
  ),

  spec(
    'Errors: an error quotes only names from the request, and no paths or stacks',
    'errors.body',
    async (t, fixture) => {
      const { text } = await post(fixture, '{"scannerName":"a","parameters":{"colorMode":"<script>secret</script>"}}');
      t.notMatch(text, /secret|node_modules|\.js:/);
    },
  ),
];
