/** `GET /api/scans/{id}/document`: pages of a scan as one file. */
import { pagesOfScan } from '@platen/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { documentQueryOf, MOST_PAGES } from '../../../parameters/documentQuery.js';
import { successes } from '../../../http/errors.js';
import { scanHeader } from '../../../http/answers/scanHeader.js';
import { refusals } from '../../../openapi/refusals.js';
import { sendStoredDocument } from '../../../responses/storedDocument.js';
import type { Route } from '../../../route.js';
import { attendedScan, keptFor, ScanPath } from './ownScan.js';

const schema = {
  operationId: 'getDocument',
  summary: "A scan's pages as one file",
  description:
    "Streams while the scan runs, and ends when it does. If a page cannot be written, or the scan is deleted meanwhile, the service breaks the connection: a document that ends is whole. A scan that fails gives a document of the pages before; `Platen-Scan` says so. HEAD waits for the document's beginning. Needs HTTP/1.1.",
  tags: ['Scans'],
  params: ScanPath,
};
const text = (description: string): object => ({ type: 'string', description });
const header = (description: string): object => ({ type: 'string', description });
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

const getDocument: Route = (app, parts) => {
  const { kept, registry } = parts;
  const serve = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { pages, ...wanted } = documentQueryOf(
      request.query as Record<string, unknown>,
      registry.documents,
      registry.whyNot,
    );
    const scan = attendedScan(request, reply, kept);
    const source = pagesOfScan(scan, pages, keptFor(request, kept));
    return sendStoredDocument({ ...wanted, source, scan }, request, reply, parts);
  };
  app.get('/api/scans/:id/document', { exposeHeadRoute: false, schema, config: { document } }, serve);
  app.head('/api/scans/:id/document', { schema: { hide: true } }, serve);
};
export default getDocument;
