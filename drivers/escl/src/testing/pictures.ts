/** The picture on a side of a sheet: a given image file, or marks that encode the sheet and side. */
import sharp, { type Sharp } from 'sharp';

/** Ink on paper, with its size. */
export interface Picture {
  /** In inches. */
  readonly width: number;
  readonly height: number;
  /** A fresh pipeline of its pixels. */
  open(): Sharp;
  /** How to enlarge it: marks keep their edges. */
  readonly kernel: 'nearest' | 'lanczos3';
}

export interface SheetPictures {
  readonly front: Picture;
  readonly back: Picture;
}

export type Mark = { readonly sheet: number; readonly side: 'front' | 'back' | 'flatbed' };

/** Marks are squares of 0.4 inch that fit an A6 sheet: 16 bits in two rows of eight, then the side. */
const CELLS_PER_INCH = 2.5;
const BITS = 16;
const PER_ROW = 8;
const sides = ['front', 'back', 'flatbed'] as const;
const papers: Readonly<Record<Mark['side'], readonly [number, number, number]>> = {
  front: [255, 250, 200],
  back: [200, 225, 255],
  flatbed: [210, 255, 210],
};

function cellOf(bit: number): { column: number; row: number } {
  return { column: 1 + (bit % PER_ROW), row: 1 + Math.floor(bit / PER_ROW) };
}

/** As wide as Letter and as long as Legal, so that it covers the scan area. */
export function markedPicture({ sheet, side }: Mark): Picture {
  const [columns, rows] = [22, 36];
  const data = Buffer.alloc(columns * rows * 3);
  for (let cell = 0; cell < columns * rows; cell++) data.set(papers[side], cell * 3);
  const bits = sheet | ((sides.indexOf(side) + 1) << BITS);
  for (let bit = 0; bit < BITS + PER_ROW; bit++) {
    const { column, row } = cellOf(bit);
    if ((bits >> bit) & 1) data.fill(0, (row * columns + column) * 3, (row * columns + column + 1) * 3);
  }
  const open = () => sharp(data, { raw: { width: columns, height: rows, channels: 3 } });
  return { width: columns / CELLS_PER_INCH, height: rows / CELLS_PER_INCH, open, kernel: 'nearest' };
}

/** Reads the marks of a page from the device; the file states its resolution. */
export async function readMark(jpeg: Uint8Array): Promise<Mark> {
  const { density } = await sharp(jpeg).metadata();
  if (density === undefined) throw new Error('The page does not say its resolution.');
  const { data, info } = await sharp(jpeg).greyscale().toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  const at = (cell: number): number => Math.round(((cell + 0.5) / CELLS_PER_INCH) * density);
  let bits = 0;
  for (let bit = 0; bit < BITS + PER_ROW; bit++) {
    const { column, row } = cellOf(bit);
    if ((data[at(row) * info.width + at(column)] ?? 255) < 128) bits |= 1 << bit;
  }
  const side = sides[(bits >> BITS) - 1];
  if (side === undefined) throw new Error(`The page has no marks of a sheet: ${bits.toString(2)}.`);
  return { sheet: bits & ((1 << BITS) - 1), side };
}

const read = new WeakMap<Uint8Array, Promise<Picture>>();

/** An image file with the size that its resolution gives, else as wide as Letter. The same bytes are rendered once. */
export function filePicture(bytes: Uint8Array): Promise<Picture> {
  const picture = read.get(bytes) ?? readPicture(bytes);
  read.set(bytes, picture);
  return picture;
}

async function readPicture(bytes: Uint8Array): Promise<Picture> {
  const { autoOrient, density, resolutionUnit } = await sharp(bytes).metadata();
  const perInch = resolutionUnit !== undefined && density !== undefined ? density : autoOrient.width / 8.5;
  const open = () => sharp(bytes).autoOrient().flatten({ background: '#fff' });
  return { width: autoOrient.width / perInch, height: autoOrient.height / perInch, open, kernel: 'lanczos3' };
}
