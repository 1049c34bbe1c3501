/** `POST /api/documents` with as many pages as a request may list; `documents.test.ts` has a thousand of them. */
import t from 'tap';
import { documentService, numbersOf } from './scans/document.test.kit.js';

t.test('documents: 20,000 pages, whose bytes come in order', async t => {
  const { started, ended, call } = await documentService(t, { sheets: 5 });
  const { id: scan } = await ended(await started());
  const pages = Array.from({ length: 20_000 }, (_, at) => ({ scan, page: (at % 5) + 1, rotate: 270 }));
  const { statusCode, body } = await call('POST', '/api/documents', {}, { pages });
  t.equal(statusCode, 200);
  t.same(
    numbersOf(body),
    pages.map(({ page }) => page),
  );
});
