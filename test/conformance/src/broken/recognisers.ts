/** Recognisers that break one promise each: by the case that must fail, and no other. */
import { setImmediate as breathe } from 'node:timers/promises';
import type { Barcode, BarcodeRecogniser, RawPage, Recogniser } from '@platen/core/plugin';
import { fakeBarcodes, fakeRecogniser } from '../fakeRecogniser.js';
import { calmCall } from '../pageTrials.js';
import type { RecogniserRig } from '../recogniserContract.js';
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
