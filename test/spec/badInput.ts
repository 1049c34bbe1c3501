/** Hostile requests: wrong types, deep nesting, prototype keys, half-sent requests, a thousand connections. */
import { readFile } from 'node:fs/promises';
import { connect as connectPlain, type Socket } from 'node:net';
import { sheets } from '../topology/sheets.js';
import type { Fixture } from '../topology/topology.js';
import { enableWith } from './autoscanCalls.js';
import { get, scan } from './calls.js';
import { direct, kind, open, path as directPath } from './directCalls.js';
import { rows } from './refusals.js';
import { spec } from './specTest.js';

const json = { 'content-type': 'application/json' };
const posts = [
  '/api/twain',
  '/api/twain/scan',
  '/api/twain/cancel',
  '/api/twain/autoscan/enable',
  '/api/twain/autoscan/disable',
];

/** One mebibyte, in bytes. */
const MIB = 1024 * 1024;

export const badInput = [
  spec(
    'Errors, POST /api/twain and enable: a parameter of a wrong type or value is refused by name, and nothing is fed',
    ['errors.direct', 'endpoints.autoscan.enable', 'endpoints.direct.scan', 'errors.body'],
    async (t, fixture) => {
      await fixture.load('duplex', sheets(1));
      await open(t, fixture, 'duplex');
      for (const { field, bad, takes } of rows) {
        for (const value of bad) {
          const title = `${field}: ${JSON.stringify(value)}`;
          const refused = await enableWith(fixture, { parameters: { [field]: value } }, true);
          t.equal(refused.status, 400, title);
          t.match(refused.json.error, new RegExp(`^${field}(\\[\\d+\\])* takes `));
          t.match(refused.json.error, takes);
          const own = field === 'imageFormat' ? 'outputFormat' : field;
          // `jpg` is invalid as imageFormat, and valid as outputFormat.
          if (value === 'jpg') continue;
          const {
            json: { results, data },
          } = await direct(fixture, 'scan', { [own]: value });
          t.match(results, { success: false, code: 'invalidValue' }, title);
          t.match(results.jsonKey, new RegExp(`^${own}(\\[\\d+\\])*$`));
          t.equal(data['jsonKey'], results.jsonKey);
        }
      }
      t.equal((await fixture.events()).status, 409);
      t.equal(await fixture.waiting('duplex'), 1);
    },
    ['duplex'],
  ),

  spec(
    'Errors: a body of any type where an object is expected gets a clear answer',
    ['errors.body', 'errors.direct'],
    async (t, fixture) => {
      for (const path of posts) {
        for (const rawBody of [
          'null',
          'true',
          '0',
          '-1e999',
          '""',
          '"x"',
          '[]',
          '[[]]',
          '{}',
          '[{}]',
          '{"parameters":7}',
          '{"params":"x"}',
          '{"requestId":{}}',
          '{"kind":[],"method":{}}',
          '{"scannerName":[]}',
        ]) {
          const { status, json: answer } = await fixture.request('POST', path, { rawBody, headers: json });
          t.ok([200, 400, 409].includes(status), `${path} ${rawBody}: ${status}`);
          t.type(answer, 'object');
        }
      }
      await fixture.request('POST', '/api/twain/autoscan/disable');
    },
  ),

  spec(
    'Errors: nesting ten thousand deep within 64 KiB is handled, whatever the keys',
    ['errors.body', 'errors.unknownField'],
    async (t, fixture) => {
      const nested = (key: string, depth: number, inner = '1'): string =>
        `{"${key}":`.repeat(depth) + inner + '}'.repeat(depth);
      const bodies = [
        nested('a', 10_000),
        nested('x', 10_000, '[]'),
        `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
        nested('parameters', 3900),
        nested('__proto__', 3900),
        nested('constructor', 3900),
        nested('\\u0061', 5900),
        `{"constructor":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
      ];
      for (const path of posts) {
        for (const rawBody of bodies) {
          const { status, text } = await fixture.request('POST', path, { rawBody, headers: json });
          t.ok(status < 500, `${path} ${rawBody.slice(0, 20)}: ${status}`);
          t.ok(text.length < 2000, 'the answer does not repeat it');
        }
      }
      await fixture.request('POST', '/api/twain/autoscan/disable');
      t.equal((await fixture.request('GET', '/health')).text, 'Healthy');
    },
  ),

  spec(
    'Errors: prototype keys are unknown fields and change nothing',
    ['errors.unknownField', 'resources.parameters.unknown'],
    async (t, fixture) => {
      const poison =
        '"__proto__":{"colorMode":"Pink","jpegQuality":0,"scannerName":"x","success":false,"isAdmin":true},"constructor":{"prototype":{"resolution":1}},"\\u005f_proto__":{"pageSize":"A3"},"prototype":{"report":7},"toString":"x","hasOwnProperty":1,"valueOf":null';
      const name = JSON.stringify(fixture.name('flatbed'));
      const bodies = [
        `{${poison},"scannerName":${name},"parameters":{"resolution":75}}`,
        `{"scannerName":${name},"parameters":{${poison},"resolution":75}}`,
      ];
      for (const rawBody of bodies) {
        t.match(await fixture.request('POST', '/api/twain/scan', { rawBody, headers: json }), {
          status: 200,
          json: { success: true, imageCount: 1 },
        });
      }
      t.match(
        await fixture.request('POST', '/api/twain/scan', {
          rawBody: `{"__proto__":{"scannerName":${name}}}`,
          headers: json,
        }),
        { status: 400, json: { error: /^scannerName takes/ } },
      );
      t.match(
        await fixture.request('POST', directPath, {
          rawBody: `{${poison},"kind":"${kind}","method":"getSources","params":{${poison}}}`,
          headers: json,
        }),
        { status: 200, json: { results: { success: true } } },
      );
      t.match(
        await fixture.request('POST', directPath, {
          rawBody: `{"__proto__":{"kind":"${kind}","method":"getSources"}}`,
          headers: json,
        }),
        { json: { results: { jsonKey: 'kind' } } },
      );
      const plain = (await scan(fixture, 'flatbed', { resolution: 75 })).json;
      t.notOk('report' in (plain.images[0] ?? {}));
      t.equal((await get(fixture, '/api/twain/status')).status, 200);
      for (const odd of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
        t.equal((await fixture.request('GET', `/api/twain/scanners/${odd}/capabilities`)).status, 404, odd);
        t.equal((await fixture.request('GET', `/${odd}`)).status, 404);
      }
    },
    ['flatbed'],
  ),

  spec(
    'Errors: half-sent bodies and slow headers delay no other request',
    ['errors.body', 'what.1.service'],
    async (t, fixture) => {
      const head = (path: string, length: number): string =>
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
      const halves = [
        ...posts.map(path => `${head(path, 500)}{"scannerN`),
        ...posts.map(path => `${head(path, 5)}`),
        'GET / HTTP/1.1\r\nHost: loc',
        'GET /api/twain/autoscan/events HTTP/1.1\r\n',
        'POST /api/twain/scan HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"sc',
        '',
        'G',
      ];
      const sockets = await Promise.all(
        halves.map(async half => {
          const socket = await fixture.connect();
          socket.on('error', () => undefined);
          socket.write(half);
          return socket;
        }),
      );
      const drip = setInterval(() => sockets.forEach(socket => socket.writable && socket.write('x')), 50);
      t.teardown(() => clearInterval(drip));
      for (let round = 0; round < 5; round++) {
        t.equal((await fixture.request('GET', '/health')).text, 'Healthy');
        t.equal((await scan(fixture, 'flatbed', { resolution: 75 })).status, 200);
      }
      t.match(await direct(fixture, 'getSources'), { status: 200 });
      clearInterval(drip);
      for (const socket of sockets) socket.destroy();
      t.equal((await fixture.request('GET', '/')).status, 200);
    },
    ['flatbed'],
  ),

  spec(
    'Errors: a thousand open connections use little memory, and the service still scans',
    ['errors.body', 'what.1.service'],
    async (t, fixture) => {
      const before = await residentBytes(fixture);
      const sockets: Socket[] = [];
      t.teardown(() => sockets.forEach(socket => socket.destroy()));
      const plain = (): Promise<Socket> =>
        new Promise((resolve, reject) => {
          const socket = connectPlain(fixture.port, '127.0.0.1', () => resolve(socket));
          socket.once('error', reject);
        });
      for (let hundred = 0; hundred < 10; hundred++) {
        // One in ten starts TLS; the others send nothing.
        sockets.push(
          ...(await Promise.all(Array.from({ length: 100 }, (_, at) => (at % 10 === 0 ? fixture.connect() : plain())))),
        );
      }
      sockets.forEach(socket => socket.on('error', () => undefined));
      t.equal((await fixture.request('GET', '/health')).text, 'Healthy');
      t.match(await scan(fixture, 'flatbed', { resolution: 75 }), { status: 200, json: { imageCount: 1 } });
      t.equal(sockets.filter(socket => !socket.destroyed).length, 1000, 'all are open');
      const after = await residentBytes(fixture);
      if (before !== undefined && after !== undefined)
        t.ok(after - before < 200 * MIB, `${Math.round((after - before) / MIB)} MiB more`);
      for (const socket of sockets) socket.destroy();
      t.equal((await fixture.request('GET', '/')).status, 200);
    },
    ['flatbed'],
  ),
];

/** The memory of the service's process, if the system reports it. */
async function residentBytes({ pid }: Fixture): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(status) ?? [];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}
