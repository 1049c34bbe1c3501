/** Pixels: the same sheet gives the same pixels in every memory layout and as a file, in the right colours. */
import { Buffer } from 'node:buffer';
import { inflateSync } from 'node:zlib';
import { rowBytes, type ColorMode, type EncodedPage, type RawPage } from '@platen/core/plugin';
import t, { type Test } from 'tap';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bodyOf, lacking, never, scanned, type BodyOptions } from './rig.test.kit.js';

// 101 mm are 298 pixels at 75 dpi: rows that fit no alignment.
const files = { area: '101 60' };
const quirks = 'grey-stride rgb4';

async function pageOf(
  t: Test,
  colorMode: ColorMode,
  options: Partial<BodyOptions> = {},
): Promise<RawPage | EncodedPage> {
  const body = await bodyOf({
    is: `feeder sensor ${options.is ?? ''}`,
    files,
    sanitised: true,
    ...(options.options && { options: options.options }),
  });
  t.teardown(() => body.dispose());
  await writeFile(join(body.folder, 'feeder', '1'), 'size 80 50\nfront 200 40 90\n');
  const session = await body.driver.open('desk', { signal: never() });
  const { pages, message } = await scanned(session, { colorMode });
  t.equal(pages.length, 1, message);
  return pages[0]!;
}

/** Rows without padding. */
function rowsOf(page: RawPage | EncodedPage): Buffer {
  if (page.kind === 'encoded') return pngRows(Buffer.from(page.data), rowBytes(page.pixels, page.width));
  const length = rowBytes(page.pixels, page.width);
  return Buffer.concat(
    Array.from({ length: page.height }, (_, row) => page.data.subarray(row * page.stride, row * page.stride + length)),
  );
}

/** The rows of a PNG from the simulation: no filters, 1 is white. */
function pngRows(png: Buffer, length: number): Buffer {
  const at = png.indexOf('IDAT', 0, 'latin1');
  const rows = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
  const isBilevel = png.readUInt8(24) === 1;
  const row = (i: number) => rows.subarray(i * (length + 1) + 1, (i + 1) * (length + 1));
  const all = Buffer.concat(Array.from({ length: rows.length / (length + 1) }, (_, i) => row(i)));
  return isBilevel ? Buffer.from(all.map(byte => ~byte)) : all;
}

const skip = lacking();

for (const colorMode of ['Color', 'Grayscale', 'BlackAndWhite'] as const) {
  t.test(colorMode, { skip }, async t => {
    const plain = await pageOf(t, colorMode);
    const facts = { width: 298, height: 177, dpi: 75, sheet: 1, side: 'front', pixels: plain.pixels };
    t.match(plain, { kind: 'raw', ...facts });
    t.ok(
      rowsOf(plain).some(byte => byte !== rowsOf(plain)[0]),
      'the picture is not blank',
    );
    const quirky = await pageOf(t, colorMode, { is: quirks });
    t.match(quirky, { kind: 'raw', ...facts });
    t.ok(rowsOf(quirky).equals(rowsOf(plain)), 'in an odd layout');
    const file = await pageOf(t, colorMode, { options: { transfer: 'file' } });
    t.match(file, { kind: 'encoded', mimeType: 'image/png', ...facts });
    t.ok(rowsOf(file).equals(rowsOf(plain)), 'as a file');
  });
}

t.test('pixels: the colours of the sheet; ink is black', { skip }, async t => {
  const inkOf = async (colorMode: ColorMode) => {
    const page = (await pageOf(t, colorMode)) as RawPage;
    const length = rowBytes(page.pixels, page.width);
    return rowsOf(page).subarray(100 * length);
  };
  const color = await inkOf('Color');
  t.strictSame([...color.subarray(300, 303)], [200, 40, 90], 'red, green, blue');
  t.strictSame([...color.subarray(3 * 290, 3 * 290 + 3)], [255, 255, 255], 'behind the sheet');
  const grey = await inkOf('Grayscale');
  t.ok(grey[100]! > 60 && grey[100]! < 140);
  const bw = await inkOf('BlackAndWhite');
  t.strictSame([bw[10], bw[36]! & 0xf0], [0xff, 0], '1 is black');
});
