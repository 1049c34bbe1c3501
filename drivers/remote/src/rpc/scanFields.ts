/** Orders and pages on the wire. */
import { colorModes, levelRange, pageSizes, thresholdRange, type ScanControls } from '@platen/core/driver';
import type { Page, ScanOrder } from '@platen/core/plugin';
import {
  adjustments,
  countOf,
  duplexModes,
  fieldsOf,
  flagOf,
  optional,
  readArea,
  readOptionValues,
  readPage,
  transferModes,
  wordOf,
  wordsOf,
  type Fields,
} from '@platen/core/wire';

const sources = ['feeder', 'flatbed'] as const;

/** How each control is read, if present. */
const controls: { readonly [Name in keyof ScanControls]-?: (fields: Fields, name: string) => ScanControls[Name] } = {
  transferMode: (fields, name) => wordOf(fields, name, transferModes),
  area: readArea,
  brightness: levelOf,
  contrast: levelOf,
  threshold: (fields, name) => countOf(fields, name, thresholdRange.minimum, thresholdRange.maximum),
  driverOptions: readOptionValues,
};

export function readOrder(value: unknown): ScanOrder {
  const fields = fieldsOf(value, 'an order');
  return {
    source: wordOf(fields, 'source', sources),
    ...optional(fields, 'sheets', (its, name) => countOf(its, name, 1)),
    resolution: countOf(fields, 'resolution', 1),
    colorMode: wordOf(fields, 'colorMode', colorModes),
    duplexMode: wordOf(fields, 'duplexMode', duplexModes),
    pageSize: wordOf(fields, 'pageSize', pageSizes),
    ...readControls(fields),
    adjustments: wordsOf(fields, 'adjustments', adjustments),
    ...optional(fields, 'lossless', flagOf),
    maxPixels: countOf(fields, 'maxPixels', 1),
  };
}

function levelOf(fields: Fields, name: string): number {
  return countOf(fields, name, levelRange.minimum, levelRange.maximum);
}

function readControls(fields: Fields): ScanControls {
  const readers = Object.entries<(fields: Fields, name: string) => unknown>(controls);
  return Object.assign({}, ...readers.map(([name, read]) => optional(fields, name, read))) as ScanControls;
}

/** A page's facts, sent before its bytes; the receiving end checks them. */
export function pageFields(page: Page, maxPixels: number): object {
  const head = readPage({ ...page }, maxPixels, page.data.length);
  return { ...head.page, bytes: head.bytes };
}
