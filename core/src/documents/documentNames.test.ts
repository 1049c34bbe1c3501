import t from 'tap';
import { documentNames } from './documentNames.js';

const name = (wanted: string | undefined): string => documentNames()(wanted, 'Document 1');

t.test('documentNames: an ordinary text, stays as it is', async t => {
  for (const each of ['PATCHT', 'Invoice 2026-17', 'Rechnung Müller', '請求書', 'a.b', '😀']) t.equal(name(each), each);
});

t.test('documentNames: nothing is left, the other name', async t => {
  for (const each of [undefined, '', ' ', '...', '-', '\0', '\u202e\u2066', '\ud800'])
    t.equal(name(each), 'Document 1');
});

t.test('documentNames: characters that file systems refuse or people do not see, no part of it', async t => {
  const cases: [string, string][] = [
    ['../../etc/passwd', 'etc-passwd'],
    ['C:\\Windows\\x', 'C--Windows-x'],
    ['a<b>c"d|e?f*g', 'a-b-c-d-e-f-g'],
    ['(01)04\u001d17', '(01)04 17'],
    ['invoice\u202efdp.exe', 'invoicefdp.exe'],
    ['a\r\nb\u2028c\u0085d', 'a b c d'],
    ['a\u200bb\ufeff', 'ab'],
    ['name. . ', 'name'],
    ['.hidden', 'hidden'],
    ['--force', 'force'],
    ['e\u0301', 'é'],
    ['\ud83dx', 'x'],
  ];
  for (const [wanted, expected] of cases) t.equal(name(wanted), expected);
});

t.test('documentNames: names of devices, with an extension too, do not stay', async t => {
  for (const each of ['CON', 'con', 'nul', 'COM1', 'lpt9', 'COM¹', 'aux.txt', 'NUL .x', 'CONIN$'])
    t.equal(name(each), `_${each}`);
  for (const each of ['CONTRACT', 'COM10', 'NULL', 'a.con']) t.equal(name(each), each);
});

t.test('documentNames: a long text, cut between characters', async t => {
  for (const each of ['x', 'é', '請', '😀']) {
    const cut = name(each.repeat(5000));
    t.ok(Buffer.byteLength(cut) <= 100 && Buffer.byteLength(cut) > 96);
    t.equal(cut.replaceAll(each, ''), '');
  }
});

t.test('documentNames: names that some file system takes for the same, numbered', async t => {
  const nameFor = documentNames();
  const wanted = ['Invoice', 'INVOICE', 'Invoice (2)', 'invoice', 'straße', 'STRASSE', 'e\u0301', '\u00c9'];
  t.strictSame(
    wanted.map(each => nameFor(each, 'Document')),
    ['Invoice', 'INVOICE (2)', 'Invoice (2) (2)', 'invoice (3)', 'straße', 'STRASSE (2)', 'é', 'É (2)'],
  );
});

t.test('documentNames: long names that are equal, still unique and short', async t => {
  const nameFor = documentNames();
  const names = Array.from({ length: 1000 }, () => nameFor('x'.repeat(500), 'Document'));
  t.equal(new Set(names).size, 1000);
  t.ok(names.every(({ length }) => length <= 110));
});
