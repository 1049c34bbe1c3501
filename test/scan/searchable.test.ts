/** A letter that is scanned with the example configuration can be searched in. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { needs } from '@platen/conformance';
import t, { type Test } from 'tap';
import { platen, type Exit } from '../topology/platen.js';
import { checkedPages, textOf } from './pdfFiles.js';

const config = fileURLToPath(new URL('config/try.json', import.meta.resolve('@platen/server/package.json')));

/** Scans the letterheads of the samples of Feeder A from a new data folder. */
async function letter(t: Test, ...flags: readonly string[]): Promise<Exit & { readonly file: string }> {
  const own = await mkdtemp(join(tmpdir(), 'platen-scan-'));
  t.teardown(() => rm(own, { recursive: true, force: true }));
  await mkdir(join(own, 'data'), { mode: 0o700 });
  const head = ['--scanner', 'Feeder A', '--dpi', '150', '--area', '0,0,215x50'];
  const args = ['scan', '--config', config, ...head, '--ocr', '--out', 'letter.pdf', ...flags];
  const exit = await platen(args, { env: { PLATEN_DATA_DIR: join(own, 'data') }, cwd: own }).ended;
  return { ...exit, file: join(own, 'letter.pdf') };
}

t.test('platen scan --ocr --out letter.pdf: a viewer finds its words', async t => {
  if (!needs(t, 'qpdf') || !needs(t, 'pdftotext')) return;
  const { code, out, log, file } = await letter(t, '--sheets', '2');
  t.equal(code, 0, log);
  t.match(out, /^letter\.pdf\n {2}.*Northfield/, 'its name, and the text below');
  t.equal(await checkedPages(file), 2);
  t.match(await textOf(file), /Northfield/);
});

t.test('platen scan --ocr --no-text: the text is printed, but not in the document', async t => {
  if (!needs(t, 'pdftotext')) return;
  const { code, out, log, file } = await letter(t, '--sheets', '1', '--no-text');
  t.equal(code, 0, log);
  t.match(out, /Northfield/);
  t.equal((await textOf(file)).trim(), '');
});
