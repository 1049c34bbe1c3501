/** Places in sources for places in compiled files. */
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { inSources } from './sourcePlaces.js';

const clone = fileURLToPath(new URL('../../..', import.meta.url));
/** Of a stack, the line that names this place. */
const here = (new Error('here').stack ?? '').split('\n')[1] ?? '';

t.test('inSources: a compiled place in a stack, the line of the source', async t => {
  t.match(here, /test\/dist\/tools\/sourcePlaces\.test\.js:\d+:\d+/, 'the test runs as it was compiled');
  t.match(inSources(here, clone), /^    at test\/tools\/sourcePlaces\.test\.ts:8:15$/);
});

t.test('inSources: a relative name without a column, as tap gives it', async t => {
  const line = /:(\d+):/.exec(here)?.[1] ?? '';
  t.match(inSources(`test/dist/tools/sourcePlaces.test.js:${line}`, clone), /^test\/tools\/sourcePlaces\.test\.ts:8:/);
});

t.test('inSources: a file without a map, or that is not compiled, stays', async t => {
  for (const line of ['at node:internal/x:1:2', 'at /nowhere/dist/a.js:3:4', 'no place at all'])
    t.equal(inSources(line, clone), line);
});
