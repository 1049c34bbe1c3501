/** Blank sheets in a stack: kept, named, left out of the document, or between documents. */
import { join } from 'node:path';
import { needs } from '@platen/conformance';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import { insertFile } from '../topology/virtualTopology.js';
import { createInstallation, type Installation } from './installation.js';
import { checkedPages } from './pdfFiles.js';

const plugins = ['document-pdf', 'blank-pages'];
/** A Letter sheet at 150 dpi with this text. */
const draw = (text: string): Promise<Buffer> =>
  sharp({ create: { width: 1275, height: 1650, channels: 3, background: '#fefefe' } })
    .composite([
      {
        input: Buffer.from(`<svg width="1275" height="1650"><text x="150" y="300" font-size="40">${text}</text></svg>`),
      },
    ])
    .withDensity(150)
    .png()
    .toBuffer();
const sides = { letter: await draw('Dear Ms. Whitcombe, thank you for your letter.'), blank: await draw('') };

const installations = async (t: Test): Promise<readonly Installation[]> => {
  const [own, served] = [
    await createInstallation(t, { A: {} }, plugins),
    await createInstallation(t, { A: {} }, plugins),
  ];
  await served.serve();
  return [own, served];
};

async function load({ data }: Installation, ...stack: readonly (keyof typeof sides)[]): Promise<void> {
  for (const [at, side] of stack.entries()) await insertFile(join(data, 'trays', 'A'), `${at}.front.png`, sides[side]);
}

t.test('platen scan --blank-pages: kept, flagged or dropped, in this process and through the service', async t => {
  if (!needs(t, 'qpdf')) return;
  for (const its of await installations(t)) {
    const scan = async (...flags: readonly string[]) => {
      await load(its, 'letter', 'blank', 'letter');
      const exit = await its.scan('--out', 'letter.pdf', '--force', '--dpi', '150', '--json', ...flags).ended;
      t.equal(exit.code, 0, exit.log);
      const { pages } = JSON.parse(exit.out) as { pages: { pageNumber: number; blank?: { isBlank: boolean } }[] };
      return { pages, log: exit.log };
    };
    const kept = await scan();
    t.same(
      kept.pages.map(({ pageNumber, blank }) => [pageNumber, blank]),
      [
        [1, undefined],
        [2, undefined],
        [3, undefined],
      ],
    );
    t.notMatch(kept.log, /blank/);
    const flagged = await scan('--blank-pages', 'flag');
    t.same(
      flagged.pages.map(({ blank }) => blank?.isBlank),
      [false, true, false],
    );
    t.match(flagged.log, /^page 2 .* blank$/m);
    const dropped = await scan('--blank-pages', 'drop');
    t.same(
      dropped.pages.map(({ pageNumber }) => pageNumber),
      [1, 3],
    );
    t.match(dropped.log, /^Success: 3 pages/m);
    t.equal(await checkedPages(join(its.out, 'letter.pdf')), 2);
  }
});

t.test('platen scan --separate blank: a new document after each blank sheet', async t => {
  if (!needs(t, 'qpdf')) return;
  for (const its of await installations(t)) {
    await load(its, 'letter', 'letter', 'blank', 'letter');
    const exit = await its.scan('--out', 'letter.pdf', '--dpi', '150', '--separate', 'blank').ended;
    t.match(exit, { code: 0, out: 'letter.pdf\nletter-2.pdf\n' }, exit.log);
    t.equal(await checkedPages(join(its.out, 'letter.pdf')), 2);
    t.equal(await checkedPages(join(its.out, 'letter-2.pdf')), 1);
  }
});

t.test('platen scan --blank-pages drop: a stack of blank sheets, no document, and the pages stay', async t => {
  for (const its of await installations(t)) {
    await load(its, 'blank', 'blank');
    const exit = await its.scan('--out', 'letter.pdf', '--dpi', '150', '--blank-pages', 'drop').ended;
    t.match(exit, { code: 1, out: '', log: /^NoPages: 2 pages .*\n.*curl .*pages=1-2/m });
    t.same(await its.files(), []);
  }
});
