/** What a recogniser promises, case by case. */
import assert from 'node:assert/strict';
import {
  type Barcode,
  type BarcodeRecogniser,
  type BarcodeWishes,
  type Blank,
  type BlankRecogniser,
  type Call,
  type CustomRecogniser,
  type OcrRecogniser,
  type PatchRecogniser,
  type RawPage,
  type Recogniser,
  type ReadText,
  symbologies,
  type Symbology,
} from '@platen/core/plugin';
import { knownKinds } from '@platen/core/wire';
import type { ContractCase } from './contractTest.js';
import { blankPage, calmCall, copyOf, everyPixels, honoursAbort, leavesAlone } from './pageTrials.js';
import { pageIn, quarterTurned } from './pixelValues.js';
import { assertName, assertSchema } from './ownSchema.js';
import { expectEqual, expectSame } from './driverCases/expect.js';

export interface RecogniserFeatures {
  /** A known one, or its own. */
  readonly kind: Recogniser['kind'] | (string & {});
  /** A recogniser of text that also says where the words are. */
  readonly words?: true;
}

export interface RecogniserRig {
  readonly recogniser: Recogniser | CustomRecogniser;
  /** A page to read, black on white; the suite also shows it in fewer colours. A new buffer with each call. */
  page(): RawPage | Promise<RawPage>;
  /**
   * What is on it. Barcodes in reading order, two of them at least and of two symbologies; or words, which are
   * looked for one after the other in the text; or a patch code, along one edge at least. Absent for `blank`: the page
   * has content.
   */
  readonly holds?: readonly Pick<Barcode, 'text' | 'barcodeType'>[] | string;
  /** Of another kind: what core hands over, with the schema's defaults. `{}` when absent. */
  readonly wishes?: Readonly<Record<string, unknown>>;
  /** Of another kind: what it finds on the page with these wishes. */
  readonly finds?: unknown;
  dispose?(): Promise<void>;
}

type RecogniserCase = ContractCase<RecogniserRig, RecogniserFeatures>;

const everything: BarcodeWishes = { filterLevel: 'Normal', formats: [], stopAfterFirst: false };
/** Of the sum of a place and a length with decimals. */
const ROUNDING = 1e-6;
const spellings: ReadonlySet<string> = new Set(Object.values(symbologies));

/** What is read on a page, by the kind of the recogniser. */
type Found = readonly Barcode[] | string | Blank | undefined;

const isKnown = ({ kind }: RecogniserFeatures): boolean => (knownKinds as readonly string[]).includes(kind);
const needsOwnKind = (features: RecogniserFeatures): string | undefined =>
  isKnown(features) ? `${features.kind} is a known kind` : undefined;

const needs =
  (wanted: Recogniser['kind']) =>
  ({ kind }: RecogniserFeatures): string | undefined =>
    kind === wanted ? undefined : `the recogniser is of kind ${kind}`;

const needsWords = ({ kind, words }: RecogniserFeatures) =>
  kind === 'ocr' && words ? undefined : 'the recogniser does not say where words are';

