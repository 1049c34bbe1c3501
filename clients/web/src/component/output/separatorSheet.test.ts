import t from 'tap';
import { sheetSizeIn } from './separatorSheet.js';

t.test('separator sheet: Letter where paper has that size', async t => {
  t.equal(sheetSizeIn('en-US'), 'Letter');
  t.equal(sheetSizeIn('en'), 'Letter', 'most likely of the United States');
  t.equal(sheetSizeIn('de'), 'A4');
  t.equal(sheetSizeIn('fr-CA'), 'Letter');
});
