/**
 * The objects of a PDF file, one after the other: it knows where each one begins, and writes that down at the end.
 *
 * Every method returns bytes that the caller writes at once, in the order of the calls. Only offsets stay in memory: 8
 * bytes an object.
 */
import { createHash } from 'node:crypto';
import { deflated } from './deflated.js';
import { reference, type ObjectNumber } from './syntax.js';

/** PDF 1.7, and four bytes above 127, which say that the file is binary (ISO 19005-2, 6.1.2). */
const HEADER = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1');
/** In a cross-reference stream: where the object begins (ISO 32000-1, table 18). Generations are all 0. */
const IN_USE = 1;
/** Bytes of an offset: files of up to 256 TB. */
const OFFSET_BYTES = 6;
const GENERATION_BYTES = 2;
/** Of object 0, which is free, as ever. */
const LAST_GENERATION = 65_535;
const ID_DIGITS = 32;
const STREAM_END = '\nendstream\nendobj\n';

export interface PdfFile {
  header(): Buffer;
  /** A number for an object that is written later; others can refer to it already. */
  reserve(): ObjectNumber;
  /** @param value in PDF syntax */
  object(object: ObjectNumber, value: string): Buffer;
  /** @param entries of its dictionary, without `Length` */
  stream(object: ObjectNumber, entries: string, data: Uint8Array): Buffer;
  /** A stream in three steps, for data that come piece by piece. @param entries with `Length` */
  openStream(object: ObjectNumber, entries: string): Buffer;
  /** Counts a piece of it. */
  piece<Piece extends Uint8Array>(data: Piece): Piece;
  closeStream(): Buffer;
  /** The cross-reference stream, which also is the trailer (7.5.8). */
  end(catalog: ObjectNumber, info: ObjectNumber): Promise<Buffer>;
}

export function createPdfFile(): PdfFile {
  let position = 0;
  let offsets = new Float64Array(1024);
  let objects = 0;
  const identity = createHash('sha256');

  function reserve(): ObjectNumber {
    objects += 1;
    if (objects === offsets.length) {
      const more = new Float64Array(offsets.length * 2);
      more.set(offsets);
      offsets = more;
    }
    return objects;
  }

  function piece<Piece extends Uint8Array>(data: Piece): Piece {
    position += data.length;
    return data;
  }

  function begin(object: ObjectNumber, value: string): string {
    if (offsets[object] !== 0) throw new RangeError(`object ${object} is there already`);
    offsets[object] = position;
    const text = `${object} 0 obj\n${value}\n`;
    identity.update(text);
    return text;
  }

  const openStream = (object: ObjectNumber, entries: string): Buffer =>
    piece(Buffer.from(`${begin(object, `<< ${entries} >>`)}stream\n`, 'latin1'));
  const closeStream = (): Buffer => piece(Buffer.from(STREAM_END, 'latin1'));

  function stream(object: ObjectNumber, entries: string, data: Uint8Array): Buffer {
    const head = openStream(object, `${entries} /Length ${data.length}`.trimStart());
    identity.update(data);
    return Buffer.concat([head, piece(data), closeStream()]);
  }

  return {
    header: () => piece(HEADER),
    reserve,
    object: (object, value) => piece(Buffer.from(`${begin(object, value)}endobj\n`, 'latin1')),
    stream,
    openStream,
    piece,
    closeStream,

    async end(catalog, info) {
      const start = position;
      const own = reserve();
      const table = crossReferences(offsets.subarray(0, objects + 1), own, start);
      const id = identity.update(table).digest('hex').slice(0, ID_DIGITS).toUpperCase();
      const entries =
        `/Type /XRef /Size ${objects + 1} /W [1 ${OFFSET_BYTES} ${GENERATION_BYTES}] /Filter /FlateDecode ` +
        `/Root ${reference(catalog)} /Info ${reference(info)} /ID [<${id}> <${id}>]`;
      const data = await deflated(table);
      const head = `${own} 0 obj\n<< ${entries} /Length ${data.length} >>\nstream\n`;
      return Buffer.concat([
        Buffer.from(head, 'latin1'),
        data,
        Buffer.from(`${STREAM_END}startxref\n${start}\n%%EOF\n`, 'latin1'),
      ]);
    },
  };
}

/** The rows of the cross-reference stream. @param own its object, which begins at `start` */
function crossReferences(offsets: Float64Array, own: ObjectNumber, start: number): Buffer {
  const row = 1 + OFFSET_BYTES + GENERATION_BYTES;
  const table = Buffer.alloc(offsets.length * row);
  table.writeUIntBE(LAST_GENERATION, 1 + OFFSET_BYTES, GENERATION_BYTES);
  for (let object = 1; object < offsets.length; object++) {
    const offset = object === own ? start : offsets[object]!;
    if (offset === 0) throw new RangeError(`object ${object} was never written`);
    table[object * row] = IN_USE;
    table.writeUIntBE(offset, object * row + 1, OFFSET_BYTES);
  }
  return table;
}
