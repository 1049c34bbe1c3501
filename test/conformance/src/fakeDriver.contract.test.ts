/** The fake driver keeps every promise of the contract; more shapes: fakeDriverShapes.long.test.ts. */
import t from 'tap';
import { firstShapes, shapesContract } from './fakeDriverShapes.test.kit.js';

t.test('shapes', { jobs: 8 }, async t => shapesContract(t, firstShapes));
