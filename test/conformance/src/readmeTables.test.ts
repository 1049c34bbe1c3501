/** What is read out of a README. */
import t from 'tap';
import { defaultsOf, pairsOf, tableOf } from './readmeTables.js';

const readme =
  '# A\n\n## Options\n\n| option | default | |\n|---|---|---|\n| `a` | 3 | how many |\n| `b` | `none` | which |\n\n## Statuses\n\n| `c` | `d` |\n';

t.test('readmeTables: a heading, its rows and none of the next heading', async t => {
  t.strictSame(tableOf(readme, 'Options'), [
    ['a', '3', 'how many'],
    ['b', 'none', 'which'],
  ]);
  t.strictSame(pairsOf(readme, 'Statuses'), { c: 'd' });
  t.strictSame(tableOf(readme, 'Missing'), []);
});

t.test('readmeTables: a schema, its defaults by key', async t => {
  t.strictSame(defaultsOf({ properties: { a: { default: 3 }, b: {}, c: { default: [] }, d: { default: false } } }), {
    a: '3',
    b: 'none',
    c: 'none',
    d: 'false',
  });
});
