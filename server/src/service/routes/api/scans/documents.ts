/** `GET /api/scans/{id}/documents`: the documents that a scan is separated into. */
import { documentsOf } from '@platen/core';
import { rangesOf } from '../../../parameters/documentQuery.js';
import { DocumentList } from '../../../shapes/scans.js';
import { refusals } from '../../../openapi/refusals.js';
import type { Route } from '../../../route.js';
import { ownScan, ScanPath } from './ownScan.js';

const schema = {
  operationId: 'listDocuments',
  summary: 'The documents that a scan is separated into',
  description:
    'As the parameter `separate` says; without it, one document of all pages. Separator sheets that are not kept, and blank pages that are dropped, are in none. A document without pages is not listed.',
  tags: ['Scans'],
  params: ScanPath,
  response: { '2xx': DocumentList, ...refusals('scan-not-found') },
};

const documents: Route = (app, { kept }) => {
  app.get('/api/scans/:id/documents', { schema }, async (request, reply) => {
    const scan = ownScan(request, kept);
    const all = documentsOf(scan).map(({ pages, separator, ...facts }) => ({
      ...facts,
      pages: [...pages],
      ...(separator ? { separator: { ...separator } } : {}),
      url: `/api/scans/${scan.id}/document?pages=${rangesOf(pages)}`,
    }));
    return reply
      .header('cache-control', 'no-store')
      .send({ success: true as const, documents: all, count: all.length });
  });
};
export default documents;
