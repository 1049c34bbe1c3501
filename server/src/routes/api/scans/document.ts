/** `GET /api/scans/{id}/document`: pages of a scan as one file. */
import { documentNames, writeDocument, type KeptScan, type ScanNote, type StoredPage } from '@platen/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { attachmentOf } from '../../../http/attachment.js';
import { documentQueryOf, MOST_PAGES } from '../../../http/dto/documentQuery.js';
import { HttpError, successes } from '../../../http/errors.js';
import { originOf } from '../../../http/ownPage.js';
import { scanHeader, scanHeaderOf } from '../../../http/scanHeader.js';
import { refusals } from '../../../openapi/refusals.js';
import { sendDocument } from '../../../responses/document.js';
import type { Route } from '../../../route.js';
import { ownScan, ScanPath } from './ownScan.js';

const schema = {
  operationId: 'getDocument',
  summary: "A scan's pages as one file",
  description:
    "Streams while the scan runs, and ends when it does. If a page cannot be written, or the scan is deleted meanwhile, the service breaks the connection: a document that ends is whole. A scan that fails gives a document of the pages before; `Platen-Scan` says so. HEAD waits for the document's beginning. Needs HTTP/1.1.",
  tags: ['Scans'],
  params: ScanPath,
};
const text = (description: string): object => ({ type: 'string', description });
const header = (description: string): object => ({ description, schema: { type: 'string' } });
// Fastify writes the bytes without a schema.
const document = {
  querystring: {
    type: 'object',
    properties: {
      format: text("A document format's extension, in any letter case. Absent: pdf."),
      pages: text(
        `Numbers of pages and ranges of them, in the wanted order: 1,4-6,2. A page may occur several times. At most ${MOST_PAGES} in all. Absent: all pages; if the scan drops blank ones, without those.`,
      ),
      rotate: text(
        'Degrees clockwise, 0, 90, 180 or 270, by page: 3:90,4:180. all:90 turns the pages that are not listed.',
      ),
      title: text('1 to 500 characters without control characters. Absent: none.'),
      searchable: text(
        'true: every page gets its text, which is read now if the scan did not read it. false: none does. Absent: pages whose text was read have it.',
      ),
      barcodes: text('true: the text of the barcodes is put into the metadata. Absent: false.'),
    },
  },
  response: {
    [successes.ok]: {
      description: 'The document.',
      content: { 'application/*': { schema: { type: 'string', format: 'binary' } } },
      headers: {
        'Content-Disposition': header('A name for the file: of the title, or of the time of the scan.'),
        [scanHeader]: header(
          'The state of the scan when the document begins: `running`, `completed`, `failed;code=paper-jam`. The trailer of this name says it again after the last byte.',
        ),
      },
    },
    ...refusals('bad-request', 'invalid-value', 'scan-not-found', 'no-pages', 'too-many-streams', 'storage-failed'),
  },
};

const getDocument: Route = (app, { kept, registry, pool, clients, clock, log }) => {
  const serve = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { format, wishes } = documentQueryOf(request.query as Record<string, unknown>, registry.documents);
    // It cannot be told that a document was broken off.
    if (request.raw.httpVersion === '1.0') throw new HttpError('bad-request', 'A document needs HTTP/1.1.');
    const scan = ownScan(request, kept);
    clients.document(reply.raw);
    const origin = originOf(request);
    const pages = new Set<StoredPage>();
    /** How the scan was when the document had its last page. */
    let outcome: string | undefined;
    const parts = {
      software: registry,
      pool,
      isKept: () => kept.find(origin, scan.id) === scan,
      onPage: (page: StoredPage) => void pages.add(page),
      onPagesEnd: () => void (outcome = scanHeaderOf(scan)),
      onNote: (note: ScanNote) => log.warn(`A document is without text: ${note.text}`),
    };
    const answer = {
      write: (signal: AbortSignal) => writeDocument(scan, format, wishes, parts, { signal }),
      head: () => ({
        'content-type': format.mimeType,
        'content-disposition': attachmentOf(`${documentNames()(wishes.title, nameOf(scan))}.${format.extension}`),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'accept-ranges': 'none',
        [scanHeader]: scanHeaderOf(scan),
        ...(request.method === 'HEAD' ? {} : { trailer: scanHeader }),
      }),
      trailers: () => ({ [scanHeader]: outcome ?? scanHeaderOf(scan) }),
      onTaken() {
        for (const page of pages) page.deliver();
      },
    };
    return sendDocument(answer, request, reply, clients, clock);
  };
  app.get('/api/scans/:id/document', { exposeHeadRoute: false, schema, config: { document } }, serve);
  app.head('/api/scans/:id/document', { schema: { hide: true } }, serve);
};
export default getDocument;

/** `scan-20261121-1030`, in local time. */
function nameOf({ createdAt }: KeptScan): string {
  const at = new Date(createdAt);
  const [year, ...others] = [at.getFullYear(), at.getMonth() + 1, at.getDate(), at.getHours(), at.getMinutes()];
  const [month, day, hour, minute] = others.map(each => String(each).padStart(2, '0'));
  return `scan-${year}${month}${day}-${hour}${minute}`;
}
