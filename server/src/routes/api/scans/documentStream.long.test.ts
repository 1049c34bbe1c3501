/** A document of ten thousand pages while they are scanned; `documentStream.test.ts` has one of a thousand. */
import t from 'tap';
import { documentService, numbersOf, reading } from './document.test.kit.js';

t.test('document: ten thousand pages', async t => {
  const config = { scans: { keep: false } };
  const sheets = 10_000;
  const page = { width: 8, height: 8, pixels: 'gray8' } as const;
  const { started, path, serve } = await documentService(t, { sheets, page }, { config });
  const request = await serve();
  const document = reading(await request(path(await started())));
  t.equal(await document.ended, true);
  t.same(
    numbersOf(document.text()),
    Array.from({ length: sheets }, (_, at) => at + 1),
  );
});
