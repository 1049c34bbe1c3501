/** Words of the loaded plugins in requests, answers and the OpenAPI document. */
import { fakeDriver, fakeFormat } from '@platen/conformance';
import type { BarcodeRecogniser, CustomProcessor, CustomRecogniser } from '@platen/core';
import { Validator } from '@seriousme/openapi-schema-validator';
import t from 'tap';
import { testService } from '../../service.test.kit.js';

const webp = fakeFormat({ name: 'Webp', aliases: ['webp', 'wp'], mimeType: 'image/webp', lossy: true });
const scannerName = 'Fake scanner';

interface Image {
  readonly format: string;
  readonly mimeType: string;
}
interface Answer {
  readonly images: readonly Image[];
  readonly data: { readonly images: readonly Image[] };
}

t.test('format: a plugin’s name and aliases, in every call that scans', async t => {
  const { app } = await testService(t, fakeDriver(), { more: [webp] });
  for (const imageFormat of ['Webp', 'WEBP', 'wp']) {
    const body = { scannerName, parameters: { imageFormat } };
    const { images } = (await app.inject({ method: 'POST', url: '/api/twain/scan', body })).json<Answer>();
    t.match(images[0], { format: 'Webp', mimeType: 'image/webp' }, imageFormat);
  }
  const open = { kind: 'twainlocalscanner', method: 'openSource', params: { sourceName: scannerName } };
  await app.inject({ method: 'POST', url: '/api/twain', body: open });
  const direct = { kind: 'twainlocalscanner', method: 'scan', params: { outputFormat: 'Wp' } };
  const { data } = (await app.inject({ method: 'POST', url: '/api/twain', body: direct })).json<Answer>();
  t.match(data.images[0], { format: 'Webp' });
  const enable = { parameters: { imageFormat: 'webp' } };
  t.equal((await app.inject({ method: 'POST', url: '/api/twain/autoscan/enable', body: enable })).statusCode, 200);
});

t.test('format: outputFormat sent to a simplified endpoint is ignored, whatever is loaded', async t => {
  const { app } = await testService(t, fakeDriver(), { more: [webp] });
  const body = { scannerName, parameters: { outputFormat: 'webp' } };
  const { images } = (await app.inject({ method: 'POST', url: '/api/twain/scan', body })).json<Answer>();
  t.match(images[0], { format: 'Png' });
});

t.test('format: one that is not loaded is 400 with the loaded names', async t => {
  const { app } = await testService(t, fakeDriver(), { formats: ['Png'], more: [webp] });
  for (const imageFormat of ['Gif', 'Jpeg', 3]) {
    const body = { scannerName, parameters: { imageFormat } };
    const { statusCode, headers } = await app.inject({ method: 'POST', url: '/api/scans', body });
    t.equal(statusCode, 400);
    const facts = { code: 'invalid-value', field: 'imageFormat', allowed: ['Webp', 'Png'] };
    t.match(JSON.parse(String(headers['platen-error'])), { ...facts, accepts: /^one of Webp, Png/ });
  }
});

const stamp: CustomRecogniser<{ readonly least: number }> = {
  kind: 'stamp',
  wishes: { type: 'object', properties: { least: { type: 'integer', minimum: 1, default: 2 } } },
  read: async (_page, { least }) => ({ least, texts: ['PAID'] }),
};
const invert: CustomProcessor = {
  name: 'invert',
  async apply(page) {
    return { page: { ...page, data: page.data.map(value => 255 - value) }, applied: true };
  },
};
const maxi: BarcodeRecogniser = {
  kind: 'barcode',
  symbologies: { MaxiCode: 'MAXICODE' },
  read: async (_page, { formats }) => formats.map(text => ({ text, barcodeType: 'MAXICODE', confidence: 1 })),
};
const plugins = { recognisers: [stamp, maxi, { ...maxi, name: 'other' }], processors: [invert] };
const asked = {
  recognise: { stamp: {} },
  process: { invert: {} },
  readers: { barcode: 'OTHER' },
  barcodeReadingEnabled: true,
  barcodeFormats: ['maxicode'],
  report: true,
};
const found = {
  findings: { stamp: { least: 2, texts: ['PAID'] } },
  barcodes: [{ text: 'MaxiCode', barcodeType: 'MAXICODE' }],
};

t.test('plugins: findings and reports in every call that scans', async t => {
  const { app, kept } = await testService(t, fakeDriver(), plugins);
  const post = (url: string, body: object) => app.inject({ method: 'POST', url, body });
  const { images } = (await post('/api/twain/scan', { scannerName, parameters: asked })).json<Answer>();
  t.match(images[0], {
    ...found,
    report: [
      {},
      { parameter: 'process.invert', requested: '{}', result: 'emulated' },
      {},
      { parameter: 'recognise.stamp' },
    ],
  });
  const [plain] = (await post('/api/twain/scan', { scannerName })).json<Answer>().images;
  t.notOk('findings' in (plain ?? {}), 'only if requested');

  await post('/api/twain', { kind: 'twainlocalscanner', method: 'openSource', params: { sourceName: scannerName } });
  const direct = await post('/api/twain', { kind: 'twainlocalscanner', method: 'scan', params: asked });
  t.match(direct.json<Answer>().data.images[0], found);

  const { id } = (await post('/api/scans', { scannerName, parameters: asked })).json<{ id: string }>();
  const scan = kept.find('', id);
  while (scan?.state === 'running') await scan.changed();
  t.match((await app.inject(`/api/scans/${id}`)).json(), { pages: [found] });
});

