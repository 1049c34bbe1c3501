/** What a recogniser promises, case by case. */
import assert from 'node:assert/strict';
import {
  type Barcode,
  type BarcodeRecogniser,
  type BarcodeWishes,
  type Call,
  type OcrRecogniser,
  type RawPage,
  symbologies,
  type Symbology,
} from '@platen/core/plugin';
import type { ContractCase } from './contractTest.js';
import { blankPage, calmCall, copyOf, everyPixels, honoursAbort, leavesAlone } from './pageTrials.js';
import { pageIn } from './pixelValues.js';
import type { RecogniserFeatures, RecogniserRig } from './recogniserContract.js';
import { expectEqual, expectSame } from './driverCases/expect.js';

type RecogniserCase = ContractCase<RecogniserRig, RecogniserFeatures>;

const everything: BarcodeWishes = { filterLevel: 'Normal', formats: [], stopAfterFirst: false };
const spellings: ReadonlySet<string> = new Set(Object.values(symbologies));

const needsBarcodes = ({ kind }: RecogniserFeatures) => (kind === 'barcode' ? undefined : 'the recogniser reads text');

export const recogniserCases: readonly RecogniserCase[] = [
  {
    id: 'kind-known',
    title: 'says what it reads, and in which languages',
    async run({ recogniser }, { kind }) {
      expectSame(recogniser.kind, kind, 'kind');
      if (recogniser.kind !== 'ocr') return;
      assert.ok(recogniser.languages.length > 0, 'a recogniser of text needs a language');
      for (const language of recogniser.languages) assert.match(language, /^[A-Za-z_]+$/, `language ${language}`);
    },
  },
  {
    id: 'reads-the-page',
    title: 'reads what is on the page, in reading order',
    async run(rig, features) {
      finds(rig, await read(rig, features, await rig.page()), 'the page');
    },
  },
  {
    id: 'every-kind-of-pixels',
    title: 'reads colour, grey and 1-bit, with padding between the rows',
    async run(rig, features) {
      const page = await rig.page();
      for (const pixels of everyPixels.slice(everyPixels.indexOf(page.pixels))) {
        const found = await read(rig, features, pageIn(page, pixels, 3));
        assert.ok(found.length > 0, `nothing was read on the page as ${pixels}`);
      }
    },
  },
  {
    id: 'blank-page',
    title: 'finds nothing on a blank page',
    async run(rig, features) {
      for (const pixels of everyPixels) {
        const found = await read(rig, features, blankPage({ width: 400, height: 300, pixels }));
        expectEqual(found, features.kind === 'ocr' ? '' : [], `what was read on a blank ${pixels} page`);
      }
    },
  },
  {
    id: 'one-pixel-page',
    title: 'takes a page of one pixel',
    async run(rig, features) {
      for (const pixels of everyPixels) await read(rig, features, blankPage({ width: 1, height: 1, pixels }));
    },
  },
  {
    id: 'page-not-written-to',
    title: "leaves the page's buffer as it was",
    async run(rig, features) {
      await leavesAlone(await rig.page(), page => read(rig, features, page));
    },
  },
  {
    id: 'abort-honoured',
    title: "throws the signal's reason when abandoned",
    async run(rig, features) {
      const page = await rig.page();
      await honoursAbort('read', call => read(rig, features, page, {}, call));
    },
  },
  {
    id: 'concurrent-reads',
    title: 'keeps pages apart that are read at the same time',
    async run(rig, features) {
      const full = await rig.page();
      const blank = blankPage({ width: full.width, height: full.height, pixels: full.pixels });
      const alone = [await read(rig, features, copyOf(full)), await read(rig, features, copyOf(blank))];
      const together = await Promise.all([full, blank, full, blank].map(page => read(rig, features, copyOf(page))));
      expectEqual(together, [...alone, ...alone], 'four pages read at once, and the same one after the other');
    },
  },
  {
    id: 'barcode-facts',
    title: 'spells symbologies as the interface does, with a confidence from 0 to 1',
    skip: needsBarcodes,
    async run(rig) {
      for (const { barcodeType, confidence } of await readBarcodes(rig)) {
        assert.ok(spellings.has(barcodeType), `barcodeType ${barcodeType} is none of ${[...spellings].join(', ')}`);
        assert.ok(confidence >= 0 && confidence <= 1, `a confidence of ${confidence}`);
      }
    },
  },
  {
    id: 'formats-narrow',
    title: 'reads the wished symbologies only',
    skip: needsBarcodes,
    async run(rig) {
      const types = new Set(held(rig).map(each => each.barcodeType));
      assert.ok(types.size > 1, "the rig's page needs barcodes of two symbologies");
      for (const [format, spelling] of Object.entries(symbologies)) {
        if (!types.has(spelling)) continue;
        const found = await readBarcodes(rig, { formats: [format as Symbology] });
        expectEqual(
          [...new Set(found.map(each => each.barcodeType))],
          [spelling],
          `symbologies found when ${format} was wished`,
        );
      }
    },
  },
  {
    id: 'stop-after-first',
    title: 'stops after the first barcode when that is wished',
    skip: needsBarcodes,
    async run(rig) {
      assert.ok(held(rig).length > 1, "the rig's page needs two barcodes");
      const found = await readBarcodes(rig, { stopAfterFirst: true });
      expectSame(found.length, 1, 'barcodes found');
    },
  },
];

/** Dispatches on the features, so that a recogniser that misnames its kind fails the case about that and no other. */
async function read(
  { recogniser }: RecogniserRig,
  { kind }: RecogniserFeatures,
  page: RawPage,
  wishes: Partial<BarcodeWishes> = {},
  call: Call = calmCall(),
): Promise<readonly Barcode[] | string> {
  if (kind === 'ocr') return (recogniser as OcrRecogniser).read(page, {}, call);
  return (recogniser as BarcodeRecogniser).read(page, { ...everything, ...wishes }, call);
}

async function readBarcodes(rig: RecogniserRig, wishes: Partial<BarcodeWishes> = {}): Promise<readonly Barcode[]> {
  return (await read(rig, { kind: 'barcode' }, await rig.page(), wishes)) as readonly Barcode[];
}

function held({ holds }: RecogniserRig): readonly Pick<Barcode, 'text' | 'barcodeType'>[] {
  assert.ok(typeof holds !== 'string', "rig.holds needs barcodes, as the recogniser's kind is barcode");
  return holds;
}

function finds({ holds }: RecogniserRig, found: readonly Barcode[] | string, what: string): void {
  if (typeof holds !== 'string') {
    assert.ok(typeof found !== 'string', `${what} was read as text`);
    expectEqual(
      found.map(({ text, barcodeType }) => ({ text, barcodeType })),
      holds.map(({ text, barcodeType }) => ({ text, barcodeType })),
      what,
    );
    return;
  }
  assert.ok(typeof found === 'string', `${what} was read as barcodes`);
  let from = 0;
  for (const word of holds.split(/\s+/).filter(Boolean)) {
    const at = found.indexOf(word, from);
    assert.ok(at >= 0, `${what}: "${word}" was not read, or not in its place, in "${found}"`);
    from = at + word.length;
  }
}
