/** The text format: escapes, numbers, families; and that the tests' reader sees what is wrong. */
import t from 'tap';
import { exposition } from './exposition.js';
import { parsed } from './parse.test.kit.js';

t.test('exposition: labels and help are escaped, a family without samples is left out', async t => {
  const text = exposition([
    {
      name: 'a_total',
      help: 'one\ntwo \\ three',
      type: 'counter',
      samples: [{ labels: { x: 'a"b\\c\nd' }, value: 1 }],
    },
    { name: 'b', help: 'None.', type: 'gauge', samples: [] },
    {
      name: 'c',
      help: 'Two.',
      type: 'gauge',
      samples: [{ value: 0.5 }, { labels: { le: '1', y: '' }, value: Infinity }],
    },
  ]);
  t.equal(
    text,
    [
      '# HELP a_total one\\ntwo \\\\ three',
      '# TYPE a_total counter',
      'a_total{x="a\\"b\\\\c\\nd"} 1',
      '# HELP c Two.',
      '# TYPE c gauge',
      'c 0.5',
      'c{le="1",y=""} +Inf',
      '',
    ].join('\n'),
  );
  t.same(parsed(text).names, ['a_total', 'c']);
});

for (const [what, text] of Object.entries({
  'no line feed': '# HELP a A.\n# TYPE a gauge\na 1',
  'a sample without a type': 'a 1\n',
  'a counter without _total': '# HELP a A.\n# TYPE a counter\na 1\n',
  'the same series twice': '# HELP a A.\n# TYPE a gauge\na 1\na 2\n',
  'a label without an escape': '# HELP a A.\n# TYPE a gauge\na{b="c"d"} 1\n',
  'no number': '# HELP a A.\n# TYPE a gauge\na x\n',
  'buckets that fall':
    '# HELP a A.\n# TYPE a histogram\na_bucket{le="1"} 2\na_bucket{le="+Inf"} 1\na_sum 1\na_count 1\n',
  'a count that is not the last bucket':
    '# HELP a A.\n# TYPE a histogram\na_bucket{le="1"} 1\na_bucket{le="+Inf"} 1\na_sum 1\na_count 2\n',
}))
  t.test(`reader of the tests: ${what}, rejected`, async t => void t.throws(() => parsed(text)));
