/** What a page with `<platen-scan>` loads. */
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { COMPONENT_KB, componentScripts } from '../componentScripts.js';

t.test('platen-scan: what it loads at once is within its size', async t => {
  const sizes = componentScripts().map(script => gzipSync(script).byteLength);
  t.ok(sizes.length > 0);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  t.ok(total <= COMPONENT_KB * 1000, `${total} bytes`);
});
