/** `platen scan --manual-duplex --out letter.pdf`: one document, in this process as through the service; what goes wrong. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { needs } from '@platen/conformance';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import { until } from '../spec/calls.js';
import { drawSide, sheets, type Ink } from '../topology/sheets.js';
import { insertFile } from '../topology/virtualTopology.js';
import { createInstallation, keptIn, scansOf, type Installation, type Service } from './installation.js';
import { scanByHand, stack } from './manualDuplex.js';
import { checkedPages, infoOf, inksOf, turnsOf } from './pdfFiles.js';

interface Place extends Installation {
  readonly where: string;
  readonly service: Service | undefined;
}

/** One without a service, and one with. */
async function places(t: Test, scanner: object = {}, more: readonly string[] = []): Promise<readonly Place[]> {
  const make = () => createInstallation(t, { A: scanner }, ['document-pdf', 'document-tiff', ...more]);
  const [own, served] = [await make(), await make()];
  return [
    { ...own, where: 'in this process', service: undefined },
    { ...served, where: 'through the service', service: await served.serve() },
  ];
}

/** Scans that are kept. */
const keptAt = async ({ service, data }: Place): Promise<number> =>
  service ? (await scansOf(service)).length : (await keptIn(data)).length;

const letter = ['--out', 'letter.pdf', '--force'];

t.test('platen scan --manual-duplex: a document of both orders, with title and turned backs', async t => {
  if (!needs(t, 'qpdf')) return;
  for (const its of await places(t)) {
    for (const [order, backs] of [
      ['reversed', [6, 5, 4]],
      ['same', [4, 5, 6]],
    ] as const) {
      await its.load('A', sheets(1, 2, 3));
      const flags = ['--manual-duplex', order, '--title', 'Both', '--rotate', '2:180,4:180,6:180,9:90'];
      const exit = await scanByHand(its, [stack(its, 'A', ...backs)], ...letter, ...flags);
      t.match(exit, { code: 0, out: 'letter.pdf\n' }, exit.log);
      const file = join(its.out, 'letter.pdf');
      t.equal(await checkedPages(file), 6);
      t.same(await inksOf(file), [1, 4, 2, 5, 3, 6], its.where);
      t.same(await turnsOf(file), [0, 180, 0, 180, 0, 180]);
      t.equal(await infoOf(file, 'Title'), 'Both');
      t.match(exit.log, /^--rotate: the scan has no page 9\.$/m);
    }
    t.equal(await keptAt(its), 0, its.where);
  }
});

t.test('platen scan --manual-duplex: unequal counts, both are named, and the backs are scanned again', async t => {
  for (const its of await places(t)) {
    await its.load('A', sheets(1, 2, 3));
    const answers = [stack(its, 'A', 6, 4), stack(its, 'A', 7, 6, 5, 4), stack(its, 'A', 6, 5, 4)];
    const exit = await scanByHand(its, answers, '--manual-duplex', '--out', 'scan.tif', '--force');
    t.match(exit, { code: 0, out: 'scan.tif\n' }, exit.log);
    t.match(
      exit.log,
      /^The fronts are 3 pages, the backs 2 pages: .*\n(.*\n)*The fronts are 3 pages, the backs 4 pages: /m,
    );
    t.equal((await sharp(join(its.out, 'scan.tif')).metadata()).pages, 6);
    t.equal(await keptAt(its), 0, `${its.where}: also the backs that did not fit`);
  }
});

t.test('platen scan --manual-duplex: unequal counts, and nobody scans again: all is kept', async t => {
  for (const its of await places(t)) {
    for (const [stop, code] of [
      ['signal', 130],
      ['end', 7],
    ] as const) {
      await its.load('A', sheets(1, 2, 3));
      const running = its.scanTyped('--manual-duplex', ...letter, '--dpi', '75');
      await until(async () => /Press Enter/.test(running.log()));
      await its.load('A', sheets(6, 4));
      running.type('\n');
      await until(async () => running.log().includes('the backs 2 pages'));
      if (stop === 'signal') running.signal('SIGINT');
      else running.type(null);
      const exit = await running.ended;
      t.match(exit, { code, out: '' }, exit.log);
      t.match(exit.log, /The fronts \(3 pages\) are kept .*The backs \(2 pages\) are kept .*\/document\?format=pdf/);
    }
    t.equal(await keptAt(its), 4, its.where);
    t.same(await its.files(), []);
  }
});

