/** The fake driver at the far end of a connection keeps every promise of the contract; more shapes: contractShapes.long.test.ts. */
import t from 'tap';
import { firstShapes, shapesContract } from './contractShapes.test.kit.js';

t.test('shapes', { jobs: 5 }, async t => shapesContract(t, firstShapes));
