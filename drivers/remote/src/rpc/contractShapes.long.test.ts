/** The fake driver at the far end of a connection keeps every promise of the contract in the shapes that contract.test.ts leaves out. */
import t from 'tap';
import { otherShapes, shapesContract } from './contractShapes.test.kit.js';

t.test('shapes', { jobs: 5 }, async t => shapesContract(t, otherShapes));
