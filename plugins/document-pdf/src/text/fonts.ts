/**
 * The two fonts of the invisible text, with one font program. Both are embedded, and their widths are those of the
 * program (ISO 19005-2, 6.2.11.4.1 and 6.2.11.5).
 */
import { deflated } from '../deflated.js';
import { glyphlessFont } from './glyphlessFont.js';
import { reference, type ObjectNumber } from '../syntax.js';
import { NARROW, otherWidths, WIDE, westernCodes, westernWidths } from './characters.js';
import { ASCENT, DESCENT } from './lines.js';

/** An object that belongs to the fonts. */
export interface FontObject {
  readonly object: ObjectNumber;
  /** In PDF syntax; with `data`, the entries of the stream's dictionary without `Length`, `<<` and `>>`. */
  readonly value: string;
  readonly data?: Uint8Array;
}

const [ascent, descent] = [ASCENT * 1000, -DESCENT * 1000];
/** Glyphs: one for each width, after `.notdef`, which no text may show, not even invisibly (ISO 19005-2, 6.2.11.8). */
const NOTDEF_WIDTH = 0;
const widths = [NOTDEF_WIDTH, ...new Set([NARROW, WIDE, 0, ...westernWidths.values()])];
const glyphOf = (width: number): number => widths.indexOf(width, 1);

/** Bits of a font's flags (ISO 32000-1, table 123). */
const [SYMBOLIC, NONSYMBOLIC] = [4, 32];

/** Entries of a block of ranges in a CMap (Adobe Technical Note 5014). */
const BLOCK = 100;
/** Codes begin with one byte each; a range may not go beyond it (ISO 32000-1, 9.10.3). */
const RANGE = 256;
const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;

export interface TextFonts {
  /** The western font: WinAnsiEncoding, one byte a character. */
  readonly T?: ObjectNumber;
  /** The other one: two bytes a character, and what each means by a CMap. */
  readonly U?: ObjectNumber;
}

/**
 * @param high the first bytes of the codes that the other font's text has
 * @param beyond characters beyond the first 65,536, by the surrogate that is the code of each
 */
export async function textFonts(
  { T, U }: TextFonts,
  high: ReadonlySet<number>,
  beyond: ReadonlyMap<number, number>,
  reserve: () => ObjectNumber,
): Promise<FontObject[]> {
  const program = reserve();
  const glyphs = new Map([...westernWidths].map(([point, width]) => [point, glyphOf(width)]));
  const file = glyphlessFont({ widths, glyphs, ascent, descent });
  return [
    await stream(program, `/Length1 ${file.length}`, file),
    ...(T === undefined ? [] : western(T, program, reserve())),
    ...(U === undefined ? [] : await other(U, program, high, beyond, reserve)),
  ];
}

function western(font: ObjectNumber, program: ObjectNumber, its: ObjectNumber): FontObject[] {
  const byCode = new Map([...westernCodes].map(([point, code]) => [code, westernWidths.get(point)!]));
  const all = Array.from({ length: 0xff - 0x1f }, (_, at) => byCode.get(0x20 + at) ?? NOTDEF_WIDTH);
  const entries = [
    '/Type /Font /Subtype /TrueType /BaseFont /PlatenText /Encoding /WinAnsiEncoding',
    `/FirstChar 32 /LastChar 255 /Widths [${all.join(' ')}] /FontDescriptor ${reference(its)}`,
  ];
  return [
    { object: font, value: `<< ${entries.join(' ')} >>` },
    { object: its, value: descriptor(program, NONSYMBOLIC) },
  ];
}

async function other(
  font: ObjectNumber,
  program: ObjectNumber,
  high: ReadonlySet<number>,
  beyond: ReadonlyMap<number, number>,
  reserve: () => ObjectNumber,
): Promise<FontObject[]> {
  const [descendant, its, map, meaning] = [reserve(), reserve(), reserve(), reserve()];
  const ranges = otherWidths.map(([from, to, width]) => `${from} ${to} ${width}`);
  const [base, cmap] = [
    `<< /Type /Font /Subtype /Type0 /BaseFont /PlatenText /Encoding /Identity-H ` +
      `/DescendantFonts [${reference(descendant)}] /ToUnicode ${reference(meaning)} >>`,
    toUnicode(high, beyond),
  ];
  return [
    { object: font, value: base },
    {
      object: descendant,
      value:
        '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /PlatenText ' +
        '/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> ' +
        `/DW ${NARROW} /W [${ranges.join(' ')}] /CIDToGIDMap ${reference(map)} /FontDescriptor ${reference(its)} >>`,
    },
    { object: its, value: descriptor(program, SYMBOLIC) },
    await stream(map, '', glyphMap()),
    await stream(meaning, '', Buffer.from(cmap, 'latin1')),
  ];
}

function descriptor(program: ObjectNumber, flags: number): string {
  return (
    `<< /Type /FontDescriptor /FontName /PlatenText /Flags ${flags} /FontBBox [0 ${descent} ${WIDE} ${ascent}] ` +
    `/ItalicAngle 0 /Ascent ${ascent} /Descent ${descent} /CapHeight ${ascent} /StemV 80 /FontFile2 ${reference(program)} >>`
  );
}

/** Glyphs by code, two bytes each. */
function glyphMap(): Buffer {
  const map = Buffer.alloc(2 * 0x10000);
  map.fill(Buffer.from([0, glyphOf(NARROW)]));
  for (const [from, to, width] of otherWidths)
    for (let code = from; code <= to; code++) map.writeUInt16BE(glyphOf(width), code * 2);
  return map;
}

/** A code means itself, but for the characters beyond: they are named one by one. */
function toUnicode(high: ReadonlySet<number>, beyond: ReadonlyMap<number, number>): string {
  const ranges = [...high]
    .filter(byte => byte * RANGE < FIRST_SURROGATE || byte * RANGE > LAST_SURROGATE)
    .sort((a, b) => a - b)
    .map(byte => {
      const [first, last] = [byte * RANGE, byte * RANGE + RANGE - 1].map(hex);
      return `<${first}> <${last}> <${first}>`;
    });
  const single = [...beyond].map(
    ([code, point]) =>
      `<${hex(code)}> <${[...Buffer.from(String.fromCodePoint(point), 'utf16le').swap16()].map(byte => byte.toString(16).padStart(2, '0')).join('')}>`,
  );
  return [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap',
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def',
    '/CMapName /Adobe-Identity-UCS def /CMapType 2 def',
    '1 begincodespacerange <0000> <FFFF> endcodespacerange',
    ...blocks(ranges, 'bfrange'),
    ...blocks(single, 'bfchar'),
    'endcmap CMapName currentdict /CMap defineresource pop end end\n',
  ].join('\n');
}

function blocks(entries: readonly string[], kind: 'bfrange' | 'bfchar'): string[] {
  const found: string[] = [];
  for (let at = 0; at < entries.length; at += BLOCK) {
    const some = entries.slice(at, at + BLOCK);
    found.push(`${some.length} begin${kind}`, ...some, `end${kind}`);
  }
  return found;
}

const hex = (code: number): string => code.toString(16).padStart(4, '0').toUpperCase();

async function stream(object: ObjectNumber, entries: string, data: Uint8Array): Promise<FontObject> {
  return { object, value: `/Filter /FlateDecode${entries === '' ? '' : ` ${entries}`}`, data: await deflated(data) };
}
