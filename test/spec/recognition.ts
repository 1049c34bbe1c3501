/** Resources, barcodes and text: the contents of real documents, over scanners whose trays accept files. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import type { Fixture, Topology } from '../topology/topology.js';
import { insertFile } from '../topology/virtualTopology.js';
import { enable, imageOf, listen } from './autoscanCalls.js';
import { scan, type Image } from './calls.js';
import { share, spec } from './specTest.js';

/** The clone's folder, from the compiled file. */
const clone = fileURLToPath(new URL('../../..', import.meta.url));

interface Barcode {
  readonly text: string;
  readonly barcodeType: string;
  readonly confidence: number;
}

/** Files in `drivers/virtual/samples`: the pages of a scanner with these documents in its feeder. */
type Sample = 'letter' | 'invoice' | 'labels';

/** The rows of pixels that are scanned: a few lines of text show what a page of it shows. Absent: the whole page. */
const rows: Partial<Record<Sample, { readonly top: number; readonly height: number }>> = {
  letter: { top: 690, height: 260 },
  invoice: { top: 320, height: 260 },
};

const onLabels: Readonly<Record<string, string>> = {
  CODE_128: 'DN-2026-00917',
  CODE_39: 'PALLET-07',
  CODE_93: 'BIN 4C-118',
  CODABAR: 'A40156B',
  ITF: '15400141288763',
  EAN_13: '4006381333931',
  EAN_8: '96385074',
  UPC_A: '036000291452',
  UPC_E: '01234565',
  QR_CODE: 'https://track.example/DN-2026-00917',
  DATA_MATRIX: 'LOT 0226-B / SN 48812',
  AZTEC: 'GATE 12 BAY 3',
  PDF_417: 'SHIP TO: ASHGROVE, BURLINGTON VT; 3 CARTONS; 41.5 KG',
};

