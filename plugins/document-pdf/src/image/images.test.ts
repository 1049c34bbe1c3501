/** Which files go into the document as they are, which are decoded, and which are damaged. */
import { testJpeg, testPage } from '@platen/conformance';
import { codeOf, type DocumentPage, type RawPage } from '@platen/core/plugin';
import sharp from 'sharp';
import t from 'tap';
import { crc32 } from 'node:zlib';
import { decoded, jpegFile, pageOf, pdfOf } from '../pages.test.kit.js';

const colour = testPage({ width: 100, height: 60 });
const colourImage = () => sharp(colour.data, { raw: { width: 100, height: 60, channels: 3 } });

interface Seen {
  readonly pdf: Buffer;
  readonly wasDecoded: boolean;
}

async function seen(file: Buffer, facts: Partial<DocumentPage> = {}): Promise<Seen> {
  let wasDecoded = false;
  const pixels = async (): Promise<RawPage> => {
    wasDecoded = true;
    return colour;
  };
  const page = await pageOf(Buffer.alloc(1), {
    raw: colour,
    mimeType: 'image/jpeg',
    size: file.length,
    pixels,
    ...facts,
    async *read() {
      for (let at = 0; at < file.length; at += 7) yield Buffer.from(file.subarray(at, at + 7));
    },
  });
  return { pdf: await pdfOf([page]), wasDecoded };
}

/** With a segment after the start marker. */
function withSegment(jpeg: Buffer, marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)]);
}

const adobe = (transform: number): Buffer => Buffer.from([...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, transform]);
const jfif = Buffer.from('JFIF\0\x01\x02\x01\0\x64\0\x64\0\0', 'latin1');

/** With components named R, G and B. sharp writes no JFIF header, which would say that they are not. */
function named(jpeg: Buffer): Buffer {
  const copy = Buffer.from(jpeg);
  const frame = copy.indexOf(Buffer.from([0xff, 0xc0]));
  for (const [i, letter] of [...Buffer.from('RGB')].entries()) copy[frame + 10 + i * 3] = letter;
  return copy;
}

void t.test('JPEG: byte for byte what every reader decodes alike', async t => {
  const plain = await jpegFile(colour);
  const files: Record<string, Buffer> = {
    baseline: plain,
    progressive: await jpegFile(colour, { progressive: true }),
    'with a large header': withSegment(plain, 0xe2, Buffer.alloc(60_000)),
    'with JFIF': withSegment(plain, 0xe0, jfif),
    'JFIF, components R, G and B': withSegment(named(plain), 0xe0, jfif),
    'Adobe, YCbCr': withSegment(plain, 0xee, adobe(1)),
    'Adobe, too short to say': withSegment(plain, 0xee, Buffer.from('Adobe')),
    '4:2:0': testJpeg({ width: 100, height: 60 }).file,
    'with restarts': testJpeg({ width: 100, height: 60, restartInterval: 3 }).file,
    'in three scans': testJpeg({ width: 100, height: 60, apart: true }).file,
    grey: testJpeg({ width: 100, height: 60, components: [[1, 1]] }).file,
    'with padding behind its end': Buffer.concat([plain, Buffer.alloc(20)]),
  };
  for (const [name, file] of Object.entries(files)) {
    const { pdf, wasDecoded } = await seen(file);
    t.notOk(wasDecoded, name);
    t.ok(pdf.includes(file), `${name}: byte for byte`);
    t.match(
      pdf.toString('latin1'),
      new RegExp(`/Device${name === 'grey' ? 'Gray' : 'RGB'} /BitsPerComponent 8 /Filter /DCT`),
    );
  }
});

void t.test('JPEG: decoded if readers differ in its colours, or lack its process', async t => {
  const plain = await jpegFile(colour);
  const files: Record<string, Buffer> = {
    'four inks': await colourImage().toColourspace('cmyk').jpeg().toBuffer(),
    'Adobe, RGB': withSegment(plain, 0xee, adobe(0)),
    'JFIF, but Adobe says RGB': withSegment(withSegment(plain, 0xee, adobe(0)), 0xe0, jfif),
    'components R, G and B': named(plain),
    'two components': testJpeg({
      width: 100,
      height: 60,
      components: [
        [1, 1],
        [1, 1],
      ],
    }).file,
    'height after the data': testJpeg({ width: 100, height: 60, later: true }).file,
    arithmetic: testJpeg({ width: 100, height: 60, frame: 0xc9 }).file,
    lossless: testJpeg({ width: 100, height: 60, frame: 0xc3 }).file,
  };
  for (const [name, file] of Object.entries(files)) {
    const { pdf, wasDecoded } = await seen(file);
    t.ok(wasDecoded, name);
    t.notOk(pdf.includes('DCTDecode'), name);
  }
});

