import { readdir } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import t from 'tap';
import { start } from '../spec/specTest.js';
import { request } from '../topology/client.js';
import { drawSide } from '../topology/sheets.js';
import { virtualTopology } from '../topology/virtualTopology.js';

void t.test('page at /app/: its own endpoints', async t => {
  const fixture = await start(t, virtualTopology, {
    config: { security: { origins: ['https://app.example'], allowedHosts: ['localhost', '127.0.0.1'] } },
  });
  const own = { origin: fixture.url, 'sec-fetch-site': 'same-origin' };
  const path = `/app/tray/${encodeURIComponent(fixture.name('duplex'))}`;
  const image = await drawSide(3);
  const laid = async (): Promise<string[]> =>
    (await readdir(fixture.tray('duplex'))).filter(name => !name.startsWith('.'));
  const post = (headers: object, rawBody: Uint8Array = image, to = path) =>
    fixture.request('POST', to, { headers: { 'content-type': 'image/png', ...headers }, rawBody });

  await t.test('foreign pages, and requests that a form or script can send without CORS: rejected', async t => {
    const header = { 'x-platen-page': '1' };
    const refused: Record<string, object> = {
      'an allowed foreign origin': { ...header, origin: 'https://app.example', 'sec-fetch-site': 'cross-site' },
      'an allowed foreign origin of an old browser': { ...header, origin: 'https://app.example' },
      'another port of this computer': { ...header, origin: 'https://localhost:1', 'sec-fetch-site': 'same-site' },
      'another name of this computer': { ...header, origin: fixture.url.replace('localhost', '127.0.0.1') },
      'a foreign frame': { ...header, ...own, 'sec-fetch-site': 'cross-site' },
      'no origin': header,
      'no header': own,
    };
    for (const [title, headers] of Object.entries(refused)) {
      const { status, json } = await post(headers);
      t.equal(status, 403, title);
      t.match(json, { success: false, error: /\/app\/|security.origins/ }, title);
    }
    t.same(await laid(), []);
  });

  await t.test('an invalid or too large image: rejected', async t => {
    const page = { ...own, 'x-platen-page': '1' };
    const bomb = sized(image, 16_000);
    const cases = [
      // Rejected by its headers, before its data arrives.
      ['more than 32 MiB', 413, /32 MiB/, await post({ ...page, 'content-length': 32 * 1024 * 1024 + 1 })],
      [
        'JSON',
        415,
        /Content-Type: image\/png/,
        await post({ ...page, 'content-type': 'application/json' }, Buffer.from('{}')),
      ],
      ['a form', 415, /Content-Type: image\/png/, await post({ ...page, 'content-type': 'text/plain' })],
      ['nothing', 400, /contains no image/, await post(page, new Uint8Array())],
      ['no image', 400, /not an image/, await post(page, Buffer.from('<svg onload="alert(1)">'))],
      [
        'a drawing',
        400,
        /SVG/,
        await post(
          { ...page, 'content-type': 'image/svg+xml' },
          Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
        ),
      ],
      ['one that is cut short', 400, /truncated/, await post(page, image.subarray(0, image.length - 200))],
      ['too many pixels', 400, /16000 x 16000 pixels, at most/, await post(page, bomb)],
      ['an unknown scanner', 404, /scanner/, await post(page, image, '/app/tray/Nobody')],
      [
        'a scanner without a feeder',
        400,
        /no feeder with a tray/,
        await post(page, image, `/app/tray/${encodeURIComponent(fixture.name('flatbed'))}`),
      ],
    ] as const;
    for (const [title, status, error, answer] of cases) {
      t.equal(answer.status, status, title);
      t.match(answer.json, { success: false, error }, title);
    }
    t.same(await laid(), []);
  });

  await t.test(
    'an image: stored in the tray under a name that the service chooses, though security.origins does not list the service',
    async t => {
      const { status, json, headers } = await post({ ...own, 'x-platen-page': '1' });
      t.equal(status, 200);
      t.match(json, { success: true, message: `The image is in the tray of ${fixture.name('duplex')}.` });
      t.equal(headers['cache-control'], 'no-store');
      t.match(await laid(), [/^inserted-[\w-]+\.png$/]);
      t.match(
        (await fixture.request('POST', '/api/twain/cancel', { headers: { origin: fixture.url }, body: {} })).status,
        200,
      );
    },
  );

  await t.test('scanners with trays, and what is installed: only for this page', async t => {
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://app.example' }])
      t.equal((await fixture.request('GET', '/app/scanners', { headers })).status, 403);
    const { json, headers } = await fixture.request('GET', '/app/scanners', {
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    t.match(json, {
      success: true,
      documents: [],
      keepsPages: true,
    });
    const { scanners } = json as { scanners: { name: string; takesInsertions: boolean }[] };
    t.same(
      ['duplex', 'flatbed'].map(
        role => scanners.find(({ name }) => name === fixture.name(role as 'duplex'))?.takesInsertions,
      ),
      [true, false],
    );
    t.equal(headers['cache-control'], 'no-store');
  });

  await t.test('the page: its address and its Content-Security-Policy', async t => {
    t.match(await request(fixture.port, 'GET', '/app'), { status: 302, headers: { location: '/app/' } });
    const { status, headers } = await fixture.request('GET', '/app/');
    t.equal(status, 200);
    const policy = String(headers['content-security-policy']);
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
      'trusted-types lit-html',
    ])
      t.ok(policy.includes(part), part);
    t.notMatch(policy, /unsafe|https?:|\*/);
    t.equal((await fixture.request('GET', '/app/..%2f..%2fpackage.json')).status, 404);
    t.match((await fixture.request('GET', '/')).json, { service: 'Platen' }, 'the root is unchanged');
  });
});

/** A PNG whose header claims this width and height, px. */
function sized(png: Uint8Array, pixels: number): Uint8Array {
  const bytes = Buffer.from(png);
  for (const at of [16, 20]) bytes.writeUInt32BE(pixels, at);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  return bytes;
}