export const recognition = [
  spec(
    'Resources, Barcode: all thirteen symbologies on one page, with text, barcodeType and a confidence from 0 to 1',
    ['resources.barcode', 'endpoints.scan.barcodes', 'what.1.recognition'],
    async (t, _fixture, topology) => {
      const fixture = await equipped(topology);
      const [image] = await scanned(fixture, ['labels'], { resolution: 150, barcodeReadingEnabled: true });
      const barcodes = barcodesOf(image);
      t.same(Object.fromEntries(barcodes.map(each => [each.barcodeType, each.text])), onLabels);
      t.equal(barcodes.length, 13);
      for (const each of barcodes)
        t.ok(each.confidence > 0 && each.confidence <= 1 && Object.keys(each).length === 3, JSON.stringify(each));
      t.equal(image?.ocrText, '');
    },
    ['duplex'],
  ),

  spec(
    'Resources, parameters: barcodeFormats narrows in any letter case, barcodeStopAfterFirst stops, and disabled means none',
    ['resources.parameters.barcodesRead', 'resources.enumerations.barcodeFormats'],
    async (t, _fixture, topology) => {
      const fixture = await equipped(topology);
      const types = async (parameters: object): Promise<string[]> => {
        const [image] = await scanned(fixture, ['labels'], { resolution: 200, ...parameters }, true);
        return barcodesOf(image)
          .map(each => each.barcodeType)
          .sort();
      };
      t.same(await types({ barcodeReadingEnabled: true, barcodeFormats: ['QRCODE', 'upca'] }), ['QR_CODE', 'UPC_A']);
      t.same((await types({ barcodeReadingEnabled: true, barcodeStopAfterFirst: true })).length, 1);
      t.same(await types({ barcodeReadingEnabled: false, barcodeFormats: ['QrCode'] }), []);
    },
    ['duplex'],
  ),

  spec(
    'Resources, barcode filter levels: a stricter level accepts a subset of a looser one; codes with error correction pass all',
    'resources.enumerations.filterLevels',
    async (t, _fixture, topology) => {
      const fixture = await equipped(topology);
      let looser: readonly string[] | undefined;
      for (const barcodeFilterLevel of ['Low', 'Normal', 'High', 'VeryHigh']) {
        const [image] = await scanned(fixture, ['labels'], {
          resolution: 200,
          barcodeReadingEnabled: true,
          barcodeFilterLevel,
        });
        const types = barcodesOf(image).map(each => each.barcodeType);
        for (const type of ['QR_CODE', 'DATA_MATRIX', 'AZTEC', 'PDF_417'])
          t.ok(types.includes(type), `${type} at ${barcodeFilterLevel}`);
        if (looser)
          t.ok(
            types.every(type => looser?.includes(type)),
            `${barcodeFilterLevel} accepts only codes that the previous level accepts`,
          );
        looser = types;
      }
    },
    ['duplex'],
  ),

  spec(
    'Resources, Image: ocrText has the text of each page, barcodes its codes',
    ['resources.image.ocrText', 'resources.image.barcodes', 'what.1.recognition'],
    async (t, _fixture, topology) => {
      const fixture = await equipped(topology);
      const [letter, invoice] = await scanned(fixture, ['letter', 'invoice'], {
        resolution: 200,
        colorMode: 'Grayscale',
        ocrEnabled: true,
        barcodeReadingEnabled: true,
        barcodeFormats: ['Code128'],
      });
      t.match(letter?.ocrText, /Dear Ms\. Whitcombe,[\s\S]*calibrate all fourteen analytical balances/);
      t.match(invoice?.ocrText, /Invoice number INV-2026-00417/i);
      t.notMatch(letter?.ocrText, /Invoice number/);
      t.match(invoice?.barcodes, [{ text: 'INV-2026-00417', barcodeType: 'CODE_128' }]);
      t.same(letter?.barcodes, []);
      const [plain] = await scanned(fixture, ['letter'], { resolution: 75 });
      t.equal(plain?.ocrText, '');
    },
    ['duplex'],
  ),

  spec(
    'Events: images of auto-scan include ocrText and barcodes when those are enabled',
    'events.2',
    async (t, _fixture, topology) => {
      const fixture = await equipped(topology);
      await fixture.load('duplex', []);
      await enable(t, fixture, 'duplex', {
        resolution: 200,
        colorMode: 'Grayscale',
        ocrEnabled: true,
        barcodeReadingEnabled: true,
      });
      const stream = await listen(t, fixture);
      await lay(fixture, ['invoice']);
      const [event] = await stream.come(1);
      const image = imageOf(event?.data);
      t.match(image.ocrText, /INVOICE/);
      t.ok(barcodesOf(image).some(each => each.text === 'INV-2026-00417'));
    },
    ['duplex'],
  ),
];

/** A fixture that reads pages and writes documents. */
export const equipped = (topology: Topology): Promise<Fixture> =>
  share(topology, {
    recognisers: ['@platen/document-pdf', '@platen/document-tiff', '@platen/barcode', '@platen/ocr'],
  });

const barcodesOf = (image: Image | undefined): readonly Barcode[] => (image?.barcodes ?? []) as readonly Barcode[];

async function lay(fixture: Fixture, samples: readonly Sample[]): Promise<void> {
  for (const [index, sample] of samples.entries()) {
    const page = await readFile(join(clone, 'drivers', 'virtual', 'samples', `${sample}.png`));
    const part = rows[sample];
    await insertFile(fixture.tray('duplex'), `${index}.png`, part ? await cutOut(page, part) : page);
  }
}

async function cutOut(page: Uint8Array, part: { readonly top: number; readonly height: number }): Promise<Buffer> {
  const { width, density = 0 } = await sharp(page).metadata();
  return sharp(page)
    .extract({ left: 0, width, ...part })
    .withDensity(density)
    .png()
    .toBuffer();
}

/** @param asIs the body does not match the schema's spelling */
async function scanned(
  fixture: Fixture,
  samples: readonly Sample[],
  parameters: object,
  asIs = false,
): Promise<readonly Image[]> {
  await fixture.load('duplex', []);
  await lay(fixture, samples);
  const { status, json, text } = await scan(fixture, 'duplex', parameters, { asIs });
  if (status !== 200) throw new Error(`the scan answered ${status}: ${text.slice(0, 300)}`);
  return json.images;
}
