import t from 'tap';
import { printable, printableLines } from './printable.js';

const escape = '\u001b]0;title\u0007\u009b2J\u202eevil\n\t\u2028';

t.test('printable: escapes control characters, and JSON keeps its meaning', async t => {
  t.equal(printable(escape), String.raw`\u001b]0;title\u0007\u009b2J\u202eevil\u000a\u0009\u2028`);
  t.equal(printableLines(escape), `${String.raw`\u001b]0;title\u0007\u009b2J\u202eevil`}\n\t${String.raw`\u2028`}`);
  t.same(JSON.parse(printable(JSON.stringify({ escape }))), { escape });
  for (const plain of ['Glas & Söhne 50% A/B?', '扫描仪', '🖨️', '']) t.equal(printable(plain), plain);
});

t.test('printableLines: line ends of Windows stay, a carriage return alone does not', async t => {
  t.equal(printableLines('a\r\nb\rc\r'), 'a\r\nb\\u000dc\\u000d');
  t.equal(printable('a\r\nb'), String.raw`a\u000d\u000ab`);
});
