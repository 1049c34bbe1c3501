/** libsane's `test` backend for a service, and the pages that `scanimage` reads from it with the same options. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';

/** The scanner's name for clients. Its feeder has ten sheets whenever it is opened. */
export const TESTER = 'Noname frontend-tester';
export const SHEETS = 10;

/** Entry of the configuration's plugins. */
export const plugin = { use: '@platen/driver-sane', options: { configDir: 'sane', localOnly: true } };

/**
 * Configures it as the only scanner of a data folder.
 * @param conf further lines of its test.conf; both the service and scanimage use them
 */
export async function useTestBackend(
  dataDir: string,
  conf: readonly string[] = ['test-picture "Color pattern"'],
): Promise<void> {
  await mkdir(join(dataDir, 'sane'), { recursive: true });
  await writeFile(join(dataDir, 'sane', 'dll.conf'), 'test\n');
  await writeFile(
    join(dataDir, 'sane', 'test.conf'),
    ['geometry_max 300', 'number_of_devices 1', ...conf, ''].join('\n'),
  );
}

/** Samples of 0 to 255 without padding; 1-bit pages are 0 and 255. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3;
  readonly samples: Buffer;
}

/** All sheets in the feeder, as scanimage writes them. */
export async function scanimage(dataDir: string, args: readonly string[]): Promise<Picture[]> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-scanimage-'));
  try {
    const all = [
      '-d',
      'test:0',
      '--source',
      'Automatic Document Feeder',
      '--format=pnm',
      `--batch=${join(folder, '%02d.pnm')}`,
      '-l',
      '0',
      '-t',
      '0',
      ...args,
    ];
    const env = { ...process.env, SANE_CONFIG_DIR: join(dataDir, 'sane') };
    while (!(await runsToItsEnd(all, env)));
    const files = (await readdir(folder)).sort();
    return await Promise.all(files.map(async file => pictureOf(await readFile(join(folder, file)))));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * With this backend, scanimage hangs once in some hundred batches: it has none of the care for readers that
 * `drivers/sane/native/cancel.c` has.
 */
async function runsToItsEnd(args: readonly string[], env: NodeJS.ProcessEnv): Promise<boolean> {
  try {
    await promisify(execFile)('scanimage', args, { env, timeout: 60_000, killSignal: 'SIGKILL' });
  } catch (error) {
    const { killed = false, stderr = '' } = error as { killed?: boolean; stderr?: string };
    if (killed) return false;
    // Some versions report the end of the paper as a failure.
    if (!/out of documents/.test(stderr)) throw error;
  }
  return true;
}

/** Reads a PNM file: netpbm's pbm, pgm and ppm, binary. */
function pictureOf(file: Buffer): Picture {
  const header = /^P([456])\s(?:#[^\n]*\n)*(\d+)\s(\d+)\s(?:255\s)?/.exec(file.subarray(0, 200).toString('latin1'));
  if (!header) throw new Error(`scanimage wrote no PNM file: ${file.subarray(0, 40).toString()}`);
  const [width, height] = [Number(header[2]), Number(header[3])];
  const bytes = file.subarray(header[0].length);
  if (header[1] !== '4') return { width, height, channels: header[1] === '6' ? 3 : 1, samples: bytes };
  return {
    width,
    height,
    channels: 1,
    samples: unpacked(bytes, { width, height, stride: Math.ceil(width / 8), black: 1 }),
  };
}

/** Reads an image file with sharp; grey stays grey. */
export async function readPicture(file: Buffer | string): Promise<Picture> {
  const { channels } = await sharp(file).metadata();
  const { data: samples, info } = await sharp(file)
    .toColourspace(channels === 1 ? 'b-w' : 'srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: info.channels as 1 | 3, samples };
}

export interface Bits {
  readonly width: number;
  readonly height: number;
  /** Bytes from one row to the next. */
  readonly stride: number;
  /** The value of a black bit. */
  readonly black: 0 | 1;
}

/** A byte for each bit, the most significant first. */
export function unpacked(bytes: Uint8Array, { width, height, stride, black }: Bits): Buffer {
  const samples = Buffer.alloc(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const bit = ((bytes[y * stride + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1;
      samples[y * width + x] = bit === black ? 0 : 255;
    }
  }
  return samples;
}
