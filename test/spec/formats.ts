/** Resources, output formats and colour modes: the contents of the files, read by an independent library. */
import sharp from 'sharp';
import { sheets } from '../topology/sheets.js';
import type { Fixture } from '../topology/topology.js';
import { fileOf, refusedScan, scan, type Image } from './calls.js';
import { spec, start } from './specTest.js';

export const formats = [
  spec(
    'Resources, colour modes in PNG: 24-bit, 8-bit and true 1-bit, with the resolution in the file',
    ['resources.enumerations.colorModes', 'resources.parameters.colorMode', 'resources.formats.pngJpeg'],
    async (t, fixture) => {
      // From IHDR: the bit depth and the colour type (0 grey, 2 true colour).
      const kinds = { Color: [8, 2], Grayscale: [8, 0], BlackAndWhite: [1, 0] };
      for (const [colorMode, kind] of Object.entries(kinds)) {
        for (const resolution of [75, 150]) {
          const image = await scanFlatbed(fixture, { colorMode, resolution, imageFormat: 'Png' });
          const file = fileOf(image);
          t.match(image, { mimeType: 'image/png', format: 'Png', resolution });
          t.same([file[24], file[25]], kind, `${colorMode} at ${resolution}`);
          const { format, width, height, density = 0 } = await sharp(file).metadata();
          t.same({ format, width, height }, { format: 'png', width: image.width, height: image.height });
          t.ok(Math.abs(density - resolution) < 1, `${density} dpi`);
          await sharp(file).raw().toBuffer();
        }
      }
    },
    ['flatbed'],
  ),

  spec(
    'Resources, colour modes in JPEG: colour and grey; BlackAndWhite is grey, black and white',
    ['resources.enumerations.colorModes', 'resources.formats.pngJpeg', 'resources.parameters.imageFormat'],
    async (t, fixture) => {
      for (const [colorMode, channels] of Object.entries({ Color: 3, Grayscale: 1, BlackAndWhite: 1 })) {
        const image = await scanFlatbed(fixture, { colorMode, resolution: 150, imageFormat: 'Jpeg', jpegQuality: 100 });
        t.match(image, { mimeType: 'image/jpeg', format: 'Jpeg', resolution: 150 });
        const file = fileOf(image);
        t.match(
          await sharp(file).metadata(),
          { format: 'jpeg', width: image.width, height: image.height, channels, density: 150 },
          colorMode,
        );
        if (colorMode !== 'BlackAndWhite') continue;
        const grey = await sharp(file).raw().toBuffer();
        const between = grey.filter(value => value > 40 && value < 215).length;
        t.ok(between < grey.length / 100, 'almost no pixel is between black and white');
      }
    },
    ['flatbed'],
  ),

  spec(
    'Resources, output formats: TIFF in colour, grey and 1-bit, the last as CCITT G4, with the resolution in the file',
    ['resources.formats.bmpTiff', 'resources.parameters.tiffBmp'],
    async (t, fixture) => {
      const [bitsPerSample, compression, samplesPerPixel] = [258, 259, 277];
      const kinds = {
        Color: { bits: 8, channels: 3 },
        Grayscale: { bits: 8, channels: 1 },
        BlackAndWhite: { bits: 1, channels: 1, g4: true },
      };
      for (const [colorMode, { bits, channels, g4 = false }] of Object.entries<{
        bits: number;
        channels: number;
        g4?: boolean;
      }>(kinds)) {
        const image = await scanFlatbed(fixture, { colorMode, resolution: 150, imageFormat: 'Tiff' });
        t.match(image, { mimeType: 'image/tiff', format: 'Tiff', resolution: 150 });
        const file = fileOf(image);
        const { format, width, height, density = 0 } = await sharp(file).metadata();
        t.same({ format, width, height }, { format: 'tiff', width: image.width, height: image.height });
        t.ok(Math.abs(density - 150) < 1, `${density} dpi`);
        const tags = tiffTags(file);
        t.same(
          [tags.get(bitsPerSample) ?? 1, tags.get(samplesPerPixel) ?? 1],
          [bits, channels],
          `${colorMode}: bits, channels`,
        );
        t.equal(tags.get(compression) === 4, g4, `${colorMode}: CCITT G4 or not`);
      }
    },
    ['flatbed'],
  ),

  spec(
    'Resources, output formats: BMP of 24, 8 and 1 bits, with the resolution in the file',
    ['resources.formats.bmpTiff', 'resources.parameters.tiffBmp'],
    async (t, fixture) => {
      for (const [colorMode, bits] of Object.entries({ Color: 24, Grayscale: 8, BlackAndWhite: 1 })) {
        const image = await scanFlatbed(fixture, { colorMode, resolution: 150, imageFormat: 'Bmp' });
        t.match(image, { mimeType: 'image/bmp', format: 'Bmp', resolution: 150 });
        const file = fileOf(image);
        // From BITMAPFILEHEADER and BITMAPINFOHEADER: the signature, file size, width, height, bits per pixel, pixels per
        // metre.
        t.equal(file.toString('latin1', 0, 2), 'BM');
        t.equal(file.readUInt32LE(2), image.fileSizeBytes);
        t.same(
          [file.readInt32LE(18), Math.abs(file.readInt32LE(22)), file.readUInt16LE(28)],
          [image.width, image.height, bits],
          colorMode,
        );
        t.equal(file.readInt32LE(38), Math.round(150 / 0.0254));
      }
    },
    ['flatbed'],
  ),

  spec(
    'Resources, colour modes: the same document in each is the same document',
    'resources.enumerations.colorModes',
    async (t, fixture) => {
      const small = async (parameters: object) => {
        // Decoded first: a JPEG is shrunk differently while it is decoded.
        const whole = await sharp(fileOf(await scanFlatbed(fixture, { resolution: 75, ...parameters })))
          .tiff({ compression: 'none' })
          .toBuffer();
        return sharp(whole).resize(20, 20, { fit: 'fill' }).toColourspace('b-w').raw().toBuffer();
      };
      const colour = [...(await small({ colorMode: 'Color' }))];
      const grey = [...(await small({ colorMode: 'Grayscale' }))];
      const jpeg = [...(await small({ colorMode: 'Color', imageFormat: 'Jpeg' }))];
      const apart = (a: number[], b: number[]): number =>
        Math.max(...a.map((value, at) => Math.abs(value - (b[at] ?? 0))));
      t.ok(apart(colour, grey) < 25, `grey is ${apart(colour, grey)} from colour`);
      t.ok(apart(colour, jpeg) < 12, `JPEG is ${apart(colour, jpeg)} from PNG`);
    },
    ['flatbed'],
  ),

  spec(
    'Resources, parameters: a colour mode that neither the scanner nor a plugin supports is refused',
    'resources.parameters.colorMode',
    async (t, fixture) => {
      await fixture.load('small', sheets(1));
      for (const colorMode of ['Color', 'BlackAndWhite']) {
        const { status, json } = await refusedScan(fixture, 'small', { colorMode });
        t.equal(status, 400);
        t.match(json.error, /^colorMode takes one of Grayscale/);
      }
      t.equal(await fixture.waiting('small'), 1, 'no paper moved');
    },
    ['small'],
  ),

  spec(
    'Resources, parameters: jpegQuality is 90 when omitted, and affects the size of a JPEG only',
    ['resources.parameters.jpegQuality', 'limits.jpegQuality'],
    async (t, fixture) => {
      const of = async (parameters: object) =>
        scanFlatbed(fixture, { resolution: 100, colorMode: 'Color', ...parameters });
      const [low, ninety, omitted, high] = [
        await of({ imageFormat: 'Jpeg', jpegQuality: 1 }),
        await of({ imageFormat: 'Jpeg', jpegQuality: 90 }),
        await of({ imageFormat: 'Jpeg' }),
        await of({ imageFormat: 'Jpeg', jpegQuality: 100 }),
      ];
      t.equal(omitted.base64Data, ninety.base64Data);
      t.ok(low.fileSizeBytes < ninety.fileSizeBytes && ninety.fileSizeBytes < high.fileSizeBytes);
      const png = await of({ jpegQuality: 1 });
      t.equal(png.base64Data, (await of({})).base64Data, 'a PNG does not change');
    },
    ['flatbed'],
  ),

  spec(
    'Resources, parameters: PNG when imageFormat is omitted',
    'resources.parameters.imageFormat',
    async (t, fixture) => {
      t.match(await scanFlatbed(fixture, { resolution: 75 }), { format: 'Png', mimeType: 'image/png' });
    },
    ['flatbed'],
  ),

  spec(
    'Resources, output formats: a format that is not installed is refused, and the error names those that are',
    ['resources.formats.pngJpeg', 'errors.body'],
    async (t, _fixture, topology) => {
      const fixture = await start(t, topology, { formats: ['@platen/format-png'] });
      const { status, json } = await refusedScan(fixture, 'flatbed', { imageFormat: 'Jpeg' });
      t.equal(status, 400);
      t.match(json.error, /^imageFormat takes one of Png: Jpeg is not installed/);
    },
    ['flatbed'],
  ),
];

/** The short values of a little-endian TIFF's first directory, by tag; the first one of an array. */
function tiffTags(file: Buffer): Map<number, number> {
  const directory = file.readUInt32LE(4);
  const entries = Array.from({ length: file.readUInt16LE(directory) }, (_, index) => directory + 2 + index * 12);
  return new Map(
    entries.map(at => {
      const inPlace = file.readUInt32LE(at + 4) <= 2;
      return [file.readUInt16LE(at), file.readUInt16LE(inPlace ? at + 8 : file.readUInt32LE(at + 8))];
    }),
  );
}

/** Scans the document on the flatbed. */
async function scanFlatbed(fixture: Fixture, parameters: object): Promise<Image> {
  const { status, json, text } = await scan(fixture, 'flatbed', parameters);
  if (status !== 200 || !json.images[0]) throw new Error(`the scan answered ${status}: ${text.slice(0, 300)}`);
  return json.images[0];
}
