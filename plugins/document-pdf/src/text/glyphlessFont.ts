/** A TrueType font without ink: each glyph is a line without breadth, for text that is searched and not seen. */

/** Units of an em. */
const EM = 1000;
/** January 1904 is 0. It is the same in every file, so that equal scans give equal files. */
const DATE = 0n;
const CHECKSUM_MAGIC = 0xb1b0afba;

export interface GlyphlessFont {
  /** Widths by glyph, in thousandths of the size; glyph 0 is for missing characters. */
  readonly widths: readonly number[];
  /** Glyphs by code point. */
  readonly glyphs: ReadonlyMap<number, number>;
  /** Thousandths of the size; the descent is below zero. */
  readonly ascent: number;
  readonly descent: number;
}

/** The file, with the tables that the TrueType specification requires. */
export function glyphlessFont(font: GlyphlessFont): Buffer {
  const { widths, ascent, descent } = font;
  const widest = Math.max(...widths);
  const count = widths.length;
  const head = [
    ...long(0x00010000),
    ...long(0x00010000),
    ...long(0), // the checksum of the file, filled in below
    ...long(0x5f0f3cf5),
    ...short(0b1011), // baseline and left side bearing at 0, whole widths
    ...short(EM),
    ...longLong(DATE),
    ...longLong(DATE),
    ...[0, descent, widest, ascent].flatMap(short),
    ...short(0), // style
    ...short(3), // pixels of the smallest legible size
    ...short(2), // direction
    ...short(0), // loca: short
    ...short(0),
  ];
  const hhea = [
    ...long(0x00010000),
    ...[ascent, descent, 0, widest, 0, 0, widest, 1, 0, 0, 0, 0, 0, 0, 0, count].flatMap(short),
  ];
  // Of two points and one contour; two zones are the least.
  const maxp = [...long(0x00010000), ...[count, 2, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0].flatMap(short)];
  const outlines = widths.map(width => outline(width, font));
  return file({
    'OS/2': os2(font),
    cmap: cmap(font),
    glyf: outlines.flat(),
    head,
    hhea,
    hmtx: widths.flatMap(width => [...short(width), ...short(0)]),
    loca: Array.from({ length: count + 1 }, (_, at) => short(outlines.slice(0, at).flat().length / 2)).flat(),
    maxp,
    name: name(),
    post: [...long(0x00030000), ...long(0), ...short(-100), ...short(50), ...Array.from({ length: 20 }, () => 0)],
  });
}

/** From the lower left to the upper right corner: PDFium leaves out text whose glyphs have no extent. */
function outline(width: number, { ascent, descent }: GlyphlessFont): number[] {
  if (width === 0) return [];
  const box = [0, descent, width, ascent];
  const [contours, lastPoint, instructions] = [1, 1, 0];
  const onCurve = [1, 1];
  return [
    ...[contours, ...box, lastPoint, instructions].flatMap(short),
    ...onCurve,
    ...[0, width, descent, ascent - descent].flatMap(short),
  ];
}

/** Unicode to glyphs, for Windows (3, 1), in format 4: a segment for each run of code points and glyphs. */
function cmap({ glyphs }: GlyphlessFont): number[] {
  const segments: { first: number; last: number; delta: number }[] = [];
  for (const [point, glyph] of [...glyphs].sort(([a], [b]) => a - b)) {
    const before = segments.at(-1);
    if (before && before.last === point - 1 && before.delta === glyph - point) before.last = point;
    else segments.push({ first: point, last: point, delta: glyph - point });
  }
  segments.push({ first: 0xffff, last: 0xffff, delta: 1 });
  const count = segments.length;
  const power = 2 ** Math.floor(Math.log2(count));
  const body = [
    ...[count * 2, power * 2, Math.log2(power), (count - power) * 2].flatMap(short),
    ...segments.flatMap(each => short(each.last)),
    ...short(0),
    ...segments.flatMap(each => short(each.first)),
    ...segments.flatMap(each => short(each.delta)),
    ...segments.flatMap(() => short(0)),
  ];
  const table = [...short(4), ...short(body.length + 6), ...short(0), ...body];
  return [...short(0), ...short(1), ...short(3), ...short(1), ...long(12), ...table];
}

function os2({ widths, glyphs, ascent, descent }: GlyphlessFont): number[] {
  const points = [...glyphs.keys()];
  const mean = Math.round(widths.reduce((sum, each) => sum + each, 0) / widths.length);
  return [
    ...[3, mean, 400, 5, 0].flatMap(short), // version, width, weight, width class, embedding is allowed
    ...[EM, EM, 0, 0, EM, EM, 0, 0, 50, 250, 0].flatMap(short), // subscript, superscript, strikeout, family
    ...Array.from({ length: 10 }, () => 0), // panose
    ...[1, 0, 0, 0].flatMap(long), // Unicode ranges: Basic Latin
    ...Buffer.from('PLTN'),
    ...[0x40, Math.min(...points), Math.max(...points), ascent, descent, 0, ascent, -descent].flatMap(short),
    ...[1, 0].flatMap(long), // code pages: Latin 1
    ...[500, 700, 0, 32, 1].flatMap(short),
  ];
}

function name(): number[] {
  const names: readonly (readonly [id: number, text: string])[] = [
    [1, 'PlatenText'],
    [2, 'Regular'],
    [3, 'PlatenText 1'],
    [4, 'PlatenText'],
    [5, 'Version 1.0'],
    [6, 'PlatenText'],
  ];
  let at = 0;
  const records: number[] = [];
  const texts: number[] = [];
  for (const [id, text] of names) {
    const bytes = Buffer.from(text, 'utf16le').swap16();
    records.push(...[3, 1, 0x409, id, bytes.length, at].flatMap(short));
    texts.push(...bytes);
    at += bytes.length;
  }
  return [...short(0), ...short(names.length), ...short(6 + records.length), ...records, ...texts];
}

/** @param tables in the order of their names */
function file(tables: Readonly<Record<string, readonly number[]>>): Buffer {
  const all = Object.entries(tables);
  const power = 2 ** Math.floor(Math.log2(all.length));
  const search = [all.length, power * 16, Math.log2(power), (all.length - power) * 16].flatMap(short);
  const directory: number[] = [...long(0x00010000), ...search];
  const data: Buffer[] = [];
  let at = directory.length + all.length * 16;
  let head = 0;
  for (const [tag, bytes] of all) {
    const padded = Buffer.alloc(Math.ceil(bytes.length / 4) * 4);
    padded.set(bytes);
    directory.push(...Buffer.from(tag), ...[checksum(padded), at, bytes.length].flatMap(long));
    if (tag === 'head') head = at;
    data.push(padded);
    at += padded.length;
  }
  const font = Buffer.concat([Buffer.from(directory), ...data]);
  font.writeUInt32BE((CHECKSUM_MAGIC - checksum(font)) >>> 0, head + 8);
  return font;
}

function checksum(bytes: Buffer): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0;
  return sum;
}

const short = (value: number): number[] => [(value >> 8) & 0xff, value & 0xff];
const long = (value: number): number[] => [24, 16, 8, 0].map(bits => (value >>> bits) & 0xff);
const longLong = (value: bigint): number[] => [...long(Number(value >> 32n)), ...long(Number(value & 0xffffffffn))];
