/** Levels: from the contract's scale to a backend's range. */
import t from 'tap';
import { levelValue } from './levels.js';
import type { Constraint, Descriptor } from '../handle.js';

const option = (name: string, constraint: Constraint, more: Partial<Descriptor> = {}): Descriptor[] => [
  {
    index: 0,
    name,
    title: '',
    description: '',
    type: 'int',
    unit: 'none',
    count: 1,
    active: true,
    settable: true,
    readable: true,
    constraint,
    ...more,
  },
];

t.test('levels: the default is 0, the ends of the range are -100 and 100', async t => {
  const brightness = option('brightness', { min: 0, max: 255, quant: 1 });
  const values = [-100, -50, 0, 50, 100].map(level => levelValue(brightness, 'brightness', level, 100));
  t.strictSame(values, [0, 50, 100, 177.5, 255]);
  const words = option('contrast', { words: [3, -2, 0] });
  t.strictSame([levelValue(words, 'contrast', -50, 0), levelValue(words, 'contrast', 100, 0)], [-1, 3]);
});

t.test('levels: a threshold from 0 to 255, whatever its default', async t => {
  const threshold = option('threshold', { min: 0, max: 100, quant: 0 }, { type: 'fixed' });
  t.strictSame([levelValue(threshold, 'threshold', 0, 0), levelValue(threshold, 'threshold', 51, 0)], [0, 20]);
});

t.test('levels: a range that cannot be used, left to software', async t => {
  const range = { min: -127, max: 127, quant: 1 };
  t.equal(levelValue(option('brightness', range), 'brightness', 1, -127), undefined, 'nothing is darker');
  t.equal(levelValue(option('brightness', range), 'brightness', 1, undefined), undefined, 'no default');
  t.equal(levelValue(option('brightness', null), 'brightness', 1, 0), undefined, 'no limits');
  t.equal(levelValue(option('brightness', range, { active: false }), 'brightness', 1, 0), undefined, 'inactive');
  t.equal(levelValue(option('threshold', range, { type: 'bool' }), 'threshold', 1, 0), undefined, 'not a number');
});
