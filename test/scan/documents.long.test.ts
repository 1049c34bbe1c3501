/** `platen scan --out letter.pdf`: one document for the stack, in this process as through the service. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { needs } from '@platen/conformance';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import { sheets, type Sheet } from '../topology/sheets.js';
import { createInstallation, keptIn, scansOf, type Installation } from './installation.js';
import { checkedPages, infoOf, inksOf, turnsOf } from './pdfFiles.js';

const scanners = {
  Duplex: { duplex: true },
  Jams: { faults: [{ sheet: 7, fault: 'paper-jam' }] },
  Plain: { resolutions: [75, 150] },
};

interface Case {
  readonly title: string;
  readonly args: string;
  readonly code?: number;
  readonly loaded: readonly Sheet[];
  /** The files, and which sheets each has. */
  readonly files: Readonly<Record<string, readonly number[]>>;
  check?(t: Test, out: string, said: string): Promise<unknown>;
}

const cases: readonly Case[] = [
  {
    title: 'a duplex stack, both sides of every sheet, in order',
    args: '--scanner Duplex --out letter.pdf --dpi 100 --color color --duplex --title Letters',
    loaded: [
      { front: 1, back: 2 },
      { front: 3, back: 4 },
    ],
    files: { 'letter.pdf': [1, 2, 3, 4] },
    async check(t, out, said) {
      t.equal(said, 'letter.pdf\n');
      t.equal(await infoOf(join(out, 'letter.pdf'), 'Title'), 'Letters');
    },
  },
  {
    title: 'pages turned, and one that the scan does not have',
    args: '--scanner Plain --out turned.PDF --rotate 1:90,3:180,9:90',
    loaded: sheets(1, 2, 3),
    files: { 'turned.PDF': [1, 2, 3] },
    check: async (t, out) => t.same(await turnsOf(join(out, 'turned.PDF')), [90, 0, 180]),
  },
  {
    title: 'all pages turned, PNG inside',
    args: '--scanner Plain --out a.pdf --format png --rotate 270',
    loaded: sheets(1, 2),
    files: { 'a.pdf': [1, 2] },
    check: async (t, out) => t.same(await turnsOf(join(out, 'a.pdf')), [270, 270]),
  },
  {
    title: 'a jam, the document has the pages before it',
    args: '--scanner Jams --out letter.pdf',
    loaded: sheets(1, 2, 3, 4, 5, 6, 7, 1),
    code: 7,
    files: { 'letter.pdf': [1, 2, 3, 4, 5, 6] },
  },
  {
    title: 'documents of two pages each, numbered after the first one',
    args: '--scanner Plain --out stack.pdf --separate count:2 --rotate 3:90,9:90',
    loaded: sheets(1, 2, 3, 4, 5),
    files: { 'stack-2.pdf': [3, 4], 'stack-3.pdf': [5], 'stack.pdf': [1, 2] },
    check: async (t, out) => t.same(await turnsOf(join(out, 'stack-2.pdf')), [90, 0]),
  },
  {
    title: 'documents with numbers in their names, as JSON',
    args: '--scanner Plain --out letter-%02d.pdf --separate count:2 --json',
    loaded: sheets(1, 2, 3),
    files: { 'letter-01.pdf': [1, 2], 'letter-02.pdf': [3] },
    async check(t, out, said) {
      const [first, second] = said
        .trim()
        .split('\n')
        .map(line => JSON.parse(line) as Record<string, unknown>);
      const { length } = await readFile(join(out, 'letter-02.pdf'));
      t.match(first, {
        file: 'letter-01.pdf',
        format: 'pdf',
        number: 1,
        pages: [{ pageNumber: 1 }, { pageNumber: 2 }],
      });
      t.match(second, { file: 'letter-02.pdf', number: 2, name: String, fileSizeBytes: length });
      t.match(second?.['pages'], [{ pageNumber: 3, sheet: 3, side: 'front', format: 'Jpeg', resolution: 150 }]);
    },
  },
  { title: 'an empty feeder, no file', args: '--scanner Plain --out letter.pdf', loaded: [], code: 8, files: {} },
  {
    title: 'a resolution that the scanner lacks, nothing moves',
    args: '--scanner Plain --out letter.pdf --dpi 100',
    loaded: [],
    code: 2,
    files: {},
  },
];

t.test('platen scan, documents: the same in this process and through the service', async t => {
  if (!needs(t, 'qpdf') || !needs(t, 'pdftotext')) return;
  const installations = [
    await createInstallation(t, scanners, ['document-pdf']),
    await createInstallation(t, scanners, ['document-pdf']),
  ] as const;
  const service = await installations[1].serve();
  for (const { title, args, loaded, code = 0, files, check } of cases) {
    const run = async ({ load, scan, files: written, out }: Installation) => {
      await load(/--scanner (\w+)/.exec(args)?.[1] ?? '', loaded);
      const exit = await scan(...args.split(' ')).ended;
      const found: Record<string, readonly number[]> = {};
      for (const name of await written()) {
        found[name] = await inksOf(join(out, name));
        t.equal(await checkedPages(join(out, name)), found[name]?.length, title);
      }
      t.same(found, files, title);
      await check?.(t, out, exit.out);
      for (const name of await written()) await rm(join(out, name));
      return { code: exit.code, out: exit.out.replace(/"fileSizeBytes":\d+,"number"/g, ''), log: timeless(exit.log) };
    };
    const [here, there] = await Promise.all(installations.map(run));
    t.equal(here?.code, code, `${title}: ${here?.log}`);
    t.same(there, here, title);
    t.same(await scansOf(service), [], `${title}: nothing is left in the service`);
    t.same(await keptIn(installations[0].data), [], `${title}: nothing is left in the data folder`);
  }
});

