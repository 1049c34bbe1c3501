/** The names of files, conflicts with existing files, and that no file is lost or overwritten. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { outFiles } from './outFiles.js';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const folder = (t: Test, content: Record<string, string | object> = {}): string =>
  t.testdir(content as Parameters<Test['testdir']>[0]);

t.test('outFiles: rejected values of --out', async t => {
  for (const pattern of ['', '.', '..', 'folder/', 'a/..']) {
    t.throws(
      () => outFiles(pattern, { cwd: '/', force: false }),
      { code: 'usage', message: '--out takes a file name, such as page-%d.png.' },
      pattern,
    );
  }
  for (const pattern of ['%d-%d.png', 'scan-%d/page.png', '%d/%d.png', '%03d%d.png', '%12d.png']) {
    t.throws(
      () => outFiles(pattern, { cwd: '/', force: false }),
      { code: 'usage', message: /^--out takes %d or %03d once, in the file's name, not "/ },
      pattern,
    );
  }
});

t.test('outFiles: the extension sets the format', async t => {
  const formatOf = (pattern: string) => outFiles(pattern, { cwd: '/', force: false }).format;
  t.same(['a.png', 'a.JPG', '%d.jpeg', 'a.b.tif', 'a.Tiff', 'a.bmp'].map(formatOf), [
    'png',
    'jpg',
    'jpeg',
    'tif',
    'tiff',
    'bmp',
  ]);
  t.same(
    ['a', 'a.pdf', '.png', '%d', 'png', 'a.constructor', 'a.'].map(formatOf),
    Array.from({ length: 7 }, () => undefined),
  );
});

t.test('outFiles check: the folder does not exist, or is not a folder', async t => {
  const dir = folder(t, { file: 'x' });
  await t.rejects(outFiles('nowhere/%d.png', { cwd: dir, force: true }).check(), {
    code: 'usage',
    message: `--out: the folder ${join(dir, 'nowhere')} does not exist.`,
  });
  await t.rejects(outFiles('file/%d.png', { cwd: dir, force: true }).check(), {
    code: 'usage',
    message: `--out: the folder ${join(dir, 'file')} does not exist.`,
  });
});

t.test('outFiles check: a file exists under a name that any page could get', async t => {
  const dir = folder(t, {
    'page-3.png': 'old',
    'doc-2.png': 'old',
    'plain.png': 'old',
    '007.png': 'old',
    sub: { 'x.png': 'old' },
  });
  const check = (pattern: string, force = false) => outFiles(pattern, { cwd: dir, force }).check();
  for (const [pattern, file] of [
    ['page-%d.png', 'page-3.png'],
    ['doc.png', 'doc-2.png'],
    ['plain.png', 'plain.png'],
    ['%03d.png', '007.png'],
    ['sub/x.png', join('sub', 'x.png')],
  ] as const) {
    await t.rejects(
      check(pattern),
      {
        code: 'usage',
        message: `--out: ${file} already exists. Give another name, or overwrite it with --force.`,
      },
      pattern,
    );
    await t.resolves(check(pattern, true), `${pattern} with --force`);
  }
  for (const pattern of [
    'page-%d.jpg',
    'page-%02d.png',
    'Page-%d.png',
    'page.png.png',
    '%d.png',
    'age-%d.png',
    'sub/page-%d.png',
    'plain-%d.png',
  ])
    await t.resolves(check(pattern), pattern);
});

t.test('outFiles: pages are numbered, and no other file remains', async t => {
  const dir = folder(t, { sub: {} });
  const write = async (pattern: string, numbers: number[]) => {
    const files = outFiles(pattern, { cwd: dir, force: false });
    await files.check();
    return Promise.all(numbers.map(number => files.write(number, bytes(`page ${number}`))));
  };
  t.same(await write('page-%d.png', [1, 2, 10]), ['page-1.png', 'page-2.png', 'page-10.png']);
  t.same(await write('%03d', [1, 1000]), ['001', '1000']);
  t.same(await write('sub/one.tar.png', [1, 2, 3]), [
    join('sub', 'one.tar.png'),
    join('sub', 'one.tar-2.png'),
    join('sub', 'one.tar-3.png'),
  ]);
  t.same(await write(join(dir, 'sub', 'b%d'), [1]), [join(dir, 'sub', 'b1')]);
  t.same(await write('100%.png', [1]), ['100%.png']);
  t.same((await readdir(dir)).sort(), ['001', '100%.png', '1000', 'page-1.png', 'page-10.png', 'page-2.png', 'sub']);
  t.same((await readdir(join(dir, 'sub'))).sort(), ['b1', 'one.tar-2.png', 'one.tar-3.png', 'one.tar.png']);
  t.equal(await readFile(join(dir, 'page-10.png'), 'utf8'), 'page 10');
});

t.test('outFiles: a name taken since the check, the page goes beside it', async t => {
  const dir = folder(t);
  const files = outFiles('page-%d.png', { cwd: dir, force: false });
  await files.check();
  await writeFile(join(dir, 'page-1.png'), 'of somebody else');
  await mkdir(join(dir, 'page-2.png'));
  t.equal(await files.write(1, bytes('one')), 'page-1 (2).png');
  t.equal(await files.write(1, bytes('another')), 'page-1 (3).png');
  t.equal(await files.write(2, bytes('two')), 'page-2 (2).png');
  t.equal(await readFile(join(dir, 'page-1.png'), 'utf8'), 'of somebody else');
  t.equal(await readFile(join(dir, 'page-1 (2).png'), 'utf8'), 'one');
});

t.test('outFiles: a disk without hard links, no file is replaced', async t => {
  const dir = folder(t, { 'page-2.png': 'old' });
  const makeLink = async (): Promise<void> => {
    throw Object.assign(new Error('operation not permitted'), { code: 'EPERM' });
  };
  const files = outFiles('page-%d.png', { cwd: dir, force: false, makeLink });
  t.same([await files.write(1, bytes('one')), await files.write(2, bytes('two'))], ['page-1.png', 'page-2 (2).png']);
  t.equal(await readFile(join(dir, 'page-2.png'), 'utf8'), 'old');
  t.same((await readdir(dir)).sort(), ['page-1.png', 'page-2 (2).png', 'page-2.png']);
});

t.test('outFiles: --force replaces a file but not a folder', async t => {
  const dir = folder(t, { 'page-1.png': 'old', 'page-2.png': {} });
  const files = outFiles('page-%d.png', { cwd: dir, force: true });
  await files.check();
  t.equal(await files.write(1, bytes('new')), 'page-1.png');
  t.equal(await readFile(join(dir, 'page-1.png'), 'utf8'), 'new');
  t.equal(await files.write(2, bytes('two')), 'page-2 (2).png');
  t.same((await readdir(dir)).sort(), ['page-1.png', 'page-2 (2).png', 'page-2.png']);
});

t.test('outFiles: a page that cannot be written leaves no file', async t => {
  const dir = folder(t, {});
  await t.rejects(outFiles(`${'x'.repeat(300)}%d`, { cwd: dir, force: false }).write(1, bytes('x')), {
    code: 'ENAMETOOLONG',
  });
  t.same(await readdir(dir), []);
});

async function* chunksOf(...texts: readonly string[]): AsyncGenerator<Uint8Array, void> {
  for (const text of texts) yield bytes(text);
}

t.test('outFiles: a document is a part until it is whole; a part of another command stays', async t => {
  const dir = folder(t, { 'letter.pdf.part': 'of another command' });
  const files = outFiles('letter.pdf', { cwd: dir, force: false });
  await files.check('one');
  async function* watched(): AsyncGenerator<Uint8Array, void> {
    yield bytes('one ');
    t.same((await readdir(dir)).sort(), ['letter.pdf (2).part', 'letter.pdf.part']);
    yield bytes('two');
  }
  t.same(await files.stream(1, watched()), { file: 'letter.pdf', bytes: 7 });
  t.equal(await readFile(join(dir, 'letter.pdf'), 'utf8'), 'one two');
  t.same(await files.stream(2, chunksOf('three')), { file: 'letter-2.pdf', bytes: 5 });
  t.same((await readdir(dir)).sort(), ['letter-2.pdf', 'letter.pdf', 'letter.pdf.part']);
});

t.test('outFiles: a document that breaks off leaves no file, and ends what writes it', async t => {
  const dir = folder(t, { 'letter.pdf': 'old' });
  const files = outFiles('letter.pdf', { cwd: dir, force: true });
  async function* broken(): AsyncGenerator<Uint8Array, void> {
    yield bytes('one');
    throw new Error('broke off');
  }
  await t.rejects(files.stream(1, broken()), { message: 'broke off' });
  t.same(await readdir(dir), ['letter.pdf']);
  t.equal(await readFile(join(dir, 'letter.pdf'), 'utf8'), 'old');

  let isEnded = false;
  async function* watched(): AsyncGenerator<Uint8Array, void> {
    try {
      yield 'no bytes' as unknown as Uint8Array;
      yield Symbol('what no disk takes') as unknown as Uint8Array;
    } finally {
      isEnded = true;
    }
  }
  await t.rejects(files.stream(1, watched()));
  t.ok(isEnded);
  t.same(await readdir(dir), ['letter.pdf']);
});

t.test('outFiles: the name of a document is taken meanwhile, with --force it is replaced', async t => {
  const dir = folder(t, {});
  const streamed = async (force: boolean) => {
    async function* late(): AsyncGenerator<Uint8Array, void> {
      yield bytes('ours');
      await writeFile(join(dir, 'letter.pdf'), 'theirs');
    }
    return (await outFiles('letter.pdf', { cwd: dir, force }).stream(1, late())).file;
  };
  t.equal(await streamed(false), 'letter (2).pdf');
  t.equal(await readFile(join(dir, 'letter.pdf'), 'utf8'), 'theirs');
  t.equal(await streamed(true), 'letter.pdf');
  t.equal(await readFile(join(dir, 'letter.pdf'), 'utf8'), 'ours');
  t.same((await readdir(dir)).sort(), ['letter (2).pdf', 'letter.pdf']);
});

t.test('outFiles check: one document needs one name; several need all', async t => {
  const dir = folder(t, { 'letter-2.pdf': 'old', 'other.pdf.part': 'old' });
  const check = (pattern: string, count: 'one' | 'several') =>
    outFiles(pattern, { cwd: dir, force: false }).check(count);
  await t.resolves(check('letter.pdf', 'one'));
  await t.rejects(check('letter.pdf', 'several'), { code: 'usage' });
  await t.rejects(check('letter-2.pdf', 'one'), { code: 'usage' });
  await t.resolves(check('other.pdf', 'several'));
});
