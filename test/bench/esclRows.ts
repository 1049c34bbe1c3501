/**
 * A network scanner: the service, which passes JPEGs through, compared with `scanimage` over sane-airscan, which
 * decodes and encodes them.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startDevice } from '@platen/driver-escl/testing';
import sharp from 'sharp';
import { airscan } from '../escl/airscan.js';
import type { ScanTaking, ScanTask } from './client.js';
import { startHelper } from './helper.js';
import { spell, spreadOf, table } from './numbers.js';
import { startServiceWith } from './service.js';
import { sheet } from './sheets.js';

const PAGES = 10;
const ROUNDS = 7;
const WANTED = 0.5;
const MODEL = 'Platen Test Device';

export async function esclRows(folder: string, files: readonly string[], say: (line: string) => void): Promise<string> {
  if (!existsSync('/usr/bin/scanimage') || !existsSync('/etc/sane.d/airscan.conf'))
    return 'The row of eSCL needs scanimage and sane-airscan (Debian: sane-utils, sane-airscan).';
  const own = await mkdtemp(join(folder, 'escl-'));
  // The device keeps what it has rendered: from the second round on it only sends.
  const device = await startDevice({ model: MODEL });
  const stack = await Promise.all(files.slice(0, PAGES).map(drawn));
  const program = await airscan(own, device.url);
  const service = await startServiceWith(own, {
    use: '@platen/driver-escl',
    options: { devices: [device.url], discovery: false },
  });
  const client = startHelper<ScanTask, ScanTaking>('client');
  const of = {
    ours: async () =>
      (await client.run({ port: service.port, scannerName: MODEL, imageFormat: 'Jpeg', pages: PAGES, decode: false }))
        .ms,
    theirs: async () => {
      const out = await mkdtemp(join(own, 'out-'));
      const began = performance.now();
      const { stderr } = await program.run([
        '--source',
        'ADF',
        '--mode',
        'Color',
        '--resolution',
        String(sheet.dpi),
        '-l',
        '0',
        '-t',
        '0',
        '-x',
        '210',
        '-y',
        '297',
        '--format=jpeg',
        `--batch=${join(out, '%d')}`,
      ]);
      const ms = performance.now() - began;
      if (!existsSync(join(out, String(PAGES)))) throw new Error(`scanimage did not write ${PAGES} pages: ${stderr}`);
      await rm(out, { recursive: true });
      return ms;
    },
  };
  const sides = Object.keys(of) as (keyof typeof of)[];
  const times: Record<keyof typeof of, number[]> = { ours: [], theirs: [] };
  const take = async (side: keyof typeof of): Promise<number> => {
    await device.insert(stack);
    return of[side]();
  };
  try {
    for (const side of sides) await take(side);
    for (let round = 1; round <= ROUNDS; round++) {
      for (const side of round % 2 ? sides : sides.toReversed()) times[side].push(await take(side));
      say(
        `${PAGES} pages of eSCL, round ${round} of ${ROUNDS}, ms: ${sides.map(side => `${side} ${times[side].at(-1)?.toFixed(0)}`).join(', ')}`,
      );
    }
  } finally {
    client.end();
    await service.stop();
    await device.close();
  }
  const [ours, theirs] = [spreadOf(times.ours), spreadOf(times.theirs)];
  const ratio = ours.median / theirs.median;
  return table(
    [
      `${PAGES} A4 pages of a feeder, 300 dpi, colour`,
      '`POST /scan`, ms',
      '`scanimage` over sane-airscan, ms',
      'ratio',
      'wanted',
    ],
    [
      [
        'JPEG',
        spell(ours),
        spell(theirs),
        ratio.toFixed(2),
        `≤ ${WANTED.toFixed(2)}: ${ratio <= WANTED ? 'met' : 'missed'}`,
      ],
    ],
  );
}

async function drawn(file: string): Promise<Uint8Array> {
  const { width, height, channels, dpi } = sheet;
  return sharp(await readFile(file), { raw: { width, height, channels } })
    .withDensity(dpi)
    .jpeg({ quality: 95 })
    .toBuffer();
}
