/** The fake source's pages, in the form of both transfers. */
import { BO, PF, PT } from '../protocol/constants.js';
import type { FakeCapabilities } from './capabilities.test.kit.js';
import type { FakeImage } from './paper.test.kit.js';
import { writeFix32 } from '../protocol/itemTypes.js';
import { colours, placeAt, rowOf, type Picture, type Tone } from '../picture.test.kit.js';
import { INK } from './shapes.test.kit.js';
import type { SourceState } from './stateFile.test.kit.js';
import { sizes } from '../protocol/structures.js';

export interface FakeStrip {
  readonly header: {
    readonly compression: number;
    readonly bytesPerRow: number;
    readonly columns: number;
    readonly rows: number;
    readonly xOffset: number;
    readonly yOffset: number;
    readonly bytesWritten: number;
  };
  readonly data: Uint8Array;
}

const bitsOf = (type: number) => (type === PT.BW ? 1 : type === PT.RGB ? 24 : 8);
/** A small sheet, because pages are drawn pixel by pixel. */
const inches: Readonly<Record<number, readonly [number, number]>> = {
  1: [0.83, 1.17],
  3: [0.85, 1.1],
  5: [0.58, 0.83],
  13: [0.41, 0.58],
};

function pictureOf(
  { sheet, side }: Pick<FakeImage, 'sheet' | 'side'>,
  state: SourceState,
  capabilities: FakeCapabilities,
): Picture {
  const [width, height] = inches[Number(capabilities.size)] ?? [0.85, 1.4];
  const dpi = Number(capabilities.value('XRESOLUTION')) * (capabilities.value('UNITS') === 1 ? 2.54 : 1);
  const pixels = (length: number) => Math.round(length * dpi);
  const tone = toneOf(state, capabilities, dpi);
  const { frame } = capabilities;
  if (!frame) return { sheet, side, tone, width: pixels(width), height: pixels(height) };
  // Resolution and frame are in the same unit.
  const per = Number(capabilities.value('XRESOLUTION'));
  const [left, top, right, bottom] = [frame.left, frame.top, frame.right, frame.bottom].map(at =>
    Math.round(at * per),
  ) as [number, number, number, number];
  const most = Number(state['ends'] ?? Infinity);
  return { sheet, side, tone, left, top, width: right - left, height: Math.min(bottom - top, most) };
}

/** State key `mark=1`: a dark square of an inch, an inch from the left and the top, on light paper. */
function toneOf(state: SourceState, capabilities: FakeCapabilities, dpi: number): Tone {
  const threshold = capabilities.value('BITDEPTHREDUCTION') === 0 ? capabilities.value('THRESHOLD') : undefined;
  return {
    brightness: Number(capabilities.value('BRIGHTNESS') ?? 0),
    contrast: Number(capabilities.value('CONTRAST') ?? 0),
    ink: Number(capabilities.value(INK) ?? 0),
    ...(threshold !== undefined && { threshold: Number(threshold) }),
    ...(state['mark'] && { mark: { left: dpi, top: dpi, right: 2 * dpi, bottom: 2 * dpi } }),
  };
}

/** A row in the source's form: its polarity, its bit order, palette indices. */
function sourceRow(picture: Picture, y: number, type: number, vanilla: boolean, lowestFirst: boolean): Uint8Array {
  if (type === PT.PALETTE) return Uint8Array.from({ length: picture.width }, (_, x) => placeAt(picture, x, y));
  const row = rowOf(picture, type, y);
  const flip = (type === PT.BW && !vanilla) || (type === PT.GRAY && vanilla);
  const turned = flip ? row.map(byte => byte ^ 255) : row;
  const mirrored = (byte: number) => Number.parseInt(byte.toString(2).padStart(8, '0').split('').reverse().join(''), 2);
  return type === PT.BW && lowestFirst ? turned.map(mirrored) : turned;
}

/** Swaps red and blue, for a source that treats the bit order as the order of colours. */
function ordered(row: Uint8Array, type: number, state: SourceState, capabilities: FakeCapabilities): Uint8Array {
  if (type !== PT.RGB || !state['swaps'] || capabilities.value('BITORDER') !== BO.MSBFIRST) return row;
  for (let x = 0; x < row.length; x += 3) [row[x], row[x + 2]] = [row[x + 2]!, row[x]!];
  return row;
}

