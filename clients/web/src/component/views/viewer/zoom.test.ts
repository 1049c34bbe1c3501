import t from 'tap';
import { nextZoom } from './zoom.js';

t.test('zoom: from the size that fits, to the next step, and no further than the last', async t => {
  t.equal(nextZoom(0.6234, 1), 0.7);
  t.equal(nextZoom(0.6234, -1), 0.5);
  t.equal(nextZoom(0.695, 1), 1, 'a step that nobody would see is left out');
  t.equal(nextZoom(1, 1), 1.5);
  t.equal(nextZoom(4, 1), 4);
  t.equal(nextZoom(0.05, -1), 0.05);
});
