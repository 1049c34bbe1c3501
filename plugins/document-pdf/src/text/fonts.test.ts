/** The fonts of the invisible text: sound programs, whose widths are those of the dictionaries, and no `.notdef`. */
import { inflateSync } from 'node:zlib';
import t from 'tap';
import { glyphlessFont } from './glyphlessFont.js';
import { otherWidth, westernCodes, westernWidths } from './characters.js';
import { textFonts } from './fonts.js';

/** Tables of a TrueType file by their names. */
function tablesOf(file: Buffer): Map<string, Buffer> {
  const count = file.readUInt16BE(4);
  return new Map(
    Array.from({ length: count }, (_, at) => {
      const entry = file.subarray(12 + at * 16, 28 + at * 16);
      const [start, length] = [entry.readUInt32BE(8), entry.readUInt32BE(12)];
      return [entry.toString('latin1', 0, 4), file.subarray(start, start + length)] as const;
    }),
  );
}

/** The glyph of a code point, by the table's format 4. */
function glyphIn(cmap: Buffer, point: number): number {
  const table = cmap.subarray(cmap.readUInt32BE(8));
  const size = table.readUInt16BE(6);
  const column = (which: number, at: number): number =>
    table.readUInt16BE(14 + which * size + (which ? 2 : 0) + at * 2);
  for (let at = 0; at < size / 2; at++)
    if (column(0, at) >= point) return column(1, at) <= point ? (point + column(2, at)) & 0xffff : 0;
  return 0;
}

const sum = (bytes: Buffer): number => {
  let total = 0;
  for (let at = 0; at + 3 < bytes.length; at += 4) total = (total + bytes.readUInt32BE(at)) >>> 0;
  return total;
};

async function fonts() {
  let last = 2;
  const objects = await textFonts({ T: 1, U: 2 }, new Set([0, 4]), new Map([[0xd800, 0x1f600]]), () => ++last);
  const streams = objects.flatMap(({ value, data }) => (data ? [{ value, data: inflateSync(data) }] : []));
  const program = streams.find(({ value }) => value.includes('/Length1'))!.data;
  return { objects, streams, program, reserved: last };
}

t.test('glyphlessFont: its tables have the checksums that it states', async t => {
  const file = glyphlessFont({ widths: [0, 500], glyphs: new Map([[65, 1]]), ascent: 700, descent: -200 });
  t.equal(sum(file), 0xb1b0afba, 'the whole file, with its adjustment');
  for (const name of ['OS/2', 'cmap', 'glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp', 'name', 'post'])
    t.ok(tablesOf(file).has(name), name);
});

t.test('textFonts: every object that was reserved is written once', async t => {
  const { objects, reserved } = await fonts();
  t.same(
    objects.map(({ object }) => object).sort((a, b) => a - b),
    Array.from({ length: reserved }, (_, at) => at + 1),
  );
});

t.test('textFonts: the western font, widths of its program; no character without a glyph', async t => {
  const { objects, program } = await fonts();
  const tables = tablesOf(program);
  const [, list = ''] = /\/Widths \[(.*?)\]/.exec(objects.find(({ object }) => object === 1)!.value) ?? [];
  const widths = list.split(' ').map(Number);
  t.equal(widths.length, 224);
  for (const [point, code] of westernCodes) {
    const glyph = glyphIn(tables.get('cmap')!, point);
    t.not(glyph, 0, `a glyph for ${point}`);
    t.equal(tables.get('hmtx')!.readUInt16BE(glyph * 4), widths[code - 32]);
    t.equal(widths[code - 32], westernWidths.get(point));
  }
});

t.test('textFonts: the other font, a glyph of the right width for every code', async t => {
  const { streams, program } = await fonts();
  const hmtx = tablesOf(program).get('hmtx')!;
  const map = streams.find(({ data }) => data.length === 0x20000)!.data;
  const wrong = Array.from({ length: 0x10000 }, (_, code) => code).filter(code => {
    const glyph = map.readUInt16BE(code * 2);
    return glyph === 0 || hmtx.readUInt16BE(glyph * 4) !== otherWidth(code);
  });
  t.same(wrong, []);
});

t.test('textFonts: every glyph with a width has an extent: PDFium leaves out the others', async t => {
  const tables = tablesOf((await fonts()).program);
  const [hmtx, loca] = [tables.get('hmtx')!, tables.get('loca')!];
  for (let glyph = 0; glyph * 4 < hmtx.length; glyph++) {
    const [start, end] = [loca.readUInt16BE(glyph * 2) * 2, loca.readUInt16BE(glyph * 2 + 2) * 2];
    const width = hmtx.readUInt16BE(glyph * 4);
    t.equal(end > start, width > 0);
    if (width > 0) t.equal(tables.get('glyf')!.readInt16BE(start + 6), width, 'the right edge of its box');
  }
});

t.test('textFonts: what codes mean, within one first byte each', async t => {
  const { streams } = await fonts();
  const cmap = streams.find(({ data }) => data.includes('begincmap'))!.data.toString('latin1');
  t.match(cmap, /2 beginbfrange\n<0000> <00FF> <0000>\n<0400> <04FF> <0400>\nendbfrange/);
  t.match(cmap, /1 beginbfchar\n<D800> <d83dde00>\nendbfchar/i);
});
