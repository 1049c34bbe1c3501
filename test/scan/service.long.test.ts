/** `platen scan` through the running service: every case. */
import t from 'tap';
import { cases, tryCases } from './throughService.js';

t.test('platen scan through the service: the same files, lines and exit codes', t => tryCases(t, cases));
