/**
 * Times of the shipped installation, and of the same service with SANE's driver alone, in its own network namespace.
 * Prints JSON.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SHEETS, TESTER } from '../sane/testBackend.js';
import { startShipped, type Shipped } from '../shipped/startShipped.js';
import type { ScanJson } from '../spec/calls.js';
import { saveImages } from './ask.js';
import { assertAlike } from './pixels.js';
import { alternate, timed } from './rounds.js';
import { SCANIMAGE_QUALITY, timeScanimage } from './scanimage.js';

/** `like scanimage` is the shipped configuration, with the JPEG quality that scanimage has. */
export type Side = 'list' | 'status' | `${'shipped' | 'alone' | 'scanimage' | 'like scanimage'} ${75 | 300}`;
/** Milliseconds of each round. */
export type ShippedTimes<S extends Side = Side> = Readonly<Record<S, readonly number[]>>;

/** @param save a folder for the pages' files */
async function scan(fixture: Shipped, resolution: number, more: object = {}, save?: string): Promise<void> {
  const { status, json } = await fixture.post('/api/twain/scan', {
    scannerName: TESTER,
    parameters: { resolution, colorMode: 'Color', imageFormat: 'Jpeg', pageSize: 'A4', ...more },
  });
  const { imageCount, images } = json as ScanJson;
  if (status !== 200 || imageCount !== SHEETS) throw new Error(`${status} with ${imageCount} pages`);
  if (save !== undefined)
    await saveImages(
      save,
      images.map(({ base64Data }) => Buffer.from(base64Data, 'base64')),
    );
}

async function call(fixture: Shipped, path: string): Promise<void> {
  const { status, text } = await fixture.get(path);
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text.slice(0, 300)}`);
}

/** Each call some time after the last: what is fresh from it would otherwise be answered from memory. */
const rest = () => new Promise(resolve => setTimeout(resolve, 1200));

const [rounds, ...wanted] = process.argv.slice(2) as [string, ...Side[]];
const folder = await mkdtemp(join(tmpdir(), 'platen-alone-'));
const config = join(folder, 'platen.json');
await writeFile(
  config,
  JSON.stringify({ plugins: ['@platen/driver-sane', '@platen/format-jpeg'].map(use => ({ use })) }),
  { mode: 0o600 },
);
const shipped = await startShipped();
const alone = wanted.some(side => side.startsWith('alone')) ? await startShipped(config) : undefined;

/** @param save a folder for the pages' files */
async function take(side: Side, save?: string): Promise<number> {
  if (side === 'list') return timed(() => call(shipped, '/api/twain/scanners'));
  if (side === 'status') return timed(() => call(shipped, '/api/twain/status'));
  const resolution = side.endsWith(' 75') ? 75 : 300;
  if (side.startsWith('scanimage'))
    return timeScanimage({ configDir: shipped.saneConfigDir, resolution, format: 'jpeg', ...(save && { save }) });
  const quality = side.startsWith('like') ? { jpegQuality: SCANIMAGE_QUALITY } : {};
  return timed(() => scan((side.startsWith('alone') ? alone : shipped) ?? shipped, resolution, quality, save));
}

try {
  const sides = Object.fromEntries(
    wanted.map(side => [
      side,
      async (isWarmUp: boolean) => {
        if (!isWarmUp) await rest();
        return take(side);
      },
    ]),
  );
  const say = (line: string): void => console.error(line);
  const times = await alternate(sides, { rounds: Number(rounds), title: 'shipped, ms', say });
  for (const side of wanted.filter(each => each.startsWith('like'))) {
    const [ours, theirs] = [await mkdtemp(join(folder, 'ours-')), await mkdtemp(join(folder, 'theirs-'))];
    await take(side, ours);
    await take(side.replace('like ', '') as Side, theirs);
    await assertAlike(ours, theirs, SHEETS);
  }
  console.log(JSON.stringify(times));
} finally {
  await shipped.stop();
  await alone?.stop();
  await rm(folder, { recursive: true });
}
