/** `POST /api/documents`: pages of any scans as one file, or the fronts and backs of two. */
import type { FastifyRequest } from 'fastify';
import {
  findPage,
  interleavedPages,
  noSuchPage,
  pagesOfScans,
  type DocumentSource,
  type KeptScan,
  type ListedPage,
} from '@platen/core';
import {
  DOCUMENT_BYTES,
  DocumentBody,
  documentWishesOf,
  speltBody,
  wantedPagesOf,
} from '../../parameters/documentBody.js';
import { turnsOf } from '../../parameters/documentQuery.js';
import { successes } from '../../http/errors.js';
import { originOf } from '../../http/guards/ownPage.js';
import { refusals } from '../../openapi/refusals.js';
import { sendStoredDocument } from '../../responses/storedDocument.js';
import type { Route } from '../../route.js';
import type { RouteParts } from '../../routeParts.js';
import { keptFor, noSuchScan } from './scans/ownScan.js';

const schema = {
  operationId: 'writeDocument',
  summary: 'Pages of any scans as one file',
  description:
    'Its pages are listed in `pages`, or `interleave` names the two scans of a stack that a one-sided feeder scanned. Each page is there when the request is made: the document waits for no scan. If a page cannot be written, or a scan is deleted meanwhile, the service breaks the connection: a document that ends is whole. Needs HTTP/1.1.',
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
      'no-pages',
      'body-too-large',
      'too-many-streams',
      'storage-failed',
    ),
  },
};

const writeDocument: Route = (app, parts) => {
  const { registry } = parts;
  const options = { schema, bodyLimit: DOCUMENT_BYTES, config: { document } };
  const preValidation = async (request: FastifyRequest): Promise<void> => void (request.body = speltBody(request.body));
  app.post('/api/documents', { ...options, preValidation }, async (request, reply) => {
    const wanted = documentWishesOf(request.body, registry.documents, registry.whyNot);
    return sendStoredDocument({ ...wanted, source: sourceOf(request, parts) }, request, reply, parts);
  });
};
export default writeDocument;

/** @throws `invalid-value`, `scan-not-found` */
function sourceOf(request: FastifyRequest<{ Body: DocumentBody }>, { kept }: RouteParts): DocumentSource {
  const origin = originOf(request);
  const scanOf = (id: string, field: string): KeptScan => {
    const scan = kept.find(origin, id);
    if (!scan) throw noSuchScan(`the id in ${field}`);
    return scan;
  };
  const wanted = wantedPagesOf(request.body);
  if ('interleave' in wanted) {
    const { fronts, backs, backsOrder = 'reversed', rotate } = wanted.interleave;
    const turns = turnsOf(rotate, 'interleave.rotate');
    const scans = { fronts: scanOf(fronts, 'interleave.fronts'), backs: scanOf(backs, 'interleave.backs') };
    return interleavedPages({ ...scans, backsOrder, turns }, keptFor(request, kept));
  }
  const listed = wanted.pages.map(({ scan: id, page, rotate: turn = 0 }, at): ListedPage => {
    const scan = scanOf(id, `pages[${at}].scan`);
    const stored = findPage(scan, page);
    if (!stored) throw noSuchPage(scan, page, `pages[${at}].page`);
    return { scan, stored, turn };
  });
  return pagesOfScans(listed, keptFor(request, kept));
}
