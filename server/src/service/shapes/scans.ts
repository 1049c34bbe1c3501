/** Scans and their pages as resources: the schemas of answers. */
import { patchCodes, scanStates } from '@platen/core';
import { Type } from '../../machine/schemaType.js';
import { Barcode, Blank, Findings, imageFormat, mimeType, Note, Reported } from './parts.js';

const failure = {
  code: Type.Optional(Type.String({ description: 'The failure for programs; core/ERRORS.md explains each.' })),
  error: Type.Optional(Type.String({ description: 'The same for a person.' })),
};

/** Also in `state` events. */
export const pagesInMemory = Type.Integer({
  minimum: 1,
  description:
    'How many pages are lost when the service ends: the disk refused them, and no client has fetched them. Absent if there are none.',
});

const pageExample = {
  number: 1,
  sheet: 1,
  side: 'front',
  width: 2550,
  height: 3300,
  resolution: 300,
  format: 'Jpeg',
  mimeType: 'image/jpeg',
  bytes: 482113,
  sha256: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
  barcodes: [],
  ocrText: '',
  report: [],
  url: '/api/scans/6f1c2a3e-0000-4000-8000-000000000000/pages/1',
};

export const ScanPage = Type.Object(
  {
    number: Type.Integer({ minimum: 1, description: 'Counts sides: each side is a page.' }),
    sheet: Type.Integer({ minimum: 1, description: 'Counts sheets.' }),
    side: Type.Enum(['front', 'back'], { description: 'The side of the sheet.' }),
    width: Type.Integer({ minimum: 0, description: 'Pixels.' }),
    height: Type.Integer({ minimum: 0, description: 'Pixels.' }),
    resolution: Type.Integer({ minimum: 0, description: 'Pixels per inch.' }),
    format: imageFormat,
    mimeType,
    bytes: Type.Integer({ minimum: 0, description: "The file's size." }),
    sha256: Type.String({ pattern: '^(?:[0-9a-f]{64})?$', description: "The file's SHA-256, in hexadecimal." }),
    barcodes: Type.Array(Barcode, { description: 'Empty unless barcode reading was requested.' }),
    ocrText: Type.String({ description: 'Empty unless text recognition was requested.' }),
    blank: Type.Optional(Blank),
    findings: Type.Optional(Findings),
    patch: Type.Optional(Type.Enum([...patchCodes], { description: 'The patch code of a separator sheet.' })),
    report: Type.Array(Reported, { description: 'Each requested adjustment and its result.' }),
    url: Type.String({ description: 'The path of its bytes.' }),
    isStored: Type.Optional(
      Type.Literal(false, {
        description:
          'The disk refused the page, and it is in memory only: it is lost when the service ends. Fetch it now. Absent for a page that is stored.',
      }),
    ),
    ...failure,
  },
  {
    title: 'ScanPage',
    description:
      'A page that is stored, unless `isStored` is false. With `code` and `error`, its file was damaged and cannot be fetched; if what was stored about it was damaged too, its measures are 0 and its digest is empty.',
    examples: [pageExample],
  },
);
export type ScanPage = Type.Static<typeof ScanPage>;

const summary = {
  success: Type.Literal(true),
  id: Type.String({ description: 'Cannot be guessed.', examples: ['6f1c2a3e-0000-4000-8000-000000000000'] }),
  state: Type.Enum([...scanStates], {
    description:
      'interrupted: the service ended while the scan ran. With `scans.keep: false` in the configuration, such scans are gone.',
  }),
  scannerName: Type.String({ description: 'The scanner of the request.' }),
  requestId: Type.Optional(Type.String({ description: "The request's own id." })),
  createdAt: Type.String({ format: 'date-time', description: 'ISO 8601 UTC, with milliseconds and Z.' }),
  kind: Type.Enum(['scan', 'autoscan'], { description: 'autoscan: the undelivered pages of an auto-scan.' }),
  ...failure,
  notes: Type.Array(Note, { description: 'What a person should know: each parameter that was not followed.' }),
  pageCount: Type.Integer({ minimum: 0, description: 'The number of pages.' }),
  pagesInMemory: Type.Optional(pagesInMemory),
  progress: Type.Object(
    {
      scanned: Type.Integer({ minimum: 0, description: 'Pages that the scanner has delivered.' }),
      finished: Type.Integer({ minimum: 0, description: 'Pages that can be fetched.' }),
      placeInLine: Type.Optional(
        Type.Integer({
          minimum: 1,
          description: 'The scan waits for its scanner (`waitSeconds`): 1 is the next. Absent when it has the scanner.',
        }),
      ),
    },
    { title: 'ScanProgress', description: 'How far the scan is.' },
  ),
};

