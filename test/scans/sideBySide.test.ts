/** Four scanners of three drivers side by side, twenty pages each; two hundred: sideBySide.long.test.ts. */
import t from 'tap';
import { sideBySide } from './sideBySide.js';

t.test('four scanners at once: each page is what it is when its scanner scans alone', t => sideBySide(t, 20));
