/** The encodings that the rules' own examples, or openssl, give. */
import t from 'tap';
import { bits, boolean, integer, objectId, octets, sequence, time } from './der.js';

const hex = (bytes: Buffer): string => bytes.toString('hex');

t.test('der: object identifiers with one, two and four bytes a number', async t => {
  t.equal(hex(objectId('2.5.29.17')), '0603551d11');
  t.equal(hex(objectId('1.2.840.10045.4.3.2')), '06082a8648ce3d040302');
  t.equal(hex(objectId('1.3.6.1.4.1.311.20.2.3')), '060a2b060104018237140203');
  t.equal(hex(objectId('1.2.268435455')), '06052affffff7f');
});

t.test('der: lengths of one, two and three bytes', async t => {
  t.equal(hex(sequence()), '3000');
  for (const [length, head] of [
    [127, '047f'],
    [128, '048180'],
    [255, '0481ff'],
    [256, '04820100'],
  ] as const)
    t.equal(hex(octets(Buffer.alloc(length))).slice(0, head.length), head);
  t.throws(() => octets(Buffer.alloc(65_536)), RangeError);
});

t.test('der: numbers, flags and bits', async t => {
  t.equal(hex(integer(Buffer.from([2]))), '020102');
  t.equal(hex(boolean(true)), '0101ff');
  t.equal(hex(bits(Buffer.from([0x80]), 7)), '03020780');
});

t.test('der: times until 2049, and after', async t => {
  t.equal(time(new Date('2049-12-31T23:59:59.999Z')).toString('latin1'), '\u0017\r491231235959Z');
  t.equal(time(new Date('2050-01-01T00:00:00Z')).toString('latin1'), '\u0018\u000f20500101000000Z');
});
