/** Four scanners of three drivers side by side, two hundred pages each. */
import t from 'tap';
import { sideBySide } from './sideBySide.js';

t.test('four scanners at once, 200 pages each: each is what it is when its scanner scans alone', t =>
  sideBySide(t, 200),
);
