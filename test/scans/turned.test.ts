/** Pages turned by the service, in every format and colour mode: read by an independent library. */
import sharp from 'sharp';
import t from 'tap';
import { ended, pagePath, startScan } from '../spec/scanCalls.js';
import { start } from '../spec/specTest.js';
import { sheets, whichSide } from '../topology/sheets.js';
import { virtualTopology as topology } from '../topology/virtualTopology.js';

const fixture = await start(t, topology);

async function scanned(parameters: object) {
  await fixture.load('duplex', sheets(3));
  const { json } = await startScan(fixture, 'duplex', { parameters });
  const [page] = (await ended(fixture, json.id)).pages;
  if (!page) throw new Error('no page');
  const get = async (query = '') => {
    const { status, headers, bytes } = await fixture.request('GET', `${pagePath(json.id, 1)}${query}`);
    t.equal(status, 200);
    return { headers, bytes };
  };
  return { page, get };
}

/** One channel or three, of eight bits. */
const pixelsOf = (bytes: Buffer, turn = 0): Promise<Buffer> => sharp(bytes).rotate(turn).raw().toBuffer();

const kindOf = async (bytes: Buffer) => {
  const { format, width, height, density, channels, bitsPerSample, compression } = await sharp(bytes).metadata();
  return { format, width, height, density, channels, bitsPerSample, compression };
};

for (const imageFormat of ['Png', 'Tiff', 'Jpeg'])
  for (const colorMode of ['Color', 'Grayscale', 'BlackAndWhite'])
    t.test(`turned: ${imageFormat}, ${colorMode}, with its depth and resolution`, async t => {
      const { get } = await scanned({ resolution: 75, colorMode, imageFormat });
      const plain = await get();
      const before = await kindOf(plain.bytes);
      for (const turn of [90, 180, 270] as const) {
        const { bytes, headers } = await get(`?rotate=${turn}`);
        const { width, height } = before;
        const size = turn === 180 ? { width, height } : { width: height, height: width };
        t.same(await kindOf(bytes), { ...before, ...size }, `${turn}`);
        t.equal(headers['content-type'], plain.headers['content-type']);
        const [expected, found] = [await pixelsOf(plain.bytes, turn), await pixelsOf(bytes)];
        t.equal(found.length, expected.length);
        if (imageFormat !== 'Jpeg') t.ok(found.equals(expected), `${turn}: no pixel is lost`);
        else {
          const difference = found.reduce((sum, value, at) => sum + Math.abs(value - (expected[at] ?? 0)), 0);
          t.ok(difference / found.length < 1, `${turn}: ${difference / found.length} from the page`);
        }
      }
    });

t.test('turned: BMP, as its thumbnail is', async t => {
  const { get } = await scanned({ resolution: 75, colorMode: 'Color', imageFormat: 'Bmp' });
  const plain = await get();
  const { bytes } = await get('?rotate=90');
  const sizeOf = (bmp: Buffer) => [bmp.readInt32LE(18), Math.abs(bmp.readInt32LE(22))];
  t.equal(bytes.toString('latin1', 0, 2), 'BM');
  t.same(sizeOf(bytes), sizeOf(plain.bytes).reverse());
  t.equal(bytes.readUInt16LE(28), plain.bytes.readUInt16LE(28), 'bits of a pixel');
  t.same([bytes.readInt32LE(38), bytes.readInt32LE(42)], [plain.bytes.readInt32LE(38), plain.bytes.readInt32LE(42)]);
  const small = await get('?rotate=90&width=200');
  const { width, height, format } = await sharp(small.bytes).metadata();
  t.same([format, width], ['jpeg', 200]);
  t.equal(height, Math.round((200 * sizeOf(bytes)[1]!) / sizeOf(bytes)[0]!));
});

t.test('turned: clockwise', async t => {
  const { get } = await scanned({ resolution: 75, colorMode: 'Color', imageFormat: 'Png' });
  const { bytes } = await get('?rotate=180');
  t.match(await whichSide(bytes), { ink: 3, upright: false });
  const quarter = await get('?rotate=90');
  t.match(await whichSide(await sharp(quarter.bytes).rotate(270).png().toBuffer()), { ink: 3, upright: true });
});

t.test('turned: eight pages at once, the same bytes', async t => {
  const { get } = await scanned({ resolution: 75, colorMode: 'Color', imageFormat: 'Jpeg' });
  const [first, ...others] = await Promise.all(Array.from({ length: 8 }, () => get('?rotate=90')));
  for (const { bytes } of others) t.ok(bytes.equals(first!.bytes));
});