const summaryExample = {
  success: true,
  id: '6f1c2a3e-0000-4000-8000-000000000000',
  state: 'running',
  scannerName: 'Feeder A',
  createdAt: '2026-01-31T12:00:00.000Z',
  kind: 'scan',
  notes: [],
  pageCount: 1,
  progress: { scanned: 2, finished: 1 },
};

export const ScanSummary = Type.Object(summary, {
  title: 'ScanSummary',
  description: 'A scan without its pages.',
  examples: [summaryExample],
});
export type ScanSummary = Type.Static<typeof ScanSummary>;

export const Scan = Type.Object(
  { ...summary, pages: Type.Array(ScanPage, { description: 'The stored pages, in order.' }) },
  {
    title: 'Scan',
    description: 'A scan whose pages are kept until its client has them.',
    examples: [{ ...summaryExample, pages: [pageExample] }],
  },
);
export type Scan = Type.Static<typeof Scan>;

export const ScanList = Type.Object(
  {
    success: Type.Literal(true),
    scans: Type.Array(ScanSummary),
    count: Type.Integer({ minimum: 0, description: 'Of the scans in this answer.' }),
    next: Type.Optional(Type.String({ description: '`after` for those that follow. Absent: there are none.' })),
  },
  {
    title: 'ScanList',
    description: "The caller's own scans, oldest first.",
    examples: [{ success: true, scans: [summaryExample], count: 1 }],
  },
);
export type ScanList = Type.Static<typeof ScanList>;

const documentExample = {
  number: 1,
  name: 'Invoice 4711',
  pages: [2, 3, 4],
  isComplete: true,
  separator: { page: 1, text: 'Invoice 4711' },
  url: '/api/scans/6f1c2a3e-0000-4000-8000-000000000000/document?pages=2-4',
};

export const DocumentFacts = Type.Object(
  {
    number: Type.Integer({ minimum: 1, description: 'Counts the documents of the scan.' }),
    name: Type.String({
      description:
        "From the separator's code, else `Document` and the number. Unique in the scan, and safe as a file name without its extension.",
    }),
    pages: Type.Array(Type.Integer({ minimum: 1 }), {
      description: 'The numbers of its pages; while it is not complete, of those so far.',
    }),
    isComplete: Type.Boolean({
      description: 'Whether it has all of its pages. The last document of a scan that did not complete has not.',
    }),
    separator: Type.Optional(
      Type.Object(
        {
          page: Type.Integer({ minimum: 1, description: "The separator's page." }),
          text: Type.Optional(Type.String({ description: 'Of its barcode.' })),
          patch: Type.Optional(Type.Enum([...patchCodes], { description: 'Its patch code.' })),
        },
        { title: 'Separator', description: 'What a document began with.' },
      ),
    ),
    url: Type.String({ description: 'The path of these pages as a PDF.' }),
  },
  { title: 'DocumentFacts', description: 'One of the documents of a scan.', examples: [documentExample] },
);
export type DocumentFacts = Type.Static<typeof DocumentFacts>;

export const DocumentList = Type.Object(
  { success: Type.Literal(true), documents: Type.Array(DocumentFacts), count: Type.Integer({ minimum: 0 }) },
  {
    title: 'DocumentList',
    description: 'The documents of a scan, in order. A scan that is not separated is one.',
    examples: [{ success: true, documents: [documentExample], count: 1 }],
  },
);
