/** Endpoints, POST /api/twain: the envelope, the six methods, the codes. */
import { sheets } from '../topology/sheets.js';
import type { Role } from '../topology/topology.js';
import { quick } from './autoscanCalls.js';
import { cancel, inksOf, scan, untilFed, type ScanJson, type Typed } from './calls.js';
import { direct, directScan, kind, open, path, type DirectJson } from './directCalls.js';
import { faulty } from './failures.js';
import { canHappen, spec } from './specTest.js';

const json = { 'content-type': 'application/json' };

export const directTests = [
  spec(
    'Endpoints, POST /api/twain: kind, commandId, method, results, data; commandId is the client’s or a new one',
    'endpoints.direct.envelope',
    async (t, fixture) => {
      const own = await direct(fixture, 'getSources', null, { commandId: 'mine-17' });
      t.equal(own.status, 200);
      t.match(own.headers['content-type'], /^application\/json/);
      t.same(Object.keys(own.json), ['kind', 'commandId', 'method', 'results', 'data']);
      t.match(own.json, {
        kind,
        commandId: 'mine-17',
        method: 'getSources',
        results: { success: true, code: 'success' },
      });
      const ids = new Set<string>();
      for (const params of [undefined, null, {}, { somethingElse: 1 }]) {
        const { json: answer } = await direct(fixture, 'getSources', params);
        t.match(answer, { commandId: /^[0-9a-f]{8}-[0-9a-f-]{27}$/, results: { success: true, code: 'success' } });
        ids.add(answer.commandId);
      }
      t.equal(ids.size, 4, 'unique');
    },
  ),

  spec(
    'Endpoints, POST /api/twain: getSources lists what GET /api/twain/scanners lists',
    'endpoints.direct.methods',
    async (t, fixture) => {
      const { json: list } = (await fixture.request('GET', '/api/twain/scanners')) as Typed<{ scanners: unknown[] }>;
      const { json: answer } = await direct(fixture, 'getSources');
      t.ok(Array.isArray(answer.data['availableSources']));
      t.same(answer.data['availableSources'], list.scanners);
    },
  ),

  spec(
    'Endpoints, POST /api/twain: openSource, getStatus, getCapabilities, closeSource',
    ['endpoints.direct.methods', 'states.source.methods', 'states.source.isSourceOpen'],
    async (t, fixture) => {
      await fixture.load('duplex', sheets(1));
      const sourceName = fixture.name('duplex');
      const status = async () => (await direct(fixture, 'getStatus')).json.data['scannerStatus'];
      t.match(await status(), { isSourceOpen: false, isOnline: true, ocrEnabled: false });
      t.match(await direct(fixture, 'openSource', { sourceName }), {
        json: {
          results: { code: 'success' },
          data: { message: /is open/, scanner: { name: sourceName, supportsDuplex: true } },
        },
      });
      t.match(
        await direct(fixture, 'openSource', { sourceName }),
        { json: { results: { success: true } } },
        'opening the open scanner succeeds',
      );
      t.same(await status(), { isOnline: true, isPaperLoaded: true, isSourceOpen: true, ocrEnabled: false });
      const capabilitiesOf = async (name: string) =>
        (
          (await fixture.request('GET', `/api/twain/scanners/${encodeURIComponent(name)}/capabilities`)) as Typed<{
            capabilities: unknown;
          }>
        ).json.capabilities;
      t.same(
        (await direct(fixture, 'getCapabilities')).json.data,
        { capabilities: await capabilitiesOf(sourceName) },
        'of the open scanner',
      );
      const other = fixture.name('small');
      t.same((await direct(fixture, 'getCapabilities', { sourceName: other })).json.data, {
        capabilities: await capabilitiesOf(other),
      });
      t.match(
        await direct(fixture, 'openSource', { sourceName: other }),
        { json: { data: { scanner: { name: other } } } },
        'closes the first scanner',
      );
      t.match(await direct(fixture, 'closeSource'), {
        json: { results: { success: true }, data: { message: 'The scanner is closed.' } },
      });
      t.match(await direct(fixture, 'closeSource', null), {
        json: { results: { success: true }, data: { message: 'No scanner was open.' } },
      });
      t.match(await status(), { isSourceOpen: false });
    },
    ['duplex', 'small'],
  ),

  spec(
    'Endpoints, POST /api/twain: scan accepts the parameters of a scan, and its data is the Scan result',
    ['endpoints.direct.scan', 'endpoints.parameterNames'],
    async (t, fixture) => {
      await fixture.load('duplex', [{ front: 3, back: 5 }, { front: 1 }]);
      await open(t, fixture, 'duplex');
      const {
        status,
        headers,
        json: answer,
      } = await directScan(fixture, {
        ...quick,
        colorMode: 'COLOR',
        duplexMode: 'DuplexLongEdge',
        outputFormat: 'png',
        report: true,
        whatever: 1,
      });
      t.equal(status, 200);
      t.equal(headers['cache-control'], 'no-store');
      t.match(answer, {
        method: 'scan',
        results: { success: true, code: 'success' },
        data: { success: true, status: 'Success', imageCount: 4 },
      });
      t.same((await inksOf(answer.data)).slice(0, 3), [3, 5, 1]);
      t.same(Object.keys(answer.data).sort(), [
        'elapsedMs',
        'imageCount',
        'images',
        'message',
        'notes',
        'status',
        'success',
      ]);
      await fixture.load('duplex', sheets(6));
      t.match(
        await scan(fixture, 'duplex', quick),
        { status: 200, json: { success: true } },
        'the simplified call works, too',
      );
      t.match(
        await direct(fixture, 'getStatus'),
        { json: { data: { scannerStatus: { isSourceOpen: true } } } },
        'the scanner stays open',
      );
    },
    ['duplex'],
  ),

  spec(
    'Endpoints, POST /api/twain: a scan without parameters is PNG with the defaults; imageFormat is not a parameter here',
    ['endpoints.direct.scan', 'endpoints.parameterNames'],
    async (t, fixture) => {
      await open(t, fixture, 'flatbed');
      for (const params of [undefined, null, {}, { imageFormat: 'Jpeg' }]) {
        t.match((await direct<ScanJson>(fixture, 'scan', params)).json.data.images[0], {
          format: 'Png',
          mimeType: 'image/png',
          resolution: 200,
        });
      }
    },
    ['flatbed'],
  ),

  spec(
    'Resources, output formats: png, jpeg or jpg, tiff or tif, bmp, in any letter case',
    ['resources.formats.outputFormat', 'endpoints.direct.scan'],
    async (t, fixture) => {
      await open(t, fixture, 'flatbed');
      const types = {
        png: 'image/png',
        PNG: 'image/png',
        jpeg: 'image/jpeg',
        JPG: 'image/jpeg',
        Jpg: 'image/jpeg',
        tiff: 'image/tiff',
        TIF: 'image/tiff',
        bmp: 'image/bmp',
        Bmp: 'image/bmp',
      };
      for (const [outputFormat, mimeType] of Object.entries(types)) {
        const { json: answer } = await directScan(fixture, { resolution: 75, outputFormat });
        t.match(answer, { results: { success: true }, data: { images: [{ mimeType }] } }, outputFormat);
      }
    },
    ['flatbed'],
  ),

  spec(
    'Endpoints, POST /api/twain: method and kind in any letter case, answered in the interface’s spelling',
    'endpoints.direct.envelope',
    async (t, fixture) => {
      t.match(await direct(fixture, 'GETSOURCES', null, { kind: 'TWAINLocalScanner' }), {
        json: { kind, method: 'getSources', results: { success: true } },
      });
    },
  ),

  spec(
    'Errors, POST /api/twain: invalidValue names the key in results and data; nothing is fed',
    ['errors.direct', 'endpoints.direct.envelope'],
    async (t, fixture) => {
      await fixture.load('duplex', sheets(1));
      await open(t, fixture, 'duplex');
      const cases: [string, unknown, string, object?][] = [
        ['scan', { jpegQuality: 0 }, 'jpegQuality'],
        ['scan', { resolution: '200' }, 'resolution'],
        ['scan', { resolution: 77 }, 'resolution'],
        ['scan', { outputFormat: 'gif' }, 'outputFormat'],
        ['scan', { pageSize: 'A3' }, 'pageSize'],
        ['scan', { barcodeFormats: ['QrCode', 'Ean14'] }, 'barcodeFormats[1]'],
        ['scan', [], 'params'],
        ['getSources', 'x', 'params'],
        ['openSource', {}, 'sourceName'],
        ['openSource', { sourceName: 'Unknown' }, 'sourceName'],
        ['getCapabilities', { sourceName: 5 }, 'sourceName'],
        ['fly', null, 'method'],
        ['toString', null, 'method'],
        ['getSources', null, 'kind', { kind: 'other' }],
        ['getSources', null, 'kind', { kind: null }],
      ];
      for (const [method, params, jsonKey, more] of cases) {
        const { status, json: answer } = await direct(fixture, method, params, more);
        t.equal(status, 200);
        t.match(
          answer,
          {
            kind,
            results: { success: false, code: 'invalidValue', jsonKey },
            data: { jsonKey, message: /takes|no scanner named/ },
          },
          `${method} ${JSON.stringify(params)}`,
        );
      }
      t.equal(await fixture.waiting('duplex'), 1);
    },
    ['duplex'],
  ),

  spec(
    'Errors, POST /api/twain: malformed JSON is invalidJson with its characterOffset, in results and in data',
    ['errors.direct', 'endpoints.direct.envelope'],
    async (t, fixture) => {
      const offsets: [string, number][] = [
        ['{"kind": tru}', 9],
        ['{', 1],
        [' {"a":1,}', 8],
        ['["ü" 2]', 5],
        ['{"a":"\n"}', 6],
        ['{"a":01}', 6],
        ['nonsense', 0],
        ['{}{', 2],
        ['['.repeat(60_000), 60_000],
        ['{"__proto__":1,]', 15],
      ];
      for (const [rawBody, characterOffset] of offsets) {
        const { status, json: answer } = (await fixture.request('POST', path, {
          rawBody,
          headers: json,
        })) as Typed<DirectJson>;
        t.equal(status, 200, rawBody.slice(0, 20));
        t.same(answer.results, { success: false, code: 'invalidJson', characterOffset });
        t.match(answer.data, { characterOffset, message: /not valid JSON/ });
        t.match(answer.commandId, /./);
      }
    },
  ),

  spec(
    'Errors, POST /api/twain: a body that is not a command has no kind; an unreadable body gets the plain error body',
    ['errors.direct', 'errors.body'],
    async (t, fixture) => {
      for (const rawBody of ['', 'null', '[]', '5', '"scan"', '{}']) {
        t.match(
          await fixture.request('POST', path, { rawBody, headers: json }),
          { status: 200, json: { results: { code: 'invalidValue', jsonKey: 'kind' } } },
          rawBody,
        );
      }
      t.match(await fixture.request('POST', path, { rawBody: '{}', headers: { 'content-type': 'text/plain' } }), {
        status: 415,
        json: { success: false, error: /application\/json/ },
      });
      t.match(await fixture.request('POST', path, { rawBody: 'x'.repeat(70_000), headers: json }), {
        status: 413,
        json: { success: false, error: /64 KiB/ },
      });
      t.equal((await fixture.request('GET', path)).status, 404);
    },
  ),

  spec('Errors, POST /api/twain: invalidState without an open scanner', 'errors.direct', async (t, fixture) => {
    for (const method of ['scan', 'getCapabilities']) {
      t.match(await direct(fixture, method), {
        status: 200,
        json: { results: { success: false, code: 'invalidState' }, data: { message: /No scanner is open/ } },
      });
    }
  }),

  spec(
    'Errors, POST /api/twain: a failure of the scanner has its code, with the pages before it',
    ['errors.direct', 'endpoints.direct.scan'],
    async (t, _fixture, topology) => {
      const codes: readonly (readonly [Role, fault: string, code: string])[] = [
        ['duplex', 'paper-jam', 'paperJam'],
        ['both', 'double-feed', 'doubleFeed'],
        ['slow', 'cover-open', 'coverOpen'],
        ['jamming', 'timeout', 'timeout'],
        ['hanging', 'driver-failed', 'critical'],
        ['blind', 'device-offline', 'critical'],
      ];
      const possible = codes.filter(([, fault]) => canHappen(t, topology, fault));
      const fixture = await faulty(topology, 'first');
      for (const [role, fault, code] of possible) {
        await fixture.load(role, sheets(4, 1));
        await direct(fixture, 'openSource', { sourceName: fixture.name(role) });
        const { status, json: answer } = await directScan(fixture, quick);
        t.equal(status, 200, fault);
        t.match(
          answer,
          { results: { success: false, code }, data: { success: false, imageCount: 1, message: /./, error: /./ } },
          fault,
        );
        t.same(await inksOf(answer.data), [4]);
      }
      await direct(fixture, 'closeSource');
    },
    ['duplex', 'both', 'slow', 'jamming', 'hanging', 'blind'],
  ),

  spec(
    'Errors, POST /api/twain: noMedia, busy, aborted',
    ['errors.direct', 'endpoints.direct.scan', 'endpoints.cancel.request'],
    async (t, fixture) => {
      await fixture.load('slow', []);
      await open(t, fixture, 'slow');
      t.match(await directScan(fixture, quick), {
        status: 200,
        json: { results: { success: false, code: 'noMedia' }, data: { status: 'NoPaper', images: [] } },
      });
      await fixture.load('slow', sheets(1, 2, 3, 4, 5, 6, 7, 1, 2, 3));
      const scanning = directScan(fixture, quick, { commandId: 'scan-1' });
      await untilFed(fixture, 'slow');
      for (const [method, params] of [
        ['scan', {}],
        ['closeSource', null],
        ['openSource', { sourceName: fixture.name('duplex') }],
      ] as const) {
        t.match(
          await direct(fixture, method, params),
          { status: 200, json: { results: { success: false, code: 'busy' } } },
          method,
        );
      }
      t.match(await direct(fixture, 'getStatus'), { json: { results: { success: true } } });
      t.match((await cancel(fixture, 'scan-2')).json, { message: /another scan goes on/ });
      await cancel(fixture, 'scan-1');
      const { headers, json: answer } = await scanning;
      t.match(answer, {
        commandId: 'scan-1',
        results: { success: false, code: 'aborted' },
        data: { status: 'Cancelled' },
      });
      t.equal(headers['x-request-id'], 'scan-1');
      t.ok(answer.data.imageCount >= 1 && answer.data.imageCount < 10);
    },
    ['slow', 'duplex'],
  ),
];
