import t from 'tap';
import { en } from '../words/en.js';
import { english } from '../words/english.test.kit.js';
import { wordsOf } from '../words/words.js';
import { labelOf, valueWord } from './settingWords.js';

t.test('words of values: everyday words, with numbers as the language writes them', async t => {
  t.equal(valueWord(english, 'Grayscale'), 'Grey');
  t.equal(valueWord(english, 'A4'), 'A4 210 × 297 mm');
  t.equal(valueWord(wordsOf('de', en), 'Letter'), 'Letter 8,5 × 11 in');
  t.equal(valueWord(english, 1200, 'resolution'), '1200 dpi');
  t.equal(valueWord(english, true), 'on');
  t.equal(valueWord(english, 'Auto', 'pageSize'), 'Detect the sheet');
  t.equal(valueWord(english, 'Auto', 'source'), 'Automatic');
  t.equal(valueWord(english, 'High', 'barcodeFilterLevel'), 'High');
  t.equal(valueWord(english, 'WebP'), 'WebP', 'without words, as it is');
  t.equal(valueWord(english, 'constructor'), 'constructor');
});

t.test('words of parameters', async t => {
  t.equal(labelOf(english, 'blankPages'), 'Blank pages');
  t.equal(labelOf(english, 'transferMode'), 'transferMode');
});
