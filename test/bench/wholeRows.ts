/** Cost of checking a whole page that a device encoded, compared with a minimal decoder. */
import { readFile } from 'node:fs/promises';
import { imageFault } from '@platen/core/wire';
import sharp, { type Sharp } from 'sharp';
import { spell, spreadOf, table } from './numbers.js';
import { sheet } from './sheets.js';

const ROUNDS = 5;
const PAGES = 4;
const WANTED_MS = 15;
const EIGHTH = {
  width: Math.ceil(sheet.width / 8),
  height: Math.ceil(sheet.height / 8),
  fit: 'fill',
  kernel: 'nearest',
} as const;

const encoders: Readonly<
  Record<string, { readonly mimeType: 'image/jpeg' | 'image/png'; encode(image: Sharp): Sharp }>
> = {
  'JPEG 75, colour at half resolution': {
    mimeType: 'image/jpeg',
    encode: image => image.jpeg({ quality: 75, optimiseCoding: false }),
  },
  'JPEG 90, colour at half resolution': {
    mimeType: 'image/jpeg',
    encode: image => image.jpeg({ quality: 90, optimiseCoding: false }),
  },
  'JPEG 90, colour in full': {
    mimeType: 'image/jpeg',
    encode: image => image.jpeg({ quality: 90, chromaSubsampling: '4:4:4', optimiseCoding: false }),
  },
  'PNG, where it is passed on': {
    mimeType: 'image/png',
    encode: image => image.png({ compressionLevel: 2, adaptiveFiltering: false }),
  },
};

export async function wholeRows(
  _folder: string,
  files: readonly string[],
  say: (line: string) => void,
): Promise<string> {
  const { width, height, channels } = sheet;
  const rows: string[][] = [];
  for (const [name, { mimeType, encode }] of Object.entries(encoders)) {
    const pages = await Promise.all(
      files
        .slice(0, PAGES)
        .map(async file => encode(sharp(await readFile(file), { raw: { width, height, channels } })).toBuffer()),
    );
    const times = { ours: [] as number[], theirs: [] as number[] };
    for (let round = 0; round <= ROUNDS; round++) {
      for (const data of pages) {
        const ours = await timed(async () => {
          const { fault } = await imageFault({ mimeType, width, height, pixels: 'rgb24', data });
          if (fault !== undefined) throw new Error(fault);
        });
        const theirs = await timed(() => sharp(data, { failOn: 'warning' }).resize(EIGHTH).raw().toBuffer());
        if (round > 0) times.ours.push(ours);
        if (round > 0) times.theirs.push(theirs);
      }
    }
    const [ours, theirs] = [spreadOf(times.ours), spreadOf(times.theirs)];
    say(`${name}: ${ours.median.toFixed(1)} ms, sharp at an eighth ${theirs.median.toFixed(1)} ms`);
    const megabytes = pages.reduce((sum, { length }) => sum + length, 0) / pages.length / 1e6;
    const wanted = mimeType === 'image/jpeg' ? `≤ ${WANTED_MS}: ${ours.median <= WANTED_MS ? 'met' : 'missed'}` : '';
    rows.push([name, megabytes.toFixed(1), spell(ours, 1), spell(theirs, 1), wanted]);
  }
  return table(
    [
      'an A4 page, 300 dpi, colour',
      'MB',
      'looked through, ms of processor',
      'sharp at an eighth, ms of processor',
      'wanted',
    ],
    rows,
  );
}

/** The processor's time, of all threads: other work on the machine changes it less. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}
