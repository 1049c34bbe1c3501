/** Accessibility of the page at /app/ in every window, look and direction. */
import t from 'tap';
import { accessCases, everything } from './appAccessCases.js';

void t.test('page at /app/: accessibility, everything', t => accessCases(t, everything));
