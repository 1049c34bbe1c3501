/** `POST /api/documents`: pages of any scans as one file. */
import type { FastifyRequest } from 'fastify';
import { findPage, noSuchPage, pagesOfScans, type ListedPage } from '@platen/core';
import { DOCUMENT_BYTES, DocumentBody, documentWishesOf } from '../../parameters/documentBody.js';
import { spelt } from '../../parameters/validation.js';
import { successes } from '../../http/errors.js';
import { originOf } from '../../http/guards/ownPage.js';
import { refusals } from '../../openapi/refusals.js';
import { sendStoredDocument } from '../../responses/storedDocument.js';
import type { Route } from '../../route.js';
import { keptFor, noSuchScan } from './scans/ownScan.js';

const schema = {
  operationId: 'writeDocument',
  summary: 'Pages of any scans as one file',
  description:
    'Each page is there when the request is made: the document waits for no scan. If a page cannot be written, or a scan is deleted meanwhile, the service breaks the connection: a document that ends is whole. Needs HTTP/1.1.',
  tags: ['Scans'],
  body: DocumentBody,
};
// Fastify writes the bytes without a schema.
const document = {
  response: {
    [successes.ok]: {
      description: 'The document.',
      content: { 'application/*': { schema: { type: 'string', format: 'binary' } } },
      headers: {
        'Content-Disposition': {
          type: 'string',
          description: "A name for the file: of the title, or of the time of the first page's scan.",
        },
      },
    },
    ...refusals(
      'bad-request',
      'invalid-json',
      'invalid-value',
      'scan-not-found',
      'body-too-large',
      'too-many-streams',
      'storage-failed',
    ),
  },
};

const writeDocument: Route = (app, parts) => {
  const { kept, registry } = parts;
  const options = { schema, bodyLimit: DOCUMENT_BYTES, config: { document } };
  const preValidation = async (request: FastifyRequest): Promise<void> =>
    void (request.body = spelt(DocumentBody, request.body));
  app.post('/api/documents', { ...options, preValidation }, async (request, reply) => {
    const origin = originOf(request);
    const wanted = documentWishesOf(request.body, registry.documents, registry.whyNot);
    const listed = request.body.pages.map(({ scan: id, page, rotate: turn = 0 }, at): ListedPage => {
      const scan = kept.find(origin, id);
      if (!scan) throw noSuchScan(`the id in pages[${at}].scan`);
      const stored = findPage(scan, page);
      if (!stored) throw noSuchPage(scan, page, `pages[${at}].page`);
      return { scan, stored, turn };
    });
    const source = pagesOfScans(listed, keptFor(request, kept));
    return sendStoredDocument({ ...wanted, source }, request, reply, parts);
  });
};
export default writeDocument;
