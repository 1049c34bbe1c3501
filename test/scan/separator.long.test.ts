/** `platen separator`: a sheet to print, which separates a stack when it is scanned. */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { needs } from '@platen/conformance';
import t from 'tap';
import { platen, type Exit } from '../topology/platen.js';
import { insertFile } from '../topology/virtualTopology.js';
import { drawSide, type Ink } from '../topology/sheets.js';
import { createInstallation, type Installation } from './installation.js';
import { checkedPages, infoOf, inksOf } from './pdfFiles.js';

const separator = ({ env, out }: Installation, ...args: readonly string[]): Promise<Exit> =>
  platen(['separator', ...args], { env, cwd: out }).ended;

t.test('platen separator: one page of the wanted size, which is never overwritten', async t => {
  if (!needs(t, 'qpdf') || !needs(t, 'pdftotext')) return;
  const its = await createInstallation(t, {}, ['document-pdf']);
  t.match(await separator(its, '--out', 'sheet.pdf'), { code: 0, out: 'sheet.pdf\n', log: '' });
  t.equal(await checkedPages(join(its.out, 'sheet.pdf')), 1);
  t.match(await infoOf(join(its.out, 'sheet.pdf'), 'Page size'), /A4/);
  t.match(await separator(its, '--out', 'sheet.pdf'), { code: 2, out: '', log: /sheet\.pdf already exists/ });
  t.match(await separator(its, '--out', 'sheet.pdf', '--size', 'letter', '--force'), { code: 0 });
  t.match(await infoOf(join(its.out, 'sheet.pdf'), 'Page size'), /letter/);
  t.same(await its.files(), ['sheet.pdf']);
});

t.test('platen separator: beside a running service', async t => {
  const its = await createInstallation(t, {}, ['document-pdf']);
  await its.serve();
  t.match(await separator(its, '--out', 'sheet.pdf', '--patch', '2', '--text', 'NEXT-1'), { code: 0 });
  t.equal((await readFile(join(its.out, 'sheet.pdf'))).toString('latin1', 0, 5), '%PDF-');
});

t.test('platen separator: wrong flags are named, and leave no file', async t => {
  const its = await createInstallation(t, {}, ['document-pdf']);
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['', /--out is missing/],
    ['--out sheet.png', /--out: .*\.png document.*a name that ends in \.pdf/],
    ['--out sheet', /--out takes a name that ends in \.pdf/],
    ['--out sheet-%d.pdf', /--out takes the name of one file/],
    ['--out nowhere/sheet.pdf', /--out: the folder .* does not exist/],
    ['--out sheet.pdf --patch 5', /--patch takes one of 1, 2, 3, 4, 6, T\./],
    ['--out sheet.pdf --size A3', /--size takes one of A4, Letter\./],
    ['--out sheet.pdf --text lower', /--text takes /],
    ['--out sheet.pdf --scanner A', /--scanner/],
  ];
  for (const [flags, sentence] of wrong) {
    const { code, out, log } = await separator(its, ...flags.split(' ').filter(Boolean));
    t.equal(code, 2, `${flags}: ${log}`);
    t.match(log, sentence);
    t.equal(out, '');
  }
  const bare = await createInstallation(t, {});
  t.match(await separator(bare, '--out', 'sheet.pdf'), { code: 2, log: /no loaded plugin writes documents/ });
  t.same([...(await its.files()), ...(await bare.files())], []);
});

for (const way of ['patch', 'barcode'] as const) {
  t.test(`platen separator: a printed sheet in a stack begins a new document, --separate ${way}`, async t => {
    if (!needs(t, 'pdftotext')) return;
    const plugins = ['document-pdf', 'patch-codes', 'barcode'];
    const its = await createInstallation(t, { A: {} }, plugins);
    t.match(await separator(its, '--out', 'sheet.pdf'), { code: 0 });
    execFileSync('pdftoppm', ['-r', '200', '-png', '-singlefile', 'sheet.pdf', 'sheet'], { cwd: its.out });
    const printed = await readFile(join(its.out, 'sheet.png'));
    const stack: readonly (Ink | 'separator')[] = [1, 2, 'separator', 3, 'separator', 4, 5];
    for (const [at, side] of stack.entries())
      await insertFile(
        join(its.data, 'trays', 'A'),
        `${at}.front.png`,
        side === 'separator' ? printed : await drawSide(side),
      );
    const { code, out, log } = await its.scan('--separate', way, '--out', 'letter-%d.pdf', '--size', 'auto', '--json')
      .ended;
    t.equal(code, 0, log);
    const names = out
      .trim()
      .split('\n')
      .map(line => (JSON.parse(line) as { name: string }).name);
    t.match(names, ['Document 1', way === 'patch' ? /^Patch T/ : /^PATCHT/, String]);
    const found = await Promise.all([1, 2, 3].map(number => inksOf(join(its.out, `letter-${number}.pdf`))));
    t.same(found, [[1, 2], [3], [4, 5]], 'the separators are in none');
  });
}