t.test('platen scan --manual-duplex: jams on both sides are continued', async t => {
  if (!needs(t, 'qpdf')) return;
  for (const its of await places(t, { faults: [{ sheet: 3, fault: 'paper-jam' }] })) {
    await its.load('A', sheets(1, 2, 3));
    // The jammed sheet and those behind it are still in the feeder.
    const still = async (): Promise<void> => undefined;
    const exit = await scanByHand(its, [still, stack(its, 'A', 6, 5, 4), still], '--manual-duplex', ...letter);
    t.match(exit, { code: 0, out: 'letter.pdf\n' }, exit.log);
    t.match(
      exit.log,
      /^The fronts stopped after 2 pages\. Sheet 3 jammed.*\n(.*\n)*The backs stopped after 2 pages\. Sheet 3/m,
    );
    t.same(await inksOf(join(its.out, 'letter.pdf')), [1, 4, 2, 5, 3, 6], its.where);
    t.equal(await keptAt(its), 0);
  }
});

t.test('platen scan --manual-duplex: the feeder is empty when the backs begin, asked again', async t => {
  if (!needs(t, 'qpdf')) return;
  for (const its of await places(t)) {
    await its.load('A', sheets(1, 2));
    const exit = await scanByHand(its, [async () => undefined, stack(its, 'A', 5, 4)], '--manual-duplex', ...letter);
    t.match(exit, { code: 0, log: /^The backs are not scanned\. There is no paper/m }, exit.log);
    t.same(await inksOf(join(its.out, 'letter.pdf')), [1, 4, 2, 5], its.where);
  }
});

t.test('platen scan --manual-duplex: blank backs count, and are not in the document', async t => {
  if (!needs(t, 'qpdf')) return;
  const create = { width: 638, height: 825, channels: 3, background: '#fefefe' } as const;
  const blank = await sharp({ create }).withDensity(75).png().toBuffer();
  for (const its of await places(t, {}, ['blank-pages'])) {
    const backs =
      (...sides: readonly (Ink | undefined)[]) =>
      async () => {
        for (const [at, ink] of sides.entries())
          await insertFile(
            join(its.data, 'trays', 'A'),
            `${at}.front.png`,
            ink === undefined ? blank : await drawSide(ink),
          );
      };
    await its.load('A', sheets(1, 2, 3));
    const flags = ['--manual-duplex', '--blank-pages', 'drop', '--json', ...letter];
    const exit = await scanByHand(its, [backs(undefined, 5, undefined)], ...flags);
    t.equal(exit.code, 0, exit.log);
    t.same(await inksOf(join(its.out, 'letter.pdf')), [1, 2, 5, 3], its.where);
    t.same(
      (JSON.parse(exit.out) as { pages: { pageNumber: number }[] }).pages.map(({ pageNumber }) => pageNumber),
      [1, 3, 4, 5],
    );
    await backs(undefined, undefined)();
    const none = await scanByHand(its, [backs(undefined, undefined)], ...flags);
    t.match(none, { code: 1, log: /The document is not written\..*pages=1-2.*pages=1-2/ }, none.log);
  }
});

t.test('platen scan --manual-duplex: 50 sheets', async t => {
  if (!needs(t, 'qpdf')) return;
  for (const its of await places(t)) {
    const fronts = Array.from({ length: 50 }, (_, at) => (at % 4) as Ink);
    const backs = Array.from({ length: 50 }, (_, at) => (4 + (at % 3)) as Ink);
    await its.load('A', sheets(...fronts));
    const exit = await scanByHand(its, [stack(its, 'A', ...backs.toReversed())], '--manual-duplex', ...letter);
    t.equal(exit.code, 0, exit.log);
    const both = fronts.flatMap((ink, at) => [ink, backs[at]]);
    t.same(await inksOf(join(its.out, 'letter.pdf')), both, its.where);
  }
});

t.test('platen scan --manual-duplex: the document cannot be written, both sides are kept', async t => {
  for (const its of await places(t)) {
    await its.load('A', sheets(1));
    const spoil = async (): Promise<void> => {
      await its.load('A', sheets(2));
      await rm(its.out, { recursive: true });
    };
    const exit = await scanByHand(its, [spoil], '--manual-duplex', ...letter);
    t.match(exit, { code: 1, out: '' }, exit.log);
    t.match(exit.log, /The document is not written\..*The fronts \(1 page\) are kept.*The backs \(1 page\) are kept/);
    t.equal(await keptAt(its), 2, its.where);
    await mkdir(its.out);
  }
});
