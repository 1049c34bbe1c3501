/** Writes the few types of ASN.1 that a certificate consists of, in DER (ITU-T X.690). */

/** An element: its type, the length of its content, its content. */
const element = (tag: number, ...content: readonly Uint8Array[]): Buffer => {
  const length = content.reduce((sum, each) => sum + each.length, 0);
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  if (length > 0xffff) throw new RangeError(`An element has ${length} bytes; 65535 are possible`);
  return Buffer.concat([Buffer.from([tag, ...size]), ...content]);
};

export const sequence = (...items: readonly Uint8Array[]): Buffer => element(0x30, ...items);
export const set = (item: Uint8Array): Buffer => element(0x31, item);
export const boolean = (value: boolean): Buffer => element(0x01, Buffer.from([value ? 0xff : 0]));
export const octets = (content: Uint8Array): Buffer => element(0x04, content);
/** @param text of the letters, digits and ` '()+,-./:=?` that ASN.1 calls printable */
export const printableString = (text: string): Buffer => element(0x13, Buffer.from(text, 'ascii'));

/** @param bytes big-endian; the first bit must be 0, else the number would be negative */
export const integer = (bytes: Uint8Array): Buffer => element(0x02, bytes);

/** @param unused how many bits of the last byte do not count */
export const bits = (content: Uint8Array, unused = 0): Buffer => element(0x03, Buffer.from([unused]), content);

/** A context-specific type around others, or in place of a type that the context implies. */
export const tagged = (number: number, item: Uint8Array): Buffer => element(0xa0 + number, item);
export const implicit = (number: number, content: Uint8Array): Buffer => element(0x80 + number, content);

/** @param dotted such as `2.5.29.17` */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return element(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** Seven bits a byte; all but the last have the eighth. */
function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >> 7; rest > 0; rest >>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}

/** RFC 5280, 4.1.2.5: two digits for the year through 2049, then four. */
export function time(date: Date): Buffer {
  const text = date.toISOString().replace(/\.\d+|[-:T]/g, '');
  return date.getUTCFullYear() < 2050
    ? element(0x17, Buffer.from(text.slice(2), 'ascii'))
    : element(0x18, Buffer.from(text, 'ascii'));
}
