/** The fake driver keeps every promise of the contract in the shapes that fakeDriver.contract.test.ts leaves out. */
import t from 'tap';
import { otherShapes, shapesContract } from './fakeDriverShapes.test.kit.js';

t.test('shapes', { jobs: 8 }, async t => shapesContract(t, otherShapes));
