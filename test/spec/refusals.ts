/** Resources, scan parameters: rejected values. No paper moves before the whole request is validated. */
import { sheets } from '../topology/sheets.js';
import { refusedScan } from './calls.js';
import type { ClauseId } from './clauses.js';
import { meagre, share, spec } from './specTest.js';

interface Row {
  readonly field: string;
  readonly clause: ClauseId;
  readonly bad: readonly unknown[];
  /** The accepted values in the error. */
  readonly takes: RegExp;
}

const flag = (field: string, clause: ClauseId): Row => ({
  field,
  clause,
  bad: ['true', 1, 0, []],
  takes: /true or false/,
});

export const rows: readonly Row[] = [
  {
    field: 'resolution',
    clause: 'resources.parameters.resolution',
    bad: [0, -75, 75.5, '75', true, [], {}],
    takes: /an integer/,
  },
  {
    field: 'resolution',
    clause: 'resources.parameters.resolution',
    bad: [76, 600, 1e9],
    takes: /one of 75, 100, 150, 200, 300/,
  },
  {
    field: 'colorMode',
    clause: 'resources.parameters.colorMode',
    bad: ['Colour', '', 'Color ', 1, ['Color']],
    takes: /one of Color, Grayscale, BlackAndWhite/,
  },
  {
    field: 'duplexMode',
    clause: 'resources.parameters.duplexMode',
    bad: ['Duplex', '', true],
    takes: /one of Simplex, DuplexLongEdge, DuplexShortEdge/,
  },
  {
    field: 'pageSize',
    clause: 'resources.enumerations.sdkSizes',
    bad: ['A3', 'Executive', 'A0', '', 4, { width: 1 }],
    takes: /one of Letter, Legal, A4, A5, A6, B5, Auto/,
  },
  flag('autoRotate', 'resources.parameters.adjustments'),
  flag('autoDeskew', 'resources.parameters.adjustments'),
  flag('autoCrop', 'resources.parameters.adjustments'),
  {
    field: 'imageFormat',
    clause: 'resources.parameters.imageFormat',
    bad: ['Gif', 'jpg', 'image/png', '', 3],
    takes: /one of Png, Jpeg/,
  },
  {
    field: 'jpegQuality',
    clause: 'limits.jpegQuality',
    bad: [0, 101, -1, 90.5, '90', [90]],
    takes: /an integer from 1 to 100/,
  },
  flag('barcodeReadingEnabled', 'resources.parameters.barcodes'),
  {
    field: 'barcodeFilterLevel',
    clause: 'resources.parameters.barcodes',
    bad: ['Strict', '', 2],
    takes: /one of Low, Normal, High, VeryHigh/,
  },
  {
    field: 'barcodeFormats',
    clause: 'resources.enumerations.barcodeFormats',
    bad: ['QrCode', {}, 7],
    takes: /a list/,
  },
  {
    field: 'barcodeFormats',
    clause: 'resources.enumerations.barcodeFormats',
    bad: [['QrCode', 'Ean14'], [null], [[]]],
    takes: /one of Pdf417, QrCode, DataMatrix/,
  },
  flag('barcodeStopAfterFirst', 'resources.parameters.barcodes'),
  flag('ocrEnabled', 'resources.parameters.ocr'),
  {
    field: 'requestTimeoutSeconds',
    clause: 'resources.parameters.timeout',
    bad: [-1, 0.5, '5'],
    takes: /an integer/,
  },
  {
    field: 'transferMode',
    clause: 'resources.parameters.transferMode',
    bad: ['Memory', '', 0],
    takes: /one of Auto, Native, Buffered/,
  },
];

export const refusals = [
  ...rows.map(({ field, clause, bad, takes }, at) =>
    spec(
      `Resources, parameters: ${field} with a bad value (${at + 1}) is 400, and the error names it and the accepted values`,
      [clause, 'endpoints.scan.errors', 'errors.body'],
      async (t, fixture) => {
        await fixture.load('duplex', sheets(1));
        for (const value of bad) {
          const { status, json } = await refusedScan(fixture, 'duplex', { [field]: value });
          t.equal(status, 400, JSON.stringify(value));
          t.match(json.error, new RegExp(`^${field}(\\[\\d+\\])* takes `));
          t.match(json.error, takes);
        }
        t.equal(await fixture.waiting('duplex'), 1, 'no paper moved');
      },
      ['duplex'],
    ),
  ),

  spec(
    'Resources, parameters: a valid value beside an invalid one moves no paper',
    'endpoints.scan.errors',
    async (t, fixture) => {
      await fixture.load('duplex', sheets(1, 2));
      const { status, json } = await refusedScan(fixture, 'duplex', {
        resolution: 75,
        colorMode: 'Color',
        jpegQuality: 0,
        imageFormat: 'Png',
      });
      t.equal(status, 400);
      t.match(json.error, /^jpegQuality /, 'even if it has no effect');
      t.equal(await fixture.waiting('duplex'), 2);
    },
    ['duplex'],
  ),

  spec(
    'Resources, parameters: duplex on a scanner without it is refused',
    'resources.parameters.duplexMode',
    async (t, fixture) => {
      await fixture.load('small', sheets(1));
      for (const duplexMode of ['DuplexLongEdge', 'DuplexShortEdge']) {
        const { status, json } = await refusedScan(fixture, 'small', { duplexMode });
        t.equal(status, 400);
        t.match(json.error, /^duplexMode takes Simplex/);
      }
      t.equal(await fixture.waiting('small'), 1);
    },
    ['small'],
  ),

  spec(
    'Endpoints, POST /api/twain/scan: parameters that are not an object are 400',
    'endpoints.scan.errors',
    async (t, fixture) => {
      for (const parameters of [[], 'Color', 5, true]) {
        const { status, json } = await refusedScan(fixture, 'duplex', parameters as object);
        t.equal(status, 400, JSON.stringify(parameters));
        t.match(json.error, /^parameters takes a JSON object/);
      }
    },
    ['duplex'],
  ),

  spec(
    'Limits: a page that would need too much memory is refused before it is scanned',
    'limits.sizes',
    async (t, _fixture, topology) => {
      const fixture = await share(topology, meagre);
      await fixture.load('duplex', sheets(1));
      const { status, json } = await refusedScan(fixture, 'duplex', { resolution: 300 });
      t.equal(status, 400);
      t.match(json.error, /^resolution takes at most 1\d\d for Letter/);
      t.equal(await fixture.waiting('duplex'), 1);
    },
    ['duplex'],
  ),
];
