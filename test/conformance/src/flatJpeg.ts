/** JPEGs whose pixels are known without decoding them: baseline (T.81), each block of 8 x 8 pixels of one colour. */
import type { RawPage } from '@platen/core/plugin';
import { colourAt } from './pixelValues.js';
import { testPage, type TestPageWishes } from './testPages.js';

/** Pixels of a block's side. */
const BLOCK = 8;

/** Every code of a DC size, 0 to 11, is the size itself in four bits; the only AC code, one bit, ends a block. */
const dcTable = [0x00, ...counts(4, 12), ...Array.from({ length: 12 }, (_, size) => size)];
const acTable = [0x10, ...counts(1, 1), 0];

/** A page of such blocks; colours that a JPEG gives back to within a step or two. `bw1` is not possible. */
export function flatPage(wishes: Omit<TestPageWishes, 'padding'> & { readonly pixels: 'rgb24' | 'gray8' }): RawPage {
  const page = testPage(wishes);
  const samples = wishes.pixels === 'rgb24' ? 3 : 1;
  for (let y = 0; y < page.height; y++) {
    for (let x = 0; x < page.width; x++) {
      const from = (y - (y % BLOCK)) * page.stride + (x - (x % BLOCK)) * samples;
      page.data.copyWithin(y * page.stride + x * samples, from, from + samples);
    }
  }
  return page;
}

/** The colour of each block's first pixel. */
export function flatJpeg({ width, height, dpi, pixels, stride, data }: RawPage): Buffer {
  const components = pixels === 'rgb24' ? 3 : 1;
  const jfif = Buffer.from('JFIF\0\x01\x02\x01\0\0\0\0\0\0', 'latin1');
  jfif.writeUInt16BE(dpi, 8);
  jfif.writeUInt16BE(dpi, 10);
  const [x, y] = [Math.ceil(width / BLOCK), Math.ceil(height / BLOCK)];
  const ids = Array.from({ length: components }, (_, i) => i + 1);
  const frame = [
    8,
    height >> 8,
    height & 255,
    width >> 8,
    width & 255,
    components,
    ...ids.flatMap(id => [id, 0x11, 0]),
  ];
  const bits = bitWriter(x * y * components * 4);
  const before = [0, 0, 0];
  for (let block = 0; block < x * y; block++) {
    const colour = colourAt({ pixels, stride, data }, (block % x) * BLOCK, Math.floor(block / x) * BLOCK);
    for (let component = 0; component < components; component++) {
      const level = components === 1 ? colour[0] : luminance(colour)[component]!;
      const dc = (Math.round(level) - 128) * 8;
      const step = dc - before[component]!;
      before[component] = dc;
      const size = step === 0 ? 0 : 32 - Math.clz32(Math.abs(step));
      bits.put(size, 4);
      bits.put(step < 0 ? step + (1 << size) - 1 : step, size);
      bits.put(0, 1);
    }
  }
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, jfif),
    segment(0xdb, Buffer.alloc(65, 1).fill(0, 0, 1)),
    segment(0xc0, frame),
    segment(0xc4, dcTable),
    segment(0xc4, acTable),
    segment(0xda, [components, ...ids.flatMap(id => [id, 0]), 0, 63, 0]),
    bits.end(),
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** Y, Cb and Cr of JFIF. */
function luminance([red, green, blue]: readonly [number, number, number]): number[] {
  return [
    0.299 * red + 0.587 * green + 0.114 * blue,
    128 - 0.168736 * red - 0.331264 * green + 0.5 * blue,
    128 + 0.5 * red - 0.418688 * green - 0.081312 * blue,
  ].map(value => Math.min(255, value));
}

/** The numbers of codes of 1 to 16 bits, where all are of one length. */
function counts(bits: number, codes: number): number[] {
  return Array.from({ length: 16 }, (_, i) => (i + 1 === bits ? codes : 0));
}

function segment(marker: number, body: Uint8Array | readonly number[]): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, Buffer.from(body)]);
}

/** Entropy-coded bytes, with the 0 that follows 0xFF. */
function bitWriter(capacity: number): { put(value: number, count: number): void; end(): Buffer } {
  const bytes = Buffer.alloc(capacity + 4);
  let at = 0;
  let held = 0;
  let holds = 0;
  const put = (value: number, count: number): void => {
    held = (held << count) | value;
    holds += count;
    while (holds >= 8) {
      holds -= 8;
      const byte = (held >> holds) & 255;
      bytes[at++] = byte;
      if (byte === 255) bytes[at++] = 0;
    }
    held &= (1 << holds) - 1;
  };
  return {
    put,
    end() {
      if (holds > 0) put((1 << (8 - holds)) - 1, 8 - holds);
      return bytes.subarray(0, at);
    },
  };
}
