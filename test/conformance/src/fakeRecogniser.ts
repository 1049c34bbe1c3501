/** A recogniser that reads what its script says from every page that is not blank. */
import {
  type Barcode,
  type BarcodeRecogniser,
  type Blank,
  type BlankRecogniser,
  type Call,
  type OcrRecogniser,
  type PatchCode,
  type PatchRecogniser,
  type RawPage,
  type ReadText,
  type Recogniser,
  rowBytes,
  symbologies,
} from '@platen/core/plugin';

export interface FakeScript<Read> {
  /** What a page holds; two barcodes, two lines of text, some ink, or patch T, when absent. */
  readonly reads?: Read | ((page: RawPage) => Read);
  /** Every read waits for it, or for its call to be abandoned. */
  readonly until?: Promise<void>;
  /** Every read fails with it. */
  readonly fails?: unknown;
  /** OCR only; `['eng']` when absent. */
  readonly languages?: readonly string[];
}

export const fakeBarcodes: readonly Barcode[] = [
  { text: 'PLATEN-1', barcodeType: 'CODE_128', confidence: 1 },
  { text: 'https://localhost:53052', barcodeType: 'QR_CODE', confidence: 0.9 },
];
export const fakeText = 'What the page says,\nin two lines.';
/** Of a page with content. */
export const fakeInk: Blank = { isBlank: false, ink: 0.02, why: 'it has content' };
export const fakePatch: PatchCode = 'T';
const noInk: Blank = { isBlank: true, ink: 0, why: 'it is paper' };

/** The text with its words: each line has an equal share of the page's height, each character of its width. */
export function fakeWords(text: string, { width, height }: Pick<RawPage, 'width' | 'height'>): ReadText {
  const lines = text.split('\n');
  const rowHeight = height / lines.length;
  const words = lines.flatMap((row, line) =>
    [...row.matchAll(/\S+/g)].map(({ 0: word, index }) => {
      const letter = width / row.length;
      const box = { x: index * letter, y: line * rowHeight, width: word.length * letter, height: rowHeight };
      return { text: word, confidence: 0.9, ...box, line };
    }),
  );
  return { text, words };
}

const nothingIn = (found: string | ReadText): string | ReadText =>
  typeof found === 'string' ? '' : { text: '', words: [] };

/** How often each was asked to read so far. */
interface Counted {
  readonly reads: number;
}

export function fakeRecogniser(kind: 'barcode', script?: FakeScript<readonly Barcode[]>): BarcodeRecogniser & Counted;
export function fakeRecogniser(kind: 'ocr', script?: FakeScript<string | ReadText>): OcrRecogniser & Counted;
export function fakeRecogniser(kind: 'blank', script?: FakeScript<Blank>): BlankRecogniser & Counted;
export function fakeRecogniser(kind: 'patch', script?: FakeScript<PatchCode>): PatchRecogniser & Counted;
export function fakeRecogniser(
  kind: Recogniser['kind'],
  script:
    | FakeScript<readonly Barcode[]>
    | FakeScript<string | ReadText>
    | FakeScript<Blank>
    | FakeScript<PatchCode> = {},
): Recogniser & Counted {
  let reads = 0;
  const look = async <Read>(
    { reads: scripted, until, ...rest }: FakeScript<Read>,
    usual: Read,
    none: (found: Read) => Read,
    page: RawPage,
    { signal }: Call,
  ): Promise<Read> => {
    signal.throwIfAborted();
    reads++;
    if (until) await untilAborted(until, signal);
    if ('fails' in rest) throw rest.fails;
    const found = typeof scripted === 'function' ? (scripted as (page: RawPage) => Read)(page) : (scripted ?? usual);
    return isBlank(page) ? none(found) : found;
  };
  if (kind === 'ocr') {
    return {
      kind,
      languages: script.languages ?? ['eng'],
      get reads() {
        return reads;
      },
      read: (page, _wishes, call) => look(script as FakeScript<string | ReadText>, fakeText, nothingIn, page, call),
    };
  }
  if (kind === 'blank') {
    return {
      kind,
      get reads() {
        return reads;
      },
      read: (page, _wishes, call) => look(script as FakeScript<Blank>, fakeInk, () => noInk, page, call),
    };
  }
  if (kind === 'patch') {
    return {
      kind,
      get reads() {
        return reads;
      },
      read: (page, _wishes, call) =>
        look<PatchCode | undefined>(script as FakeScript<PatchCode>, fakePatch, () => undefined, page, call),
    };
  }
  return {
    kind,
    get reads() {
      return reads;
    },
    async read(page, { formats, stopAfterFirst }, call) {
      const found = await look(script as FakeScript<readonly Barcode[]>, fakeBarcodes, () => [], page, call);
      const wished = found.filter(
        each => formats.length === 0 || formats.some(format => symbologies[format] === each.barcodeType),
      );
      return stopAfterFirst ? wished.slice(0, 1) : wished;
    },
  };
}

function isBlank({ pixels, width, height, stride, data }: RawPage): boolean {
  const white = pixels === 'bw1' ? 0 : 255;
  const row = rowBytes(pixels, width);
  for (let y = 0; y < height; y++) {
    if (data.subarray(y * stride, y * stride + row).some(value => value !== white)) return false;
  }
  return true;
}

async function untilAborted(until: Promise<void>, signal: AbortSignal): Promise<void> {
  const gone = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: gone.signal });
  });
  try {
    await Promise.race([until, aborted]);
  } finally {
    gone.abort();
  }
}
