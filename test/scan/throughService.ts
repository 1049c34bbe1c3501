/** `platen scan` with and without the service: the same files, lines and exit codes. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import type { Exit } from '../topology/platen.js';
import { sheets, type Sheet } from '../topology/sheets.js';
import { createInstallation, digest, scansOf, type Installation } from './installation.js';

export interface Case {
  readonly title: string;
  readonly args: string;
  readonly code: number;
  /** In the tray of the scanner. */
  readonly loaded?: readonly Sheet[];
}

const scanners = {
  Duplex: { duplex: true },
  Jams: { faults: [{ sheet: 3, fault: 'paper-jam' }] },
  Hangs: { faults: [{ sheet: 2, fault: 'hang' }] },
  Plain: { resolutions: [75, 150], pageSizes: ['A4'] },
  Glass: { feeder: false, flatbed: true, manufacturer: 'Acme' },
};

export const cases: readonly Case[] = [
  {
    title: 'a duplex stack',
    args: '--scanner Duplex --out page-%02d.png --dpi 100 --color color --duplex',
    loaded: [
      { front: 1, back: 2 },
      { front: 3, back: 4 },
      { front: 5, back: 6 },
    ],
    code: 0,
  },
  {
    title: 'JSON, with what this installation cannot do',
    args: '--scanner Plain --out page.jpg --quality 40 --dpi 75 --barcodes --ocr --auto-deskew --json',
    loaded: sheets(1, 2),
    code: 0,
  },
  {
    title: 'a page size that it lacks',
    args: '--scanner Plain --out a.tif --dpi 75 --size legal',
    loaded: sheets(3),
    code: 0,
  },
  { title: 'a jam', args: '--scanner Jams --out page-%d.png --dpi 75', loaded: sheets(1, 2, 3, 4), code: 7 },
  {
    title: 'a deadline',
    args: '--scanner Hangs --out page-%d.png --dpi 75 --timeout 20',
    loaded: sheets(1, 2),
    code: 7,
  },
  { title: 'an empty feeder', args: '--scanner Duplex --out page.png', code: 8 },
  { title: 'no such scanner', args: '--scanner C --out page.png', code: 7 },
  { title: 'several scanners', args: '--out page.png', code: 2 },
  { title: 'a resolution that it lacks', args: '--scanner Plain --out a.png --dpi 100', loaded: sheets(1), code: 2 },
  { title: 'a scanner of one side', args: '--scanner Plain --out a.png --duplex', code: 2 },
  { title: '--list', args: '--list', code: 0 },
  { title: '--list --json', args: '--list --json', code: 0 },
];

export async function tryCases(t: Test, chosen: readonly Case[]): Promise<void> {
  const [own, served] = [await createInstallation(t, scanners), await createInstallation(t, scanners)];
  const service = await served.serve();
  for (const { title, args, loaded = [], code } of chosen) {
    const scanner = /--scanner (\w+)/.exec(args)?.[1] ?? '';
    const run = async ({ load, scan, waiting, files, out }: Installation) => {
      if (loaded.length > 0) await load(scanner, loaded);
      const exit = await scan(...args.split(' ')).ended;
      const written = await Promise.all((await files()).map(async name => [name, await digest(join(out, name))]));
      for (const name of await files()) await rm(join(out, name));
      return { ...timeless(exit), written, waiting: loaded.length > 0 && (await waiting(scanner)) };
    };
    const [here, there] = await Promise.all([run(own), run(served)]);
    t.equal(here.code, code, `${title}: ${here.log}`);
    t.same(there, here, title);
    t.same(await scansOf(service), [], `${title}: nothing is left in the service`);
  }
}

/** Without the times, which differ. */
function timeless({ code, out, log }: Exit): Exit {
  return { code, out, log: log.replace(/\d+ ms /g, 'ms ').replace(/ in \d+\.\d s/g, ' in s') };
}
