/** Resources, scan parameters: defaults, letter case, unknown fields, and those that plugins apply. */
import { sheets } from '../topology/sheets.js';
import { scan } from './calls.js';
import { spec } from './specTest.js';

export const parameters = [
  spec(
    'Resources, parameters: the defaults are 200 dpi, Grayscale, Simplex, Letter, PNG',
    'resources.parameters.defaults',
    async (t, fixture) => {
      await fixture.load('duplex', [{ front: 1, back: 2 }]);
      const { json } = await scan(fixture, 'duplex');
      t.equal(json.imageCount, 1, 'one side');
      t.match(json.images[0], { resolution: 200, width: 1700, height: 2200, format: 'Png' });
      const file = Buffer.from(json.images[0]?.base64Data ?? '', 'base64');
      t.same([file[24], file[25]], [8, 0], '8-bit grey');
    },
    ['duplex'],
  ),

  spec(
    'Resources, parameters: without 200 dpi, the default is the nearest resolution',
    ['resources.parameters.defaults', 'resources.parameters.resolution'],
    async (t, fixture) => {
      await fixture.load('small', sheets(1));
      t.match((await scan(fixture, 'small', { pageSize: 'A6' })).json.images[0], { resolution: 150 });
    },
    ['small'],
  ),

  spec(
    'Resources, parameters: each of the scanner’s resolutions',
    'resources.parameters.resolution',
    async (t, fixture) => {
      for (const resolution of [75, 100, 150, 200, 300]) {
        const { json } = await scan(fixture, 'flatbed', { resolution, pageSize: 'A6' });
        t.match(json.images[0], { resolution, width: Math.round((105 / 25.4) * resolution) });
      }
    },
    ['flatbed'],
  ),

  spec(
    'Resources, parameters: words are accepted in any letter case and answered in the interface’s',
    ['resources.parameters.colorMode', 'resources.enumerations.barcodeFormats'],
    async (t, fixture) => {
      await fixture.load('duplex', [{ front: 1, back: 2, size: 'A5' }]);
      const wild = {
        resolution: 75,
        colorMode: 'cOLOR',
        duplexMode: 'DUPLEXLONGEDGE',
        pageSize: 'a5',
        imageFormat: 'jpEG',
        transferMode: 'native',
        barcodeFilterLevel: 'veryhigh',
        barcodeFormats: ['QRCODE', 'code128', 'pdf417', 'upca'],
      };
      const { status, json } = await scan(fixture, 'duplex', wild, { asIs: true });
      t.equal(status, 200);
      t.equal(json.imageCount, 2);
      t.match(json.images[0], { format: 'Jpeg', mimeType: 'image/jpeg', width: Math.round((148 / 25.4) * 75) });
    },
    ['duplex'],
  ),

  spec(
    'Resources, parameters: unrecognised fields are ignored, whatever is in them',
    ['resources.parameters.unknown', 'errors.unknownField'],
    async (t, fixture) => {
      const parameters = {
        resolution: 75,
        RESOLUTION: 'x',
        dpi: -1,
        nested: { deep: [{ jpegQuality: 0 }] },
        constructor: 1,
        toString: null,
        'parameters.resolution': 5,
      };
      const { status, json } = await scan(fixture, 'flatbed', parameters, {
        more: { scanner: 5, jpegQuality: 0, hasOwnProperty: [] },
      });
      t.equal(status, 200);
      t.match(json.images[0], { resolution: 75 });
      const rawBody = `{"scannerName":${JSON.stringify(fixture.name('flatbed'))},"__proto__":{"parameters":{"resolution":1}},"parameters":{"resolution":75,"__proto__":{"colorMode":5}}}`;
      const raw = await fixture.request('POST', '/api/twain/scan', {
        rawBody,
        headers: { 'content-type': 'application/json' },
      });
      t.equal(raw.status, 200, 'prototype keys, too');
    },
    ['flatbed'],
  ),

  spec(
    'Resources, parameters: transferMode is for TWAIN; every value is accepted and ignored here',
    'resources.parameters.transferMode',
    async (t, fixture) => {
      for (const transferMode of ['Auto', 'Native', 'Buffered']) {
        const { status, json } = await scan(fixture, 'flatbed', { resolution: 75, transferMode });
        t.equal(status, 200);
        t.notMatch(json.message, /transferMode/);
      }
    },
    ['flatbed'],
  ),

  spec(
    'Resources, parameters: adjustments that neither scanner nor plugin supports are ignored, and message reports it',
    'resources.parameters.adjustments',
    async (t, fixture) => {
      const wishes = { autoRotate: true, autoDeskew: true, autoCrop: true };
      const { status, json } = await scan(fixture, 'flatbed', { resolution: 75, ...wishes });
      t.equal(status, 200);
      for (const name of Object.keys(wishes)) t.match(json.message, new RegExp(`${name} was ignored`));
      const none = await scan(fixture, 'flatbed', {
        resolution: 75,
        autoRotate: false,
        autoDeskew: false,
        autoCrop: false,
      });
      t.notMatch(none.json.message, /ignored/);
    },
    ['flatbed'],
  ),

  spec(
    'Resources, parameters: report lists with each image which parameters were applied, only when it is requested',
    'resources.parameters.adjustments',
    async (t, fixture) => {
      const wishes = {
        resolution: 75,
        colorMode: 'Grayscale',
        pageSize: 'A5',
        autoCrop: true,
        barcodeReadingEnabled: false,
      };
      const answer = await scan(fixture, 'flatbed', { ...wishes, report: true });
      t.match(answer.json.images[0]?.report, [
        { parameter: 'resolution', requested: 75, result: 'applied' },
        { parameter: 'colorMode', requested: 'Grayscale', result: 'applied' },
        { parameter: 'pageSize', requested: 'A5', result: 'applied' },
        { parameter: 'autoCrop', requested: true, result: 'ignored', why: /plugin/ },
      ]);
      t.match(answer.json.notes, [{ code: 'adjustment-ignored', field: 'autoCrop' }]);
      const plain = await scan(fixture, 'flatbed', { ...wishes, report: false });
      t.notOk('report' in (plain.json.images[0] ?? {}));
      t.notOk('notes' in plain.json);
    },
    ['flatbed'],
  ),

  spec(
    'Resources, parameters: barcode and text recognition not installed: the scan succeeds, and message reports it',
    ['resources.parameters.barcodes', 'resources.parameters.ocr', 'resources.parameters.premium', 'errors.entitlement'],
    async (t, fixture) => {
      const barcodes = {
        barcodeReadingEnabled: true,
        barcodeFilterLevel: 'High',
        barcodeFormats: ['QrCode', 'Ean13'],
        barcodeStopAfterFirst: true,
      };
      const { status, json } = await scan(fixture, 'flatbed', { resolution: 75, ...barcodes, ocrEnabled: true });
      t.equal(status, 200);
      t.match(json, {
        success: true,
        status: 'Success',
        message: /barcodes.*OCR/i,
      });
      t.match(json.images[0], { barcodes: [], ocrText: '' });
      const without = await scan(fixture, 'flatbed', { resolution: 75, ...barcodes, barcodeReadingEnabled: false });
      t.notMatch(without.json.message, /barcode/i);
    },
    ['flatbed'],
  ),

  spec(
    'Resources, parameters: all thirteen barcode formats are accepted, and so is an empty list',
    ['resources.enumerations.barcodeFormats', 'resources.parameters.barcodes'],
    async (t, fixture) => {
      const all = [
        'Pdf417',
        'QrCode',
        'DataMatrix',
        'Aztec',
        'Code128',
        'Code39',
        'Code93',
        'Ean13',
        'Ean8',
        'UpcA',
        'UpcE',
        'Itf',
        'Codabar',
      ];
      for (const barcodeFormats of [all, []]) {
        t.equal(
          (await scan(fixture, 'flatbed', { resolution: 75, barcodeReadingEnabled: true, barcodeFormats })).status,
          200,
        );
      }
      for (const barcodeFilterLevel of ['Low', 'Normal', 'High', 'VeryHigh']) {
        t.equal((await scan(fixture, 'flatbed', { resolution: 75, barcodeFilterLevel })).status, 200);
      }
    },
    ['flatbed'],
  ),

  spec(
    'Resources, parameters: requestTimeoutSeconds 0 means no deadline, and a deadline that is met changes nothing',
    'resources.parameters.timeout',
    async (t, fixture) => {
      await fixture.load('slow', sheets(1, 2));
      t.equal((await scan(fixture, 'slow', { resolution: 75, requestTimeoutSeconds: 0 })).json.imageCount, 2);
      t.equal((await scan(fixture, 'flatbed', { resolution: 75, requestTimeoutSeconds: 600 })).status, 200);
    },
    ['slow', 'flatbed'],
  ),
];