t.test('plugins: what a schema or a name does not accept is 400 before paper moves', async t => {
  const driver = fakeDriver();
  const { app } = await testService(t, driver, plugins);
  const wrong: readonly [object, string][] = [
    [{ recognise: { stamp: { least: 0 } } }, 'recognise.stamp.least'],
    [{ recognise: { seal: {} } }, 'recognise'],
    [{ process: { invert: { by: 1 } } }, 'process.invert.by'],
    [{ process: { despeckle: {} } }, 'process'],
    [{ readers: { barcode: 'none' } }, 'readers.barcode'],
    [{ readers: { ocr: 'none' } }, 'readers.ocr'],
    [{ barcodeFormats: ['Maxi'] }, 'barcodeFormats[0]'],
  ];
  for (const [parameters, field] of wrong)
    for (const url of ['/api/twain/scan', '/api/scans', '/api/twain/autoscan/enable']) {
      const answer = await app.inject({ method: 'POST', url, body: { scannerName, parameters } });
      t.equal(answer.statusCode, 400, JSON.stringify(parameters));
      t.match(JSON.parse(String(answer.headers['platen-error'])), { code: 'invalid-value', field });
    }
  // On the interface's own endpoints, such a field is ignored.
  for (const [recognise, field] of [
    [[], 'recognise'],
    [{ stamp: 1 }, 'recognise.stamp'],
  ] as const) {
    const body = { scannerName, parameters: { recognise } };
    const answer = await app.inject({ method: 'POST', url: '/api/scans', body });
    t.match(JSON.parse(String(answer.headers['platen-error'])), { code: 'invalid-value', field });
  }
});

t.test('plugins: details and OpenAPI say what is loaded, with the schemas', async t => {
  const { app } = await testService(t, fakeDriver(), plugins);
  const url = '/api/twain/scanners/Fake%20scanner/capabilities?details=true';
  t.match((await app.inject(url)).json(), {
    capabilities: {
      details: {
        recognisers: [
          { kind: 'stamp', wishes: stamp.wishes },
          { kind: 'barcode', symbologies: /MaxiCode/ },
          { kind: 'barcode', name: 'other' },
        ],
        processors: [{ name: 'invert', options: { additionalProperties: false } }],
      },
    },
  });
  const document = (await app.inject('/openapi.json')).json<Record<string, unknown>>();
  const { valid, errors } = await new Validator().validate(document);
  t.same([valid, errors], [true, undefined]);
  t.match(document, {
    components: {
      schemas: {
        ScanParameters: {
          properties: {
            recognise: { properties: { stamp: stamp.wishes }, additionalProperties: false },
            process: { properties: { invert: {} } },
            readers: { properties: { barcode: { enum: [String, 'other'] } } },
            barcodeFormats: { items: { type: 'string', examples: /MaxiCode/ } },
          },
        },
      },
    },
  });
});

t.test('OpenAPI: wishes of several recognisers of one kind, those of each', async t => {
  const seal: CustomRecogniser = { ...stamp, name: 'seal', wishes: { type: 'object', properties: { ink: {} } } };
  const { app } = await testService(t, fakeDriver(), { recognisers: [stamp, seal] });
  t.match((await app.inject('/openapi.json')).json(), {
    components: {
      schemas: {
        ScanParameters: {
          properties: { recognise: { properties: { stamp: { anyOf: [stamp.wishes, seal.wishes] } } } },
        },
      },
    },
  });
});

t.test('details: the loaded formats, only if requested', async t => {
  const { app } = await testService(t, fakeDriver(), { formats: ['Png', 'Jpeg'], more: [webp] });
  const url = '/api/twain/scanners/Fake%20scanner/capabilities';
  const capabilitiesOf = async (query: string): Promise<object> =>
    (await app.inject(url + query)).json<{ capabilities: object }>().capabilities;
  t.notOk('details' in (await capabilitiesOf('')));
  t.notOk('details' in (await capabilitiesOf('?details=false')));
  t.match(await capabilitiesOf('?details=TRUE'), {
    details: {
      formats: [
        { name: 'Webp', aliases: ['webp', 'wp'], mimeType: 'image/webp', lossless: false },
        { name: 'Png', aliases: ['png'], mimeType: 'image/png', lossless: true },
        { name: 'Jpeg', aliases: ['jpeg', 'jpg'], mimeType: 'image/jpeg', lossless: false },
      ],
    },
  });
  t.equal((await app.inject(`${url}?details=yes`)).statusCode, 400);
});

t.test('OpenAPI: lists the formats that are loaded', async t => {
  const { app } = await testService(t, fakeDriver(), { formats: ['Png', 'Jpeg'], more: [webp] });
  const { components } = (await app.inject('/openapi.json')).json<{ components: object }>();
  const imageFormat = { type: 'string', enum: ['Webp', 'wp', 'Png', 'Jpeg'] };
  t.match(components, {
    schemas: {
      ScanParameters: { properties: { imageFormat } },
      StartParameters: { properties: { imageFormat } },
      DirectScanParameters: {
        properties: { outputFormat: { type: 'string', enum: ['webp', 'wp', 'png', 'jpeg', 'jpg'] } },
      },
    },
  });
});
