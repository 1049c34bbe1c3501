/** Random switches, options and broken files between and during scans: no page is lost, and memory is flat. */
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { randomOf } from '../soak/random.js';
import { get, until } from '../spec/calls.js';
import { platen } from '../topology/platen.js';
import { sheets } from '../topology/sheets.js';
import { virtualTopology as topology } from '../topology/virtualTopology.js';

const files: readonly (readonly [name: string, text: string])[] = [
  ['10-barcode.json', JSON.stringify({ plugins: [{ use: '@platen/barcode', enabled: false }] })],
  ['10-barcode.json', JSON.stringify({ plugins: [{ use: '@platen/barcode', enabled: true }] })],
  ['20-jpeg.json', JSON.stringify({ plugins: [{ use: '@platen/format-jpeg', enabled: false }] })],
  ['20-jpeg.json', JSON.stringify({ plugins: [{ use: '@platen/format-jpeg' }] })],
  ['30-bad.json', '{ "plugins": [{'],
  ['30-bad.json', '{ "lgo": {} }'],
  ['30-bad.json', '{}'],
  ['40-options.json', JSON.stringify({ plugins: [{ use: '@platen/blank-pages', options: { maxInk: 'much' } }] })],
  ['40-options.json', '{}'],
  ['50-profiles.json', JSON.stringify({ profiles: { a: { imageFormat: 'Jpeg' } } })],
  ['50-profiles.json', '{}'],
];
const ROUNDS = 500;

for (const seed of [20261129, 41])
  t.test(`reload walk ${seed}: ${ROUNDS} rounds`, { timeout: 1_500_000 }, async t => {
    const { pick, chance } = randomOf(seed);
    const folder = await mkdtemp(join(tmpdir(), 'platen-walk-'));
    t.teardown(() => rm(folder, { recursive: true, force: true }));
    await mkdir(join(folder, 'conf.d'), { mode: 0o755 });
    const fixture = await topology.start({ folder, recognisers: ['@platen/barcode', '@platen/blank-pages'] });
    t.teardown(async () => void (await fixture.stop()));
    const env = { PLATEN_DATA_DIR: fixture.dataDir, PLATEN_CONFIG: join(folder, 'platen.json') };
    const memory = async (): Promise<number> => {
      const status = await readFile(`/proc/${fixture.pid}/status`, 'utf8').catch(() => '');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    };
    const handles = async (): Promise<number> => (await readdir(`/proc/${fixture.pid}/fd`).catch(() => [])).length;
    let [before, open, whole, refused] = [0, 0, 0, 0];
    for (let round = 1; round <= ROUNDS; round++) {
      const [name, text] = pick(files);
      const drop = async (): Promise<void> => {
        await writeFile(join(folder, 'new.json'), text, { mode: 0o644 });
        await rename(join(folder, 'new.json'), join(folder, 'conf.d', name));
      };
      const scans = async (): Promise<void> => {
        await fixture.load('duplex', sheets(1, 2));
        const imageFormat = chance(0.5) ? 'Jpeg' : 'Png';
        const parameters = {
          resolution: 75,
          colorMode: 'Grayscale',
          imageFormat,
          barcodeReadingEnabled: chance(0.5),
        };
        const { status, json } = await fixture.request('POST', '/api/twain/scan', {
          body: { scannerName: fixture.name('duplex'), parameters },
        });
        if (status === 200 && (json as { imageCount?: number }).imageCount === 2) whole++;
        else if (status === 400 && imageFormat === 'Jpeg') refused++;
        else t.fail(`round ${round}: ${status} ${JSON.stringify(json).slice(0, 300)}`);
      };
      if (chance(0.3)) await Promise.all([drop(), scans()]);
      else {
        await drop();
        if (chance(0.25)) await scans();
      }
      if (round === 100) [before, open] = [await memory(), await handles()];
    }
    for (const [name] of files) await rm(join(folder, 'conf.d', name), { force: true });
    const { code, log } = await platen(['service', 'reload'], { env }).ended;
    t.equal(code, 0, log);
    await until(async () =>
      (await get<{ off: readonly { id: string }[] }>(fixture, '/api/features')).json.off.every(
        ({ id }) => id !== 'barcode',
      ),
    );
    t.comment(`${whole} whole scans, ${refused} refused for their format; ${before.toFixed(0)} MB after 100 rounds`);
    t.ok(whole > 50 && refused > 0);
    await until(async () => (await memory()) < before + 40, 500);
    t.ok((await handles()) <= open + 10, `${await handles()} open, ${open} after 100 rounds`);
  });
