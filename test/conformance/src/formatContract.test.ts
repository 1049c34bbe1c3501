/** The format suite passes over the fakes, and each of its cases fails over the format that breaks its promise. */
import type { Format } from '@platen/core/plugin';
import t from 'tap';
import { brokenFormats, fakeFormatFeatures } from './broken/formats.js';
import { failingCases } from './broken/failingCases.js';
import { fakeFormat, readFakeFile } from './fakeFormat.js';
import { formatCases, type FormatFeatures } from './formatCases.js';
import { whyNotRun } from './contractTest.js';
import { formatContract } from './formatContract.js';
import { pageIn } from './pixelValues.js';

void t.test('formatContract: the lossless fake, passes', t =>
  formatContract(t, {
    make: async () => ({ format: fakeFormat(), readBack: readFakeFile }),
    features: fakeFormatFeatures,
  }),
);
void t.test('formatContract: the lossy fake, passes', t =>
  formatContract(t, {
    make: async () => ({ format: fakeFormat({ lossy: true }), readBack: readFakeFile }),
    features: { ...fakeFormatFeatures, lossy: true },
  }),
);
void t.test('formatContract: format without decode, the other cases run', t =>
  formatContract(t, {
    async make() {
      const { decode: _, ...format } = fakeFormat();
      return { format };
    },
    features: { ...fakeFormatFeatures, decodes: false, readsBack: false },
  }),
);

void t.test('formatContract: a format in colour only that stores no resolution, passes', t => {
  const sound = fakeFormat();
  const format: Format = {
    ...sound,
    encode: (page, options, call) => sound.encode({ ...pageIn(page, 'rgb24'), dpi: 0 }, options, call),
  };
  const readBack = (bytes: Uint8Array) => {
    const { width, height, depth } = readFakeFile(bytes);
    return { width, height, depth };
  };
  const features = { ...fakeFormatFeatures, bilevelDepth: 24, greyDepth: 24, storesResolution: false } as const;
  return formatContract(t, {
    make: async () => ({ format, readBack }),
    features,
    gaps: { 'event-loop-free': 'this fake converts pixel by pixel' },
  });
});

for (const { id } of formatCases) {
  void t.test(`${id}: a format that breaks it, fails`, async t => {
    const body = brokenFormats[id];
    if (!body) return t.fail(`no broken format for ${id}`);
    const failed = await failingCases(formatCases, body.make, body.features);
    t.strictSame(Object.keys(failed), [id], JSON.stringify(failed));
  });
}

void t.test('formatContract: features that the rig contradicts, named in the failure', async t => {
  const { decode: _, ...format } = fakeFormat();
  const failed = await failingCases(formatCases, () => ({ format }), fakeFormatFeatures);
  t.match(failed['pixels-survive'], { message: /features\.decodes/ });
  t.match(failed['resolution-stored'], { message: /features\.readsBack/ });
});

void t.test('formatContract: features without how a file begins, not tried, with what to write', async t => {
  const { magic: _, ...untold } = fakeFormatFeatures;
  // A suite in JavaScript: the type is no help there.
  for (const features of [untold, { ...untold, magic: 'QOI' }] as unknown[] as FormatFeatures[]) {
    const found = formatCases.find(({ id }) => id === 'magic-bytes');
    const notRun = found && whyNotRun(found, { make: async () => ({ format: fakeFormat() }), features });
    t.match(notRun, { state: 'not-tried', sentence: /features\.magic.*PNG/ });
  }
});
