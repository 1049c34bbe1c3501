/** Endpoints of auto-scan: requests and answers of enable, disable and events. */
import { sheets } from '../topology/sheets.js';
import type { Role } from '../topology/topology.js';
import { disable, enable, enableWith, imageOf, listen, quick, eventLines } from './autoscanCalls.js';
import { get, MARGIN_MS, PAPER_POLL_MS, pause, scan, until } from './calls.js';
import { direct, open } from './directCalls.js';
import { spec } from './specTest.js';

export const autoscan = [
  spec(
    'What the service does, 1: auto-scan captures each document as it is inserted, and pushes it over a stream',
    ['what.1.autoscan', 'what.1.stream', 'events.image'],
    async (t, fixture) => {
      await fixture.load('duplex', []);
      await enable(t, fixture, 'duplex');
      const stream = await listen(t, fixture);
      await fixture.insert('duplex', sheets(3));
      await stream.come(1);
      await fixture.insert('duplex', sheets(5, 1));
      t.same(await eventLines(await stream.come(3)), ['1: 3', '2: 5', '3: 1']);
      t.equal(await fixture.waiting('duplex'), 0);
      t.equal(await fixture.scanned('duplex'), 3);
    },
    ['duplex'],
  ),

  spec(
    'Endpoints, POST /api/twain/autoscan/enable: accepts the parameters of a scan',
    ['endpoints.autoscan.enable', 'resources.parameters.imageFormat'],
    async (t, fixture) => {
      await fixture.load('duplex', [{ front: 2, back: 4, size: 'A5' }]);
      const { json } = await enable(
        t,
        fixture,
        'duplex',
        {
          resolution: 100,
          colorMode: 'grayscale',
          duplexMode: 'DuplexLongEdge',
          pageSize: 'A5',
          imageFormat: 'JPEG',
          jpegQuality: 60,
          ocrEnabled: false,
          requestTimeoutSeconds: 1,
          report: true,
          somethingElse: { a: 1 },
        },
        true,
      );
      t.match(json.notes, [{ code: 'field-ignored', field: 'requestTimeoutSeconds' }]);
      const stream = await listen(t, fixture);
      const events = await stream.come(2);
      const size = { width: Math.round((148 / 25.4) * 100), height: Math.round((210 / 25.4) * 100) };
      for (const [at, { data }] of events.entries())
        t.match(data, {
          ...size,
          resolution: 100,
          mimeType: 'image/jpeg',
          format: 'Jpeg',
          pageNumber: at + 1,
          report: [{ parameter: 'resolution', requested: 100, result: 'applied' }],
        });
    },
    ['duplex'],
  ),

  spec(
    'Endpoints, POST /api/twain/autoscan/enable: no body, null or empty parameters mean the defaults; outputFormat is ignored',
    ['endpoints.autoscan.enable', 'endpoints.parameterNames'],
    async (t, fixture) => {
      await open(t, fixture, 'duplex');
      const path = '/api/twain/autoscan/enable';
      const json = { 'content-type': 'application/json' };
      for (const given of [
        {},
        { headers: json },
        { rawBody: '{}', headers: json },
        { rawBody: '{"parameters":null}', headers: json },
        { body: { parameters: { outputFormat: 'jpeg', resolution: 75 } } },
      ]) {
        t.match(await fixture.request('POST', path, given), {
          status: 200,
          json: { success: true, message: 'Auto-scan is enabled.' },
        });
      }
      const stream = await listen(t, fixture);
      await fixture.insert('duplex', sheets(3));
      t.match((await stream.come(1))[0], { data: { mimeType: 'image/png', resolution: 75 } });
    },
    ['duplex'],
  ),

  spec(
    'Errors, POST /api/twain/autoscan/enable: without an open scanner it is 409; an unknown name is 404',
    ['errors.enableWithoutScanner', 'endpoints.autoscan.enable', 'states.autoscan.enable'],
    async (t, fixture) => {
      t.match(await enableWith(fixture, { parameters: quick }), {
        status: 409,
        json: { success: false, error: /No scanner is open/ },
      });
      t.match(await enableWith(fixture, { scannerName: 'Nobody' }), {
        status: 404,
        json: { success: false, error: /no scanner named/ },
      });
      t.match(await fixture.events(), { status: 409 });
    },
  ),

  spec(
    'Errors, POST /api/twain/autoscan/enable: a bad value is 400, names the field, and nothing is enabled or fed',
    'endpoints.autoscan.enable',
    async (t, fixture) => {
      await fixture.load('duplex', sheets(1));
      await open(t, fixture, 'duplex');
      const cases: [object | string, RegExp][] = [
        [{ parameters: { jpegQuality: 101 } }, /^jpegQuality takes an integer from 1 to 100/],
        [{ parameters: { resolution: 77 } }, /^resolution takes one of/],
        [{ parameters: { imageFormat: 'Gif' } }, /^imageFormat takes/],
        [{ parameters: { pageSize: 'A3' } }, /^pageSize takes/],
        [{ parameters: { barcodeFormats: ['x'] } }, /^barcodeFormats\[0\] takes/],
        [{ parameters: [] }, /^parameters takes a JSON object/],
        [{ parameters: 'x' }, /^parameters takes/],
      ];
      for (const [body, error] of cases)
        t.match(
          await enableWith(fixture, body as object, true),
          { status: 400, json: { success: false, error } },
          JSON.stringify(body),
        );
      t.match(
        await fixture.request('POST', '/api/twain/autoscan/enable', {
          rawBody: '{"parameters":',
          headers: { 'content-type': 'application/json' },
        }),
        { status: 400, json: { error: /not valid JSON/ } },
      );
      t.equal((await fixture.events()).status, 409);
      t.equal(await fixture.waiting('duplex'), 1);
    },
    ['duplex'],
  ),

  spec(
    'Endpoints, POST /api/twain/autoscan/enable: uses the open scanner, or the one that it names',
    ['endpoints.autoscan.enable', 'states.autoscan.enable', 'states.source.methods'],
    async (t, fixture) => {
      await fixture.load('duplex', []);
      await open(t, fixture, 'duplex');
      t.match(await enableWith(fixture, { parameters: quick }), { status: 200 });
      const stream = await listen(t, fixture);
      await fixture.insert('duplex', sheets(1));
      t.same(await eventLines(await stream.come(1)), ['1: 1']);
      t.match(await enableWith(fixture, { scannerName: fixture.name('small'), parameters: { resolution: 150 } }), {
        status: 200,
      });
      await fixture.insert('small', sheets(2));
      t.same(await eventLines(await stream.come(2)), ['1: 1', '2: 2'], 'both are on');
      t.match((await get(fixture, '/api/twain/status')).json, { scannerStatus: { isSourceOpen: true } });
      t.match(await disable(fixture), { status: 200 });
      t.match((await eventLines(await stream.ended)).at(-1), /^disabled: /);
    },
    ['duplex', 'small'],
  ),

  spec(
    'Endpoints, auto-scan: on two scanners; a stream of one of them, and its end, by name',
    ['endpoints.autoscan.enable', 'endpoints.autoscan.disable'],
    async (t, fixture) => {
      await fixture.load('duplex', []);
      await fixture.load('small', []);
      await enable(t, fixture, 'duplex');
      await enable(t, fixture, 'small', { resolution: 150 });
      const of = (role: Role): string =>
        `/api/twain/autoscan/events?scannerName=${encodeURIComponent(fixture.name(role))}`;
      const stream = await fixture.events({ path: of('small') });
      t.teardown(() => stream.hangUp());
      await fixture.insert('duplex', sheets(4));
      await until(async () => (await fixture.scanned('duplex')) === 1);
      await fixture.insert('small', sheets(2));
      const [image] = await stream.come(1);
      t.match((await eventLines(image ? [image] : [])).join(), /: 2$/);
      const body = { scannerName: fixture.name('small') };
      t.match(await fixture.request('POST', '/api/twain/autoscan/disable', { body }), { status: 200 });
      t.match((await eventLines(await stream.ended)).at(-1), /^disabled: /);
      t.match((await fixture.events({ path: of('small') })).status, 409, 'it is off there');
      const other = await fixture.events({ path: of('duplex') });
      t.match((await eventLines(await other.come(1))).join(), /: 4$/, 'and on here');
      other.hangUp();
    },
    ['duplex', 'small'],
  ),

  spec(
    'Endpoints, POST /api/twain/autoscan/disable: needs no body, and message reports whether auto-scan was enabled',
    'endpoints.autoscan.disable',
    async (t, fixture) => {
      const off = { status: 200, json: { success: true, message: 'Auto-scan was not enabled.' } };
      const json = { 'content-type': 'application/json' };
      for (const given of [{}, { headers: json }, { rawBody: '{}', headers: json }, { rawBody: 'null', headers: json }])
        t.match(await fixture.request('POST', '/api/twain/autoscan/disable', given), off);
      await enable(t, fixture, 'duplex');
      t.match(await disable(fixture), { status: 200, json: { success: true, message: 'Auto-scan is disabled.' } });
      t.match(await disable(fixture), off);
    },
    ['duplex'],
  ),

  spec(
    'Endpoints, POST /api/twain/autoscan/disable: pages that were not delivered are discarded',
    ['endpoints.autoscan.disable', 'states.autoscan.disable'],
    async (t, fixture) => {
      await fixture.load('duplex', sheets(1, 2, 3));
      await enable(t, fixture, 'duplex');
      await until(async () => (await fixture.waiting('duplex')) === 0);
      await disable(fixture);
      await enable(t, fixture, 'duplex');
      const stream = await listen(t, fixture);
      await fixture.insert('duplex', sheets(7));
      t.same(await eventLines(await stream.come(1)), ['1: 7'], 'pages are numbered from enable');
    },
    ['duplex'],
  ),

  spec(
    'Endpoints, GET /api/twain/autoscan/events: sends the headers of a stream at once, for web pages, too',
    ['endpoints.autoscan.events', 'authentication.2.cors'],
    async (t, fixture) => {
      await enable(t, fixture, 'duplex');
      const stream = await fixture.events({ headers: { origin: 'https://app.example', cookie: 'a=b' } });
      t.equal(stream.status, 200);
      t.match(stream.headers, {
        'content-type': /^text\/event-stream/,
        'cache-control': /no-cache/,
        'access-control-allow-origin': 'https://app.example',
        'access-control-allow-credentials': 'true',
        vary: /Origin/,
      });
      stream.hangUp();
    },
    ['duplex'],
  ),

  spec(
    'Endpoints, GET /api/twain/autoscan/events: while auto-scan is disabled it is 409 with the error body',
    ['endpoints.autoscan.events', 'errors.body'],
    async (t, fixture) => {
      const closed = await fixture.events();
      await closed.ended;
      t.equal(closed.status, 409);
      t.match(closed.headers['content-type'], /^application\/json/);
      t.match(JSON.parse(closed.text), { success: false, error: /Auto-scan is disabled/ });
    },
  ),

  spec(
    'Endpoints, GET /api/twain/autoscan/events: HEAD does not count as a reader and takes no page',
    'endpoints.autoscan.events',
    async (t, fixture) => {
      await fixture.load('duplex', []);
      await enable(t, fixture, 'duplex');
      t.equal((await fixture.request('HEAD', '/api/twain/autoscan/events')).status, 404);
      await fixture.insert('duplex', sheets(2));
      await until(async () => (await fixture.waiting('duplex')) === 0);
      t.same(await eventLines(await (await listen(t, fixture)).come(1)), ['1: 2']);
    },
    ['duplex'],
  ),

  spec(
    'Errors: 409 for a scan on the scanner of auto-scan; on another scanner it scans beside; cancel ends nothing',
    ['errors.body', 'endpoints.cancel.cancels'],
    async (t, fixture) => {
      await fixture.load('duplex', []);
      await enable(t, fixture, 'duplex');
      const stream = await listen(t, fixture);
      const refused = await scan(fixture, 'duplex', quick);
      t.match(refused, { status: 409, json: { success: false, error: /on Duplex feeder/ } });
      t.same(Object.keys(refused.json).sort(), ['error', 'success'], 'no Scan result: no scan began');
      t.match(await fixture.request('POST', '/api/twain/cancel'), {
        status: 200,
        json: { message: /No scan is active\. Auto-scan goes on/ },
      });
      await fixture.insert('duplex', sheets(4));
      t.same(await eventLines(await stream.come(1)), ['1: 4'], 'auto-scan continues');
      t.match(await scan(fixture, 'flatbed', quick), { status: 200, json: { imageCount: 1 } });
      await fixture.insert('duplex', sheets(3));
      t.same(await eventLines(await stream.come(2)), ['1: 4', '2: 3'], 'auto-scan continues');
      const other = {
        kind: 'twainlocalscanner',
        method: 'openSource',
        params: { sourceName: fixture.name('flatbed') },
      };
      t.match(await fixture.request('POST', '/api/twain', { body: other }), {
        json: { results: { success: false, code: 'busy' } },
      });
    },
    ['duplex', 'flatbed'],
  ),

  spec(
    'Endpoints: enable while an on-demand scan runs is 409, and does not affect it',
    'endpoints.autoscan.enable',
    async (t, fixture) => {
      await fixture.load('slow', sheets(1, 2, 3, 4, 5, 6));
      const scanning = scan(fixture, 'slow', quick);
      await until(async () => (await fixture.scanned('slow')) > 0);
      t.match(await enableWith(fixture, { scannerName: fixture.name('slow') }), {
        status: 409,
        json: { error: /scanning/ },
      });
      t.match(await scanning, { status: 200, json: { imageCount: 6 } });
    },
    ['slow', 'duplex'],
  ),

  spec(
    'Resources, platform differences: auto-scan on a scanner that does not report paper captures nothing, and enable reports it',
    ['endpoints.autoscan.enable', 'resources.status.isPaperLoaded'],
    async (t, fixture) => {
      await fixture.load('blind', sheets(1));
      const { json } = await enable(t, fixture, 'blind');
      t.match(json.message, /Blind feeder .*paper/);
      t.notOk('notes' in json);
      t.match((await enableWith(fixture, { parameters: { ...quick, report: true } })).json.notes, [
        { code: 'paper-unknown' },
      ]);
      const stream = await listen(t, fixture);
      await pause(2 * PAPER_POLL_MS + MARGIN_MS);
      await fixture.insert('blind', sheets(2));
      await pause(PAPER_POLL_MS + MARGIN_MS);
      t.same(stream.events, []);
      t.equal(await fixture.waiting('blind'), 2);
      await disable(fixture);
      t.match(
        await direct(fixture, 'scan', { resolution: 75 }),
        { json: { results: { success: true }, data: { imageCount: 2 } } },
        'on demand it scans',
      );
    },
    ['blind'],
  ),

  spec(
    'Resources, image: an event’s data is the Image of a scan',
    ['events.image', 'resources.image.fields'],
    async (t, fixture) => {
      await fixture.load('duplex', sheets(6));
      const { json } = await scan(fixture, 'duplex', quick);
      await fixture.load('duplex', sheets(6));
      await enable(t, fixture, 'duplex');
      const [event] = await (await listen(t, fixture)).come(1);
      t.same(imageOf(event?.data), json.images[0]);
      t.match(event?.id, /^\d+-1$/);
    },
    ['duplex'],
  ),
];