void t.test('PNG: rows as they are if grey or colour of 8 bits', async t => {
  const facts = { mimeType: 'image/png' };
  const files: Record<string, readonly [file: Buffer, isDecoded: boolean]> = {
    plain: [await colourImage().png().toBuffer(), false],
    'with density and text': [
      withChunk(await colourImage().withDensity(300).png().toBuffer(), 'tEXt', Buffer.from('a\0b')),
      false,
    ],
    'with padding behind its end': [Buffer.concat([await colourImage().png().toBuffer(), Buffer.alloc(20)]), false],
    grey: [await colourImage().toColourspace('b-w').png().toBuffer(), false],
    alpha: [await colourImage().ensureAlpha(0.5).png().toBuffer(), true],
    palette: [await colourImage().png({ palette: true }).toBuffer(), true],
    interlaced: [await colourImage().png({ progressive: true }).toBuffer(), true],
    '16 bits': [await colourImage().toColourspace('rgb16').png().toBuffer(), true],
    'a profile of its own': [await colourImage().withIccProfile('p3').png().toBuffer(), true],
    'a transparent colour': [withChunk(await colourImage().png().toBuffer(), 'tRNS', Buffer.alloc(6)), true],
  };
  for (const [name, [file, isDecoded]] of Object.entries(files)) {
    const { wasDecoded, pdf } = await seen(file, facts);
    t.equal(wasDecoded, isDecoded, name);
    t.match(pdf.toString('latin1'), /\/Filter \/FlateDecode \/DecodeParms << \/Predictor 15/);
  }
});

void t.test('damaged files: an error that names the page', async t => {
  const jpeg = await jpegFile(colour);
  const file = await colourImage().png().toBuffer();
  const flipped = Buffer.from(file);
  flipped[file.indexOf('IDAT') + 30]! ^= 1;
  const jpegs: Record<string, Buffer> = {
    empty: Buffer.alloc(0),
    'one byte': jpeg.subarray(0, 1),
    'no JPEG': Buffer.from('not an image at all'),
    'only a header': jpeg.subarray(0, jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 6),
    'without a frame': Buffer.from([0xff, 0xd8, 0xff, 0xd9]),
    'without its end': jpeg.subarray(0, -2),
    'with the end of a thumbnail only': withSegment(jpeg, 0xe1, Buffer.from([0xff, 0xd8, 0xff, 0xd9])).subarray(0, -2),
    'cut off': jpeg.subarray(0, jpeg.length >> 1),
    'of another size': await jpegFile(testPage({ width: 99, height: 60 })),
    endless: Buffer.concat([jpeg.subarray(0, 2), Buffer.alloc(5 * 1024 * 1024, 0xff)]),
  };
  const pngs: Record<string, Buffer> = {
    empty: Buffer.alloc(0),
    'no PNG': Buffer.from('not an image at all'),
    'only a header': file.subarray(0, 40),
    'without rows': Buffer.concat([file.subarray(0, 33), file.subarray(-12)]),
    'without its end': file.subarray(0, -12),
    'cut off': file.subarray(0, file.length >> 1),
    'a bit that flipped': flipped,
    'of another size': await sharp({ create: { width: 99, height: 60, channels: 3, background: '#fff' } })
      .png()
      .toBuffer(),
  };
  for (const [mimeType, files] of Object.entries({ 'image/jpeg': jpegs, 'image/png': pngs })) {
    for (const [name, bytes] of Object.entries(files)) {
      const failure = await failureOf(seenFast(bytes, { mimeType, pageNumber: 7 }));
      t.equal(codeOf(failure), 'storage-failed', `${mimeType} ${name}`);
      t.match((failure as Error).message, /page 7/, name);
    }
    const short = await failureOf(seenFast(mimeType === 'image/png' ? file : jpeg, { mimeType, size: 10 }));
    t.equal(codeOf(short), 'storage-failed', 'not as long as it was');
  }
  const decodedTo = { mimeType: 'image/bmp', pixels: async () => testPage({ width: 99, height: 60 }) };
  t.equal(codeOf(await failureOf(seenFast(jpeg, decodedTo))), 'storage-failed', 'decoded to another size');
});

void t.test('lossless: CMYK becomes the colours of the decoded page', async t => {
  const file = await colourImage().toColourspace('cmyk').jpeg().toBuffer();
  const page = await pageOf(file);
  t.strictSame((await decoded(file)).pixels, 'rgb24');
  t.match((await pdfOf([page])).toString('latin1'), /\/ColorSpace \/DeviceRGB/);
});

async function seenFast(file: Buffer, facts: Partial<DocumentPage>): Promise<Buffer> {
  return pdfOf([
    await pageOf(Buffer.alloc(1), {
      raw: colour,
      size: file.length,
      ...facts,
      async *read() {
        for (let at = 0; at < file.length; at += 65_536) yield file.subarray(at, at + 65_536);
      },
    }),
  ]);
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  return undefined;
}

/** With a chunk before its rows. */
function withChunk(file: Buffer, type: string, body: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + body.length);
  chunk.writeUInt32BE(body.length, 0);
  chunk.write(type, 4, 'latin1');
  body.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), 8 + body.length);
  return Buffer.concat([file.subarray(0, 33), chunk, file.subarray(33)]);
}