t.test('platen scan, documents: what cannot be is found before paper moves', async t => {
  const { scan, load, files, waiting, out } = await createInstallation(t, scanners, ['document-pdf']);
  await load('Plain', sheets(1));
  await writeFile(join(out, 'old.pdf'), 'old');
  await writeFile(join(out, 'many-2.pdf'), 'old');
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['--out old.pdf', /--out: old\.pdf already exists/],
    ['--out many.pdf --separate count:1', /--out: many-2\.pdf already exists/],
    ['--out nowhere/letter.pdf', /--out: the folder .*nowhere does not exist/],
    ['--out letter-%d.pdf', /--out takes %d .*--separate/],
    ['--out letter.djvu', /--out: .*\.djvu file.*\.pdf/],
    ['--out letter.pdf --title ', /--title takes 1 to 500 characters/],
    ['--out letter.pdf --rotate 3:45', /--rotate takes /],
    ['--out letter.pdf --separate count:0', /--separate takes .*count:N/],
    ['--out page-%d.png --title x', /--title needs a document/],
    ['--out page-%d.tif --rotate 90', /--rotate needs a document/],
    ['--out page.jpg --no-text', /--no-text needs a document/],
    ['--out page.png --separate blank', /--separate needs a document/],
    ['--out page.png --blank-pages drop', /--blank-pages drop needs a document/],
    ['--out scan.tif --title x', /--title needs a document/],
    ['--list --title x', /--title cannot be used with --list/],
  ];
  for (const [flags, sentence] of wrong) {
    const { code, log, out: said } = await scan(...flags.split(' '), ...inPlain(flags)).ended;
    t.equal(code, 2, `${flags}: ${log}`);
    t.match(log, sentence);
    t.equal(said, '');
  }
  t.equal(await waiting('Plain'), 1);
  t.match(await scan('--out', 'many.pdf', ...inPlain()).ended, { code: 0, out: 'many.pdf\n' }, 'one needs one name');
  await load('Plain', sheets(1));
  t.match(await scan('--out', 'old.pdf', '--force', ...inPlain()).ended, { code: 0, out: 'old.pdf\n' });
  t.same(await files(), ['many-2.pdf', 'many.pdf', 'old.pdf']);
  t.equal((await readFile(join(out, 'old.pdf'))).toString('latin1', 0, 5), '%PDF-');
});

t.test('platen scan, documents: scan.tif is one file with several pages, page-%d.tif a file per page', async t => {
  for (const isServed of [false, true]) {
    const { scan, serve, load, files, out } = await createInstallation(t, scanners, ['document-tiff']);
    if (isServed) await serve();
    const pagesOf = async (name: string) => (await sharp(join(out, name)).metadata()).pages ?? 1;
    await load('Plain', sheets(1, 2, 3));
    t.match(await scan('--out', 'scan.tif', ...inPlain()).ended, { code: 0, out: 'scan.tif\n' });
    await load('Plain', sheets(1, 2));
    t.match(await scan('--out', 'Scan2.TIFF', '--format', 'png', ...inPlain()).ended, { code: 0 });
    await load('Plain', sheets(1, 2));
    t.match(await scan('--out', 'page-%d.tif', ...inPlain()).ended, { code: 0, out: 'page-1.tif\npage-2.tif\n' });
    t.same(await files(), ['Scan2.TIFF', 'page-1.tif', 'page-2.tif', 'scan.tif']);
    t.same(await Promise.all((await files()).map(pagesOf)), [2, 1, 1, 3]);
  }
});

t.test('platen scan, documents: without a plugin for it, scan.tif is a page and letter.pdf is refused', async t => {
  const { scan, load, files } = await createInstallation(t, scanners);
  await load('Plain', sheets(1, 2));
  t.match(await scan('--out', 'letter.pdf', ...inPlain()).ended, {
    code: 2,
    log: /--out: no loaded plugin writes a \.pdf file/,
  });
  t.match(await scan('--out', 'scan.tif', ...inPlain()).ended, { code: 0, out: 'scan.tif\nscan-2.tif\n' });
  t.same(await files(), ['scan-2.tif', 'scan.tif']);
});

const inPlain = (flags = ''): string[] => (flags.startsWith('--list') ? [] : ['--scanner', 'Plain', '--dpi', '75']);

/** Without the times, which differ. */
function timeless(log: string): string {
  return log.replace(/\d+ ms$/gm, 'ms').replace(/ in \d+\.\d s/g, ' in s');
}
