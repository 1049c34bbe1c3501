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
import { spell, spreadOf, table, verdict } from './numbers.js';
import { alternate } from './rounds.js';
import { feederArgs } from './scanimage.js';
import { startServiceWith } from './service.js';
import { sheet } from './sheets.js';

export const ESCL_PAGES = 10;
const ROUNDS = 7;
const WANTED = 0.5;
const MODEL = 'Platen Test Device';

export async function esclRows(folder: string, files: readonly string[], say: (line: string) => void): Promise<string> {
  if (!existsSync('/usr/bin/scanimage') || !existsSync('/etc/sane.d/airscan.conf'))
    return 'The row of eSCL needs scanimage and sane-airscan (Debian: sane-utils, sane-airscan).';
  const { ours, theirs, close } = await openEscl(folder, files);
  let times: Record<'ours' | 'theirs', number[]>;
  try {
    const sides = { ours: () => ours(), theirs: () => theirs() };
    times = await alternate(sides, { rounds: ROUNDS, title: `${ESCL_PAGES} pages of eSCL, ms`, say });
  } finally {
    await close();
  }
  const ratio = spreadOf(times.ours).median / spreadOf(times.theirs).median;
  return table(
    [
      `${ESCL_PAGES} A4 pages of a feeder, 300 dpi, colour`,
      '`POST /scan`, ms',
      '`scanimage` over sane-airscan, ms',
      'ratio',
      'wanted',
    ],
    [
      [
        'JPEG',
        spell(spreadOf(times.ours)),
        spell(spreadOf(times.theirs)),
        ratio.toFixed(2),
        verdict('≤', ratio, WANTED),
      ],
    ],
  );
}

export interface Escl {
  /** Each scans the same sheets. @param save a folder for the pages' files, in order @returns milliseconds */
  ours(save?: string): Promise<number>;
  theirs(save?: string): Promise<number>;
  close(): Promise<void>;
}

/** A network scanner, the service, and sane-airscan. */
export async function openEscl(folder: string, files: readonly string[]): Promise<Escl> {
  const own = await mkdtemp(join(folder, 'escl-'));
  // The device keeps what it has rendered: from the second round on it only sends.
  const device = await startDevice({ model: MODEL });
  const stack = await Promise.all(files.slice(0, ESCL_PAGES).map(drawn));
  const program = await airscan(own, device.url);
  const service = await startServiceWith(own, {
    use: '@platen/driver-escl',
    options: { devices: [device.url], discovery: false },
  });
  const client = startHelper<ScanTask, ScanTaking>('client');
  const task = { port: service.port, scannerName: MODEL, imageFormat: 'Jpeg', pages: ESCL_PAGES } as const;
  return {
    async ours(save) {
      await device.insert(stack);
      return (await client.run({ ...task, decode: false, ...(save && { save }) })).ms;
    },
    async theirs(save) {
      await device.insert(stack);
      const out = save ?? (await mkdtemp(join(own, 'out-')));
      const began = performance.now();
      const { stderr } = await program.run([
        ...feederArgs(sheet.dpi, 'ADF'),
        '--format=jpeg',
        `--batch=${join(out, '%d')}`,
      ]);
      const ms = performance.now() - began;
      if (!existsSync(join(out, `${ESCL_PAGES}`)))
        throw new Error(`scanimage did not write ${ESCL_PAGES} pages: ${stderr}`);
      if (save === undefined) await rm(out, { recursive: true });
      return ms;
    },
    async close() {
      client.end();
      await service.stop();
      await device.close();
    },
  };
}

async function drawn(file: string): Promise<Uint8Array> {
  const { width, height, channels, dpi } = sheet;
  return sharp(await readFile(file), { raw: { width, height, channels } })
    .withDensity(dpi)
    .jpeg({ quality: 95 })
    .toBuffer();
}
