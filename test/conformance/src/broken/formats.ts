/** Formats that break one promise each: by the case that must fail, and no other. */
import { setImmediate as breathe } from 'node:timers/promises';
import { type RawPage, rowBytes } from '@platen/core/plugin';
import { fakeFormat, readFakeFile, type FakeFormat } from '../fakeFormat.js';
import type { FormatFeatures, FormatRig } from '../formatCases.js';
import { calmCall } from '../pageTrials.js';
import { pageIn } from '../pixelValues.js';

export const fakeFormatFeatures: FormatFeatures = {
  lossy: false,
  decodes: true,
  readsBack: true,
  bilevelDepth: 1,
  magic: Buffer.from('{"width":'),
};

export interface BrokenFormat {
  readonly features: FormatFeatures;
  make(): FormatRig;
}

/** @param differences what it does otherwise than the sound fake */
function broken(differences: (sound: FakeFormat) => Partial<FakeFormat>, lossy = false): BrokenFormat {
  return {
    features: { ...fakeFormatFeatures, lossy },
    make() {
      const sound = fakeFormat({ lossy });
      return { format: { ...sound, ...differences(sound) }, readBack: readFakeFile };
    },
  };
}

export const brokenFormats: Readonly<Record<string, BrokenFormat>> = {
  names: broken(() => ({ aliases: ['Fake'] })),
  'magic-bytes': {
    features: { ...fakeFormatFeatures, magic: Buffer.from('FAKE') },
    make: () => ({ format: fakeFormat(), readBack: readFakeFile }),
  },
  'pixels-survive': broken(sound => ({ encode: (page, options, call) => sound.encode(darker(page), options, call) })),
  'size-and-depth-stored': broken(sound => ({
    encode: (page, options, call) => sound.encode(page.pixels === 'bw1' ? pageIn(page, 'gray8') : page, options, call),
  })),
  'resolution-stored': broken(sound => ({
    encode: (page, options, call) => sound.encode({ ...page, dpi: 72 }, options, call),
  })),
  'padding-left-out': broken(sound => ({
    encode: (page, options, call) =>
      sound.encode({ ...page, stride: rowBytes(page.pixels, page.width) }, options, call),
  })),
  'one-pixel-page': broken(sound => ({
    async encode(page, options, call) {
      if (page.width === 1) throw new RangeError('a page has two pixels at least');
      return sound.encode(page, options, call);
    },
  })),
  'page-not-written-to': broken(sound => ({
    async encode(page, options, call) {
      const bytes = await sound.encode(page, options, call);
      page.data.fill(0);
      return bytes;
    },
  })),
  'broken-file-refused': broken(sound => ({
    decode(bytes, call) {
      const { width, height, depth } = readFakeFile(bytes);
      const whole = new Uint8Array(bytes.indexOf(10) + 1 + Math.ceil((width * depth) / 8) * height);
      whole.set(bytes);
      return sound.decode(whole, call);
    },
  })),
  'abort-honoured': broken(sound => ({ encode: (page, options) => sound.encode(page, options, calmCall()) })),
  'event-loop-free': broken(sound => ({
    async encode(page, options, call) {
      if (page.width < 1000) return sound.encode(page, options, call);
      const { width, height, dpi, pixels } = page;
      return Buffer.concat([Buffer.from(`${JSON.stringify({ width, height, dpi, pixels })}\n`), page.data]);
    },
  })),
  'concurrent-encodes': broken(sound => {
    let current: RawPage;
    return {
      async encode(page, options, call) {
        current = page;
        await breathe();
        return sound.encode(current, options, call);
      },
    };
  }),
  'quality-honoured': broken(
    sound => ({ encode: (page, _options, call) => sound.encode(page, { quality: 90 }, call) }),
    true,
  ),
};

function darker(page: RawPage): RawPage {
  return { ...page, data: page.data.map(value => value >> 1) };
}