export const recogniserCases: readonly RecogniserCase[] = [
  {
    id: 'kind-known',
    title: 'says what it reads, and in which languages',
    async run({ recogniser }, { kind }) {
      expectSame(recogniser.kind, kind, 'kind');
      if (recogniser.wishes || recogniser.kind !== 'ocr') return;
      assert.ok(recogniser.languages.length > 0, 'a recogniser of text needs a language');
      for (const language of recogniser.languages) assert.match(language, /^[A-Za-z_]+$/, `language ${language}`);
    },
  },
  {
    id: 'wishes-checked',
    title: 'has a kind that requests can say, and a schema by which they are checked',
    skip: needsOwnKind,
    async run({ recogniser }) {
      assertName(recogniser.kind, 'kind');
      assertSchema(recogniser.wishes, 'wishes');
    },
  },
  {
    id: 'finding-is-json',
    title: 'returns what JSON can hold',
    hint: 'Return plain objects, lists, numbers, texts, booleans and null: no undefined, NaN, Map, Date or BigInt in them.',
    skip: needsOwnKind,
    async run(rig, features) {
      const found = await read(rig, features, await rig.page());
      const text = JSON.stringify(found ?? null) as string | undefined;
      assert.ok(text !== undefined, 'it found what JSON cannot hold');
      assert.deepEqual(JSON.parse(text), found ?? null, 'what it found, and the same as JSON');
    },
  },
  {
    id: 'reads-the-page',
    title: 'reads what is on the page, in reading order',
    async run(rig, features) {
      finds(rig, features, await read(rig, features, await rig.page()), 'the page');
    },
  },
  {
    id: 'every-kind-of-pixels',
    title: 'reads colour, grey and 1-bit, with padding between the rows',
    async run(rig, features) {
      const page = await rig.page();
      for (const pixels of everyPixels.slice(everyPixels.indexOf(page.pixels))) {
        const found = await read(rig, features, pageIn(page, pixels, 3));
        assert.ok(!isNothing(found), `nothing was read on the page as ${pixels}`);
      }
    },
  },
  {
    id: 'blank-page',
    title: 'finds nothing on a blank page',
    async run(rig, features) {
      for (const pixels of everyPixels) {
        const found = await read(rig, features, blankPage({ width: 400, height: 300, pixels }));
        assert.ok(isNothing(found), `a blank ${pixels} page was read as ${JSON.stringify(found)}`);
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
    hint: 'Copy the pixels before you change them, new Uint8Array(packedRows(page)): formats and recognisers read the same buffer.',
    async run(rig, features) {
      await leavesAlone(await rig.page(), page => read(rig, features, page));
    },
  },
  {
    id: 'abort-honoured',
    title: "throws the signal's reason when abandoned",
    hint: 'Begin with signal.throwIfAborted(), and call it again after each await; hand the signal to what you wait for.',
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
    id: 'word-facts',
    title: 'gives the words of the text in its order, with boxes in the page and a confidence from 0 to 1',
    skip: needsWords,
    async run(rig) {
      const page = await rig.page();
      const { text, words } = await readWords(rig, page);
      expectSame(words.map(each => each.text).join(''), text.replace(/\s+/g, ''), 'the words, one after the other');
      let last = -Infinity;
      for (const { text, confidence, x, y, width, height, line } of words) {
        const what = `the word "${text}"`;
        assert.match(text, /^\S+$/, `${what} is empty or contains white space`);
        assert.ok(confidence >= 0 && confidence <= 1, `${what} has a confidence of ${confidence}`);
        const box = [x, y, x + width, y + height].join(', ');
        assert.ok(width > 0 && height > 0, `${what} has no area: ${box}`);
        const isInside = x >= 0 && y >= 0 && x + width <= page.width + ROUNDING && y + height <= page.height + ROUNDING;
        assert.ok(isInside, `${what} is outside of the page of ${page.width} x ${page.height}: ${box}`);
        assert.ok(Number.isInteger(line) && line >= last, `${what} is in line ${line}, after line ${last}`);
        last = line;
      }
    },
  },
  {
    id: 'blank-page-words',
    title: 'gives no words on a blank page',
    skip: needsWords,
    async run(rig) {
      const { words } = await readWords(rig, blankPage({ width: 400, height: 300, pixels: 'gray8' }));
      expectEqual(words, [], 'words on a blank page');
    },
  },
  {
    id: 'barcode-facts',
    title: 'spells symbologies as the interface does, or as its own, with a confidence from 0 to 1',
    skip: needs('barcode'),
    async run(rig) {
      const { symbologies: own = {} } = rig.recogniser as BarcodeRecogniser;
      const spelt = new Set([...spellings, ...Object.values(own)]);
      for (const { barcodeType, confidence } of await readBarcodes(rig)) {
        assert.ok(spelt.has(barcodeType), `barcodeType ${barcodeType} is none of ${[...spelt].join(', ')}`);
        assert.ok(confidence >= 0 && confidence <= 1, `a confidence of ${confidence}`);
      }
    },
  },
  {
    id: 'formats-narrow',
    title: 'reads the wished symbologies only',
    skip: needs('barcode'),
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
    skip: needs('barcode'),
    async run(rig) {
      assert.ok(held(rig).length > 1, "the rig's page needs two barcodes");
      const found = await readBarcodes(rig, { stopAfterFirst: true });
      expectSame(found.length, 1, 'barcodes found');
    },
  },
  {
    id: 'blank-facts',
    title: 'says how much ink a page has, from 0 to 1, and what decided it',
    skip: needs('blank'),
    async run(rig, features) {
      const page = await rig.page();
      for (const each of [page, blankPage({ width: page.width, height: page.height, pixels: page.pixels })]) {
        const { ink, why } = (await read(rig, features, each)) as Blank;
        assert.ok(ink >= 0 && ink <= 1, `an ink of ${ink}`);
        assert.ok(why.trim() !== '', 'why is empty');
      }
    },
  },
  {
    id: 'fed-from-any-edge',
    title: 'reads the same patch code whichever edge of the sheet was fed first',
    skip: needs('patch'),
    async run(rig, features) {
      let page = await rig.page();
      for (const degrees of [90, 180, 270]) {
        page = quarterTurned(page);
        finds(rig, features, await read(rig, features, copyOf(page)), `the page turned by ${degrees}°`);
      }
    },
  },
];

/** Dispatches on the features, so that a recogniser that misnames its kind fails the case about that and no other. */
async function read(
  { recogniser, wishes: own = {} }: RecogniserRig,
  features: RecogniserFeatures,
  page: RawPage,
  wishes: Partial<BarcodeWishes> = {},
  call: Call = calmCall(),
): Promise<Found> {
  const { kind } = features;
  if (!isKnown(features)) return (recogniser as CustomRecogniser).read(page, own, call) as Promise<Found>;
  if (kind === 'blank') return (recogniser as BlankRecogniser).read(page, {}, call);
  if (kind === 'patch') return (recogniser as PatchRecogniser).read(page, {}, call);
  if (kind === 'ocr') {
    const found = await (recogniser as OcrRecogniser).read(page, {}, call);
    return typeof found === 'string' ? found : found.text;
  }
  return (recogniser as BarcodeRecogniser).read(page, { ...everything, ...wishes }, call);
}

async function readWords({ recogniser }: RecogniserRig, page: RawPage): Promise<ReadText> {
  const found = await (recogniser as OcrRecogniser).read(page, {}, calmCall());
  assert.ok(typeof found !== 'string', 'the recogniser returned the text alone');
  return found;
}

async function readBarcodes(rig: RecogniserRig, wishes: Partial<BarcodeWishes> = {}): Promise<readonly Barcode[]> {
  return (await read(rig, { kind: 'barcode' }, await rig.page(), wishes)) as readonly Barcode[];
}

function held({ holds }: RecogniserRig): readonly Pick<Barcode, 'text' | 'barcodeType'>[] {
  assert.ok(typeof holds === 'object', "rig.holds needs barcodes, as the recogniser's kind is barcode");
  return holds;
}

function isNothing(found: Found | null): boolean {
  if (found === undefined || found === null) return true;
  return isInk(found) ? found.isBlank && found.ink === 0 : found.length === 0;
}

function isInk(found: Found): found is Blank {
  return typeof found === 'object' && 'isBlank' in found;
}

function finds(rig: RecogniserRig, features: RecogniserFeatures, found: Found, what: string): void {
  const [{ holds }, { kind }] = [rig, features];
  if (!isKnown(features)) {
    assert.ok(rig.finds !== undefined, 'rig.finds is needed for a recogniser of another kind');
    return expectEqual(found, rig.finds, `what was found on ${what}`);
  }
  if (kind === 'patch') return expectSame(found, holds, `the patch code of ${what}`);
  if (isInk(found)) {
    assert.ok(!found.isBlank, `${what} has content, and was called blank: ${found.why}`);
    assert.ok(found.ink > 0, `${what} has content, and an ink of ${found.ink}`);
    return;
  }
  assert.ok(holds !== undefined && found !== undefined, 'rig.holds is needed for a recogniser of barcodes or text');
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
