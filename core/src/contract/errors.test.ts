/** Messages of thrown values, prepared for sentences. */
import t from 'tap';
import { asSentence, plainWordsOf } from './errors.js';

t.test(
  'plainWordsOf: a library’s message, one line without the library’s name, control characters or full stop',
  async t => {
    t.equal(plainWordsOf(new Error('VipsJpeg: premature end\nVipsJpeg: out of order read\n')), 'premature end');
    t.equal(plainWordsOf(new Error('  bad\thandle \u001b[2J.\r\nat x.js')), 'bad handle  [2J');
    t.equal(plainWordsOf('no error'), 'no error');
  },
);

t.test('asSentence: with or without a full stop, ends with exactly one', async t => {
  for (const words of ['E_FAIL', 'E_FAIL ', 'It jams.', 'Why?', 'It says "stop."', '(It jams.)'])
    t.match(asSentence(words), /[^.?][.?][)"]?$/, words);
  t.equal(asSentence('It jams.'), 'It jams.');
});
