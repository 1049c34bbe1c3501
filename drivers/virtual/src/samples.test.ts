/** The built-in documents are what a person would take for documents, and every code on them can be read. */
import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { RawPage } from '@platen/core/plugin';
import t from 'tap';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/full';
import { orderOf, pagesOf, rigOf } from './rig.test.kit.js';
import { sample, sampleNames } from './samples.js';

const wasm = readFileSync(fileURLToPath(import.meta.resolve('zxing-wasm/full/zxing_full.wasm')));
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } });

const invoice = [
  'Code128 INV-2026-00417',
  'QRCode https://pay.northfield.example/INV-2026-00417?amount=9597.81&currency=USD',
];
const labels = [
  'Aztec GATE 12 BAY 3',
  'Codabar A40156B',
  'Code128 DN-2026-00917',
  'Code39 PALLET-07',
  'Code93 BIN 4C-118',
  'DataMatrix LOT 0226-B / SN 48812',
  'EAN13 4006381333931',
  'EAN8 96385074',
  'ITF 15400141288763',
  'PDF417 SHIP TO: ASHGROVE, BURLINGTON VT; 3 CARTONS; 41.5 KG',
  'QRCode https://track.example/DN-2026-00917',
  'UPCA 036000291452',
  'UPCE 01234565',
];

type Image = Parameters<typeof readBarcodes>[0];

/** Every code that the captions name, as "format text". */
async function codes(page: RawPage, expected: readonly string[]): Promise<string[]> {
  const { width, height, data } = page;
  const opaque = Uint32Array.from(data, grey => (grey * 0x01_01_01 + 0xff00_0000) >>> 0);
  const rgba = new Uint8ClampedArray(opaque.buffer);
  const found: string[] = [];
  const formats = [...new Set(expected.map(each => each.split(' ')[0]!))];
  // Asked for alone: UPC-A is otherwise given as EAN-13.
  for (const some of [formats.filter(each => each !== 'UPCA'), formats.filter(each => each === 'UPCA')]) {
    if (some.length === 0) continue;
    const options = { formats: some as 'QRCode'[], tryHarder: true, maxNumberOfSymbols: 20 };
    const read = await readBarcodes({ width, height, data: rgba } as unknown as Image, options);
    found.push(...read.map(code => `${code.format} ${code.text}`));
  }
  return found;
}

for (const resolution of [200, 300]) {
  t.test(`samples: every barcode decodes at ${resolution} dpi`, async t => {
    const { session } = await rigOf(t, { samples: 4 });
    const pages = await pagesOf(session, orderOf({ resolution, colorMode: 'Grayscale', pageSize: 'Letter' }));
    t.equal(pages.length, 4);
    for (const [n, expected] of [invoice, labels].entries()) {
      const found = await codes(pages[n + 1]!, expected);
      for (const code of expected)
        t.ok(
          found.some(each => sameCode(each, code)),
          `${code} among ${found.join(' | ')}`,
        );
    }
  });
}

/** The texts of UPC codes come as the EAN-13 that they stand for. */
function sameCode(found: string, expected: string): boolean {
  const expanded: Readonly<Record<string, string>> = {
    'UPCA 036000291452': 'UPCA 0036000291452',
    'UPCE 01234565': 'UPCE 0012345000065',
  };
  return found === expected || found === expanded[expected];
}

t.test('samples: small files of Letter size at 200 dpi', async t => {
  for (const [n, name] of sampleNames.entries()) {
    const { width, height, density } = await sample(n);
    t.same({ width, height, density }, { width: 1700, height: 2200, density: 200 }, name);
    t.ok(statSync(new URL(`../samples/${name}`, import.meta.url)).size < 150_000, `${name} is small`);
  }
});

t.test('samples: the first again after the last', async t => {
  t.same((await sample(4)).bytes, (await sample(0)).bytes);
});
