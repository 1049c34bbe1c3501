/** Accessibility of the page at /app/; in every window, look and direction: appAccess.long.test.ts. */
import t from 'tap';
import { accessCases, usual } from './appAccessCases.js';

void t.test('page at /app/: accessibility', t => accessCases(t, usual));
