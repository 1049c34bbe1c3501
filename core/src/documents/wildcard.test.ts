import t from 'tap';
import { wildcard } from './wildcard.js';

t.test('wildcard: without a star, the same text only', async t => {
  t.strictSame(wildcard('PATCHT')('PATCHT'), []);
  for (const text of ['', 'PATCH', 'PATCHTT', 'patcht', ' PATCHT']) t.equal(wildcard('PATCHT')(text), undefined, text);
});

t.test('wildcard: stars, each stands for the shortest text that lets the rest match', async t => {
  const cases: [string, string, readonly string[] | undefined][] = [
    ['*', '', ['']],
    ['*', 'any\nlines', ['any\nlines']],
    ['INV-*', 'INV-17', ['17']],
    ['INV-*', 'XINV-17', undefined],
    ['*-END', 'A-END-END', ['A-END']],
    ['a*a', 'a', undefined],
    ['a*a', 'aa', ['']],
    ['*-*', 'A-B-C', ['A', 'B-C']],
    ['**', 'A', ['', 'A']],
    ['a*b*c', 'a1b2c', ['1', '2']],
    ['a*b*c', 'ac', undefined],
    ['a*bc*c', 'abc', undefined],
    ['[a-z]+*', 'x', undefined],
    ['[a-z]+*', '[a-z]+x', ['x']],
    ['(*)', '(😀)', ['😀']],
  ];
  for (const [pattern, text, parts] of cases) t.strictSame(wildcard(pattern)(text), parts, `${pattern} on ${text}`);
});

t.test('wildcard: a pattern of stars against a long text, no search is repeated', async t => {
  // A pattern of this kind keeps a regular expression busy for longer than anybody waits.
  t.equal(wildcard('*a'.repeat(500) + 'b')('a'.repeat(7000)), undefined);
  t.equal(wildcard('a*'.repeat(500))('a'.repeat(7000))?.length, 500);
});
