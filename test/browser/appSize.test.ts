/** Page at /app/: what a person gets without changing a setting is small enough for a form or a mail. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { needs } from '@platen/conformance';
import sharp from 'sharp';
import t from 'tap';
import { insertFile } from '../topology/virtualTopology.js';
import { choose, launch, openApp, sample } from './appPage.js';
import { begin, saved, scan } from './appStack.js';

const MOST_BYTES = 1_500_000;
/** Of every pixel and color: the paper and sensor of a real scanner. */
const NOISE = 6;
const [WIDTH, HEIGHT] = [1700, 2200];

/** A printed letter of 200 dpi on paper that is not quite white. */
async function paperSheet(): Promise<Uint8Array> {
  const text = await sharp(await readFile(sample('letter.png')))
    .resize(WIDTH, HEIGHT, { fit: 'fill' })
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer();
  let state = 1;
  const noise = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return Math.round((state / 0x4000_0000 - 1) * NOISE);
  };
  const pixels = Buffer.from(text.map(value => Math.max(0, Math.min(value, 245) + noise())));
  return sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .withDensity(200)
    .png({ compressionLevel: 1 })
    .toBuffer();
}

t.test('three letters in color at 200 dpi: a PDF of less than 1.5 MB, whose size was said before', async t => {
  if (!needs(t, 'chromium')) return;
  const fixture = await begin(t);
  const { page, problems } = await openApp(await launch(t), fixture);
  await choose(page, 'Feeder A');
  for (const name of ['Read text', 'Read barcodes']) await page.getByRole('switch', { name }).uncheck();
  const sheet = await paperSheet();
  for (const name of ['1', '2', '3']) await insertFile(join(fixture.dataDir, 'trays', 'a'), `${name}.png`, sheet);
  await scan(page, 3);
  const said = /([\d.]+) MB/.exec(await page.locator('#size').innerText())?.[1];
  const { size } = await stat(await (await saved(page)).path());
  t.comment(`${size} bytes`);
  t.ok(size < MOST_BYTES, `${size} bytes`);
  t.ok(size > MOST_BYTES / 3, 'and they are pages of noise');
  t.ok(Math.abs(Number(said) * 1e6 - size) < 0.06e6, `said ${said} MB`);
  t.same(problems, []);
});
