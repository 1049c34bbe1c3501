/** Numbers, dates and lists as a language writes them. */
import t from 'tap';
import { languages } from './languages.js';
import { languageAmong, wordsOf } from './words.js';

t.test('words: the numbers of a list are apart in every language', async t => {
  t.ok(languages.includes('zh'));
  for (const language of languages) t.match(wordsOf(language, {}).list(['1', '3', '7']), /1\D+3\D+7/, language);
});

t.test('words: the language is the first wanted one that there is, whatever its region', async t => {
  t.equal(languageAmong(['ru', 'zh-TW', 'de'], languages), 'zh');
  t.equal(languageAmong(['PT-br'], languages), 'pt');
  t.equal(languageAmong(['ru'], languages), undefined);
});
