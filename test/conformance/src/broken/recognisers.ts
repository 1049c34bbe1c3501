/** Recognisers that break one promise each: by the case that must fail, and no other. */
import { setImmediate as breathe } from 'node:timers/promises';
import type {
  Barcode,
  BarcodeRecogniser,
  Blank,
  BlankRecogniser,
  CustomRecogniser,
  PatchCode,
  PatchRecogniser,
  RawPage,
  Recogniser,
} from '@platen/core/plugin';
import { fakeBarcodes, fakePatch, fakeRecogniser } from '../fakeRecogniser.js';
import { calmCall } from '../pageTrials.js';
import type { RecogniserRig } from '../recogniserCases.js';
import { testPage } from '../testPages.js';

type Read = BarcodeRecogniser['read'];

function broken(differences: (read: Read) => object): () => RecogniserRig {
  return () => {
    const sound = fakeRecogniser('barcode');
    return { recogniser: { ...sound, ...differences(sound.read) } as Recogniser, page: testPage, holds: fakeBarcodes };
  };
}

const onEach = (change: (found: readonly Barcode[], page: RawPage) => readonly Barcode[]) =>
  broken(read => ({
    read: async (page: RawPage, ...rest: [Parameters<Read>[1], Parameters<Read>[2]]) =>
      change(await read(page, ...rest), page),
  }));

export const brokenRecognisers: Readonly<Record<string, () => RecogniserRig>> = {
  'kind-known': broken(() => ({ kind: 'codes' })),
  'reads-the-page': onEach(found => found.toReversed()),
  'every-kind-of-pixels': onEach((found, page) => (page.pixels === 'bw1' ? [] : found)),
  'blank-page': broken(
    read =>
      ({
        read: async (page, wishes, call) => (page.width === 400 ? fakeBarcodes : read(page, wishes, call)),
      }) satisfies { read: Read },
  ),
  'one-pixel-page': broken(
    read =>
      ({
        async read(page, wishes, call) {
          if (page.width === 1) throw new RangeError('a page has two pixels at least');
          return read(page, wishes, call);
        },
      }) satisfies { read: Read },
  ),
  'page-not-written-to': onEach((found, page) => {
    page.data.fill(255);
    return found;
  }),
  'abort-honoured': broken(
    read => ({ read: (page, wishes) => read(page, wishes, calmCall()) }) satisfies { read: Read },
  ),
  'concurrent-reads': broken(read => {
    let current: RawPage;
    return {
      async read(page, wishes, call) {
        current = page;
        await breathe();
        return read(current, wishes, call);
      },
    } satisfies { read: Read };
  }),
  'barcode-facts': onEach(found => found.map(each => ({ ...each, confidence: 87 }))),
  'formats-narrow': broken(
    read => ({ read: (page, wishes, call) => read(page, { ...wishes, formats: [] }, call) }) satisfies { read: Read },
  ),
  'stop-after-first': broken(
    read =>
      ({ read: (page, wishes, call) => read(page, { ...wishes, stopAfterFirst: false }, call) }) satisfies {
        read: Read;
      },
  ),
};

const onEachBlank = (change: (found: Blank, page: RawPage) => Blank) => (): RecogniserRig => {
  const sound = fakeRecogniser('blank');
  const read: BlankRecogniser['read'] = async (page, ...rest) => change(await sound.read(page, ...rest), page);
  return { recogniser: { ...sound, read }, page: testPage };
};

/** Of kind `blank`: the cases that judge what it found. */
export const brokenBlankRecognisers: Readonly<Record<string, () => RecogniserRig>> = {
  'reads-the-page': onEachBlank((found, { width, stride }) =>
    stride === width * 3 && !found.isBlank ? { ...found, ink: 0 } : found,
  ),
  'every-kind-of-pixels': onEachBlank((found, { pixels }) =>
    pixels === 'bw1' ? { ...found, isBlank: true, ink: 0 } : found,
  ),
  'blank-page': onEachBlank((found, { pixels }) => (pixels === 'gray8' ? { ...found, ink: 0.01 } : found)),
  'blank-facts': onEachBlank(found => (found.isBlank ? found : { ...found, ink: 2 })),
};

const onEachPatch =
  (change: (found: PatchCode | undefined, page: RawPage) => PatchCode | undefined) => (): RecogniserRig => {
    const sound = fakeRecogniser('patch');
    const read: PatchRecogniser['read'] = async (page, ...rest) => change(await sound.read(page, ...rest), page);
    return { recogniser: { ...sound, read }, page: testPage, holds: fakePatch };
  };

/** Of kind `patch`: the cases that judge what it found. */
export const brokenPatchRecognisers: Readonly<Record<string, () => RecogniserRig>> = {
  // Only as it is first shown: its first pixel is black, and no row is padded.
  'reads-the-page': onEachPatch((found, { pixels, width, stride, data }) =>
    pixels === 'rgb24' && width === 64 && stride === width * 3 && data[0] === 0 ? '2' : found,
  ),
  'every-kind-of-pixels': onEachPatch((found, { pixels }) => (pixels === 'bw1' ? undefined : found)),
  'blank-page': onEachPatch((found, { pixels, width }) => (pixels === 'gray8' && width === 400 ? 'T' : found)),
  // T read from its other end.
  'fed-from-any-edge': onEachPatch((found, { width, height }) => (found && width < height ? '3' : found)),
};

/** What the fake of another kind finds on a page with content. */
export const foundStamp = { texts: ['PAID'], least: 2 } as const;

/** A recogniser of another kind. */
export function stampFake(differences: Partial<CustomRecogniser> = {}): () => RecogniserRig {
  const ink = fakeRecogniser('blank');
  const recogniser: CustomRecogniser = {
    kind: 'stamp',
    wishes: { type: 'object', properties: { least: { type: 'integer', default: 2 } } },
    async read(page, { least }, call) {
      const { isBlank } = await ink.read(page, {}, call);
      return isBlank ? null : { texts: ['PAID'], least };
    },
    ...differences,
  };
  return () => ({ recogniser, page: testPage, wishes: { least: 2 }, finds: foundStamp });
}

const { read: readStamp } = stampFake()().recogniser as CustomRecogniser;

/** Recognisers of another kind, by the case that must fail. */
export const brokenStamps: Readonly<Record<string, () => RecogniserRig>> = {
  'kind-known': stampFake({ kind: 'seal' }),
  'wishes-checked': stampFake({ wishes: { type: 'object', properties: { least: { $ref: '#/$defs/least' } } } }),
  'finding-is-json': stampFake({
    // The same to JSON's own methods, and not as JSON.
    read: async (...given) => ((await readStamp(...given)) === null ? null : { ...foundStamp, at: new Date(0) }),
  }),
  'reads-the-page': stampFake({
    read: async (...given) => ((await readStamp(...given)) === null ? null : { texts: [], least: 2 }),
  }),
  'blank-page': stampFake({
    read: async (page, wishes, call) => (page.width === 400 ? foundStamp : readStamp(page, wishes, call)),
  }),
};
