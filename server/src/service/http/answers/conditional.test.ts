/** Ranges and entity tags of requests, as in RFC 9110. */
import t from 'tap';
import { matchesTag, rangeOf } from './conditional.js';

t.test('range: one range of ten bytes', async t => {
  const cases: [string | undefined, ReturnType<typeof rangeOf>][] = [
    [undefined, undefined],
    ['bytes=0-0', { start: 0, end: 1 }],
    ['bytes=2-5', { start: 2, end: 6 }],
    ['BYTES = 2 - 5 ', { start: 2, end: 6 }],
    ['bytes=0-', { start: 0, end: 10 }],
    ['bytes=9-', { start: 9, end: 10 }],
    ['bytes=5-99', { start: 5, end: 10 }],
    ['bytes=-3', { start: 7, end: 10 }],
    ['bytes=-10', { start: 0, end: 10 }],
    ['bytes=-99', { start: 0, end: 10 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=10-20', 'unsatisfiable'],
    [`bytes=${'9'.repeat(400)}-`, 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-2', undefined],
    ['bytes=0-1,3-4', undefined],
    ['bytes=-', undefined],
    ['bytes=a-b', undefined],
    ['bytes=1.5-2', undefined],
    ['bytes=-1-2', undefined],
    ['bytes', undefined],
    ['pages=0-1', undefined],
    ['', undefined],
  ];
  for (const [header, expected] of cases) t.same(rangeOf(header, 10), expected, String(header));
});

t.test('If-None-Match: lists, weak tags and *', async t => {
  for (const header of ['"a"', 'W/"a"', '"b", "a"', '"b",W/"a" ', '*'])
    t.equal(matchesTag(header, '"a"'), true, header);
  for (const header of [undefined, '', 'a', '"b"', '"aa"', 'w/"a"'])
    t.equal(matchesTag(header, '"a"'), false, String(header));
});
