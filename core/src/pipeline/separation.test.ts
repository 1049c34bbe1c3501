/** Separators: the recogniser that a plan needs for them, and the refusal where it is not loaded. */
import { fakeRecogniser } from '@platen/conformance';
import t from 'tap';
import { separators, separatorKind } from './separation.js';

t.test('separatorKind: the recogniser that finds the separators; none for a count, or without a wish', async t => {
  const software = { blank: fakeRecogniser('blank'), barcode: fakeRecogniser('barcode') };
  t.equal(separatorKind({ by: 'blank' }, software), 'blank');
  t.equal(separatorKind({ by: 'barcode' }, software), 'barcode');
  t.equal(separatorKind({ by: 'count', pages: 2 }, {}), undefined);
  t.equal(separatorKind(undefined, {}), undefined);
});

t.test('separatorKind: not loaded, refused with what is', async t => {
  const software = { barcode: fakeRecogniser('barcode') };
  for (const by of separators.filter(each => each !== 'count' && each !== 'barcode'))
    t.throws(() => separatorKind({ by }, software), {
      code: 'invalid-value',
      field: 'separate.by',
      allowed: ['barcode', 'count'],
    });
  t.throws(() => separatorKind({ by: 'patch' }, {}), { code: 'invalid-value', field: 'separate.by' });
});
