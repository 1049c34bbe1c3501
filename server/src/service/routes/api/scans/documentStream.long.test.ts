/** A document of ten thousand pages while they are scanned; `documentStream.test.ts` has one of a thousand. */
import t from 'tap';
import { allPagesArrive } from './document.test.kit.js';

t.test('document: ten thousand pages', async t => allPagesArrive(t, 10_000));
