/** Faults, caused in a running service: the short form of `npm run faults`, one of each kind. */
import t from 'tap';
import { forgotten, tryAll, usual } from './chosen.js';

await tryAll(usual);

t.test('no fault is forgotten', async t => t.same(forgotten(), []));
