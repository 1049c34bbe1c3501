/** The vendor's format, recogniser and processor of `vendorImaging.long.test.ts`, in the published suites. */
import { formatContract, processorContract, recogniserContract, testPage } from '@platen/conformance';
import type { CustomProcessor, CustomRecogniser, Format, RawPage } from '@platen/core/plugin';
import sharp from 'sharp';
import t from 'tap';

const fixtures = new URL('../../plugins/fixtures/acme-imaging/', import.meta.url).href;
const { webp } = (await import(`${fixtures}webp.js`)) as { webp: Format };
const { stamp } = (await import(`${fixtures}stamp.js`)) as { stamp: CustomRecogniser };
const { despeckle } = (await import(`${fixtures}despeckle.js`)) as { despeckle: CustomProcessor };

void t.test('the vendor’s WebP: without a resolution, in colour only', t =>
  formatContract(t, {
    make: async () => ({
      format: webp,
      async readBack(bytes) {
        const { width, height, channels } = await sharp(bytes).metadata();
        return { width, height, depth: channels * 8 };
      },
    }),
    features: {
      lossy: true,
      decodes: true,
      readsBack: true,
      bilevelDepth: 24,
      greyDepth: 24,
      storesResolution: false,
      magic: Buffer.from('RIFF'),
    },
  }),
);

void t.test('the vendor’s processor', t =>
  processorContract(t, {
    make: async () => ({ processor: despeckle, options: { radius: 1 } }),
    features: { name: 'despeckle' },
  }),
);

/** White with a black box. */
function form(): RawPage {
  const [width, height] = [200, 150];
  const data = new Uint8Array(width * height).fill(255);
  for (let y = 40; y < 90; y++) data.fill(0, y * width + 60, y * width + 160);
  return { ...testPage({ pixels: 'gray8' }), width, height, stride: width, dpi: 254, data };
}

void t.test('the vendor’s recogniser', t =>
  recogniserContract(t, {
    make: async () => ({
      recogniser: stamp,
      page: form,
      wishes: { darkness: 128, unit: 'mm' },
      finds: { x: 6, y: 4, width: 10, height: 5 },
    }),
    features: { kind: 'stamp' },
  }),
);