export function imageInfoOf(state: SourceState, capabilities: FakeCapabilities): Uint8Array {
  const { width, height } = pictureOf({ sheet: 1, side: 0 }, state, capabilities);
  const type = Number(capabilities.value('PIXELTYPE'));
  const view = new DataView(new ArrayBuffer(sizes.imageInfo));
  writeFix32(view, 0, Number(capabilities.value('XRESOLUTION')));
  writeFix32(view, 4, Number(capabilities.value('YRESOLUTION')));
  view.setInt32(8, width, true);
  view.setInt32(12, height, true);
  const samples = type === PT.RGB ? 3 : 1;
  view.setInt16(16, samples, true);
  for (let i = 0; i < samples; i++) view.setInt16(18 + 2 * i, bitsOf(type) / samples, true);
  view.setInt16(34, bitsOf(type), true);
  view.setInt16(38, type, true);
  return new Uint8Array(view.buffer);
}

export function dibOf(image: FakeImage, state: SourceState, capabilities: FakeCapabilities): Uint8Array {
  const picture = pictureOf(image, state, capabilities);
  const { width, height } = picture;
  const type = Number(capabilities.value('PIXELTYPE'));
  const vanilla = capabilities.value('PIXELFLAVOR') === PF.VANILLA;
  const bits = bitsOf(type);
  const palette =
    bits === 24
      ? []
      : Array.from({ length: 1 << bits }, (_, i) => {
          const level = bits === 1 ? 255 * i : i;
          const grey = vanilla ? 255 - level : level;
          return type === PT.PALETTE ? colours[i & 15]! : ([grey, grey, grey] as const);
        });
  const stride = Math.ceil((width * bits) / 32) * 4;
  const start = 40 + 4 * palette.length;
  const bytes = new Uint8Array(start + stride * height);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 40, true);
  view.setInt32(4, width, true);
  view.setInt32(8, height, true);
  view.setUint16(12, 1, true);
  view.setUint16(14, bits, true);
  view.setInt32(24, Math.round(Number(capabilities.value('XRESOLUTION')) / 0.0254), true);
  palette.forEach(([red, green, blue], i) => bytes.set([blue, green, red], 40 + 4 * i));
  for (let y = 0; y < height; y++) {
    const at = start + stride * (height - 1 - y);
    bytes.set(ordered(sourceRow(picture, y, type, vanilla, false), type, state, capabilities), at);
    if (type === PT.RGB)
      for (let x = at; x < at + 3 * width; x += 3) [bytes[x], bytes[x + 2]] = [bytes[x + 2]!, bytes[x]!];
  }
  return state['short'] ? bytes.subarray(0, bytes.length - stride) : bytes;
}

export function stripsOf(image: FakeImage, state: SourceState, capabilities: FakeCapabilities): readonly FakeStrip[] {
  const picture = pictureOf(image, state, capabilities);
  const { width, height } = picture;
  const type = Number(capabilities.value('PIXELTYPE'));
  const vanilla = capabilities.value('PIXELFLAVOR') === PF.VANILLA;
  const lowestFirst = capabilities.value('BITORDER') === BO.LSBFIRST;
  const bytesPerRow = Math.ceil((width * bitsOf(type)) / 8) + Number(state['stride'] ?? 0);
  const most = Number(state['rows'] ?? 16);
  return Array.from({ length: Math.ceil(height / most) }, (_, i): FakeStrip => {
    const rows = Math.min(most, height - i * most);
    const data = new Uint8Array(rows * bytesPerRow).fill(0xa5);
    for (let y = 0; y < rows; y++)
      data.set(
        ordered(sourceRow(picture, i * most + y, type, vanilla, lowestFirst), type, state, capabilities),
        y * bytesPerRow,
      );
    const compression = Number(state['compression'] ?? 0);
    return {
      header: { compression, bytesPerRow, columns: width, rows, xOffset: 0, yOffset: 0, bytesWritten: data.length },
      data,
    };
  });
}
