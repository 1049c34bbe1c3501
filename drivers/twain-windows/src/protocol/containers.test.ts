import t from 'tap';
import { choicesOf, currentOf, decodeContainer, encodeContainer, ON, type Container } from './containers.js';
import { TY, type Item, type ItemType } from './itemTypes.js';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const bytes = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));
const zeros = (count: number) => '00'.repeat(count);

/** One value of each type, and its bytes according to the specification. */
const values: readonly (readonly [keyof typeof TY, Item, string])[] = [
  ['INT8', -2, 'fe'],
  ['INT16', -1, 'ffff'],
  ['INT32', -2, 'feffffff'],
  ['UINT8', 200, 'c8'],
  ['UINT16', 0x1234, '3412'],
  ['UINT32', 0xfffffffe, 'feffffff'],
  ['BOOL', true, '0100'],
  ['FIX32', 8.5, '0800 0080'],
  ['FIX32', -0.25, 'ffff 00c0'],
  ['FIX32', 200, 'c800 0000'],
  ['FRAME', { left: 0, top: 0.5, right: 8.5, bottom: 11 }, '00000000 00000080 08000080 0b000000'],
  ['STR32', 'Bär', `42e472${zeros(31)}`],
  ['STR64', 'a', `61${zeros(65)}`],
  ['STR128', 'a', `61${zeros(129)}`],
  ['STR255', 'a', `61${zeros(255)}`],
  ['STR1024', 'a', `61${zeros(1025)}`],
  ['UNI512', 'aß', `6100df00${zeros(1020)}`],
  ['HANDLE', 7, '07000000'],
];

t.test('one value: every item type, encoded and decoded according to the specification', async t => {
  t.strictSame(
    Object.keys(TY).filter(type => !values.some(each => each[0] === type)),
    [],
    'every type is tested',
  );
  for (const [name, value, item] of values) {
    const type = TY[name];
    const body = item.replaceAll(' ', '');
    const filling = typeof value === 'number' && value < 0 ? 'ff' : '00';
    const packed = `${type.toString(16).padStart(2, '0')}00${body}${filling.repeat(Math.max(0, 4 - body.length / 2))}`;
    const encoded = encodeContainer({ kind: 'one', type, value });
    t.equal(encoded.conType, ON.ONEVALUE);
    t.equal(hex(encoded.bytes), packed, name);
    t.strictSame(decodeContainer(ON.ONEVALUE, bytes(packed)), { kind: 'one', type, value }, name);
  }
});

t.test('enumeration: encoded and decoded with its current and default index', async t => {
  const list: Container = { kind: 'list', type: TY.UINT16, items: [0, 1, 2], current: 2, default: 1 };
  const packed = '0400 03000000 02000000 01000000 0000 0100 0200';
  t.strictSame(encodeContainer(list), { conType: ON.ENUMERATION, bytes: bytes(packed) });
  t.strictSame(decodeContainer(ON.ENUMERATION, bytes(packed)), list);
  t.equal(currentOf(list), 2);
  t.strictSame(choicesOf(list), [0, 1, 2]);
});

t.test('array: encoded and decoded, has no current value', async t => {
  const array: Container = { kind: 'array', type: TY.UINT16, items: [0x1002, 0x0101] };
  const packed = '0400 02000000 0210 0101';
  t.strictSame(encodeContainer(array), { conType: ON.ARRAY, bytes: bytes(packed) });
  t.strictSame(decodeContainer(ON.ARRAY, bytes(packed)), array);
  t.equal(currentOf(array), undefined);
});

t.test('range: every item type, each number fills 32 bits', async t => {
  const fixed: Container = { kind: 'range', type: TY.FIX32, min: 50, max: 600, step: 0.5, default: 200, current: 300 };
  const packed = '0700 32000000 58020000 00000080 c8000000 2c010000';
  t.strictSame(encodeContainer(fixed), { conType: ON.RANGE, bytes: bytes(packed) });
  t.strictSame(decodeContainer(ON.RANGE, bytes(packed)), fixed);
  t.equal(currentOf(fixed), 300);
  const short: Container = { kind: 'range', type: TY.INT16, min: -1000, max: 1000, step: 1, default: 0, current: -5 };
  const slots = '0100 18fcffff e8030000 01000000 00000000 fbffffff';
  t.strictSame(encodeContainer(short), { conType: ON.RANGE, bytes: bytes(slots) });
  t.strictSame(decodeContainer(ON.RANGE, bytes(slots)), short);
});

t.test('decodeContainer: malformed bytes, undefined or without the wrong parts', async t => {
  t.equal(decodeContainer(ON.ONEVALUE, bytes('')), undefined, 'no bytes');
  t.equal(decodeContainer(ON.ONEVALUE, bytes('0800 0000')), undefined, 'a truncated frame');
  t.equal(decodeContainer(ON.ONEVALUE, bytes('6300 00000000')), undefined, 'an unknown type');
  t.equal(decodeContainer(99, bytes('0400 00000000')), undefined, 'an unknown container');
  t.equal(decodeContainer(ON.RANGE, bytes('0400 00000000')), undefined, 'a truncated range');
  t.equal(decodeContainer(ON.ENUMERATION, bytes('0400 01000000')), undefined, 'a truncated list');
  const huge = decodeContainer(ON.ENUMERATION, bytes('0400 ffffffff 07000000 09000000 0500 0600 00'));
  t.strictSame(
    huge,
    { kind: 'list', type: TY.UINT16, items: [5, 6], current: -1, default: -1 },
    'a wrong count and wrong indices',
  );
  t.equal(currentOf(huge!), undefined);
  t.strictSame(
    decodeContainer(ON.ONEVALUE, bytes(`0400 0100 ${zeros(40)}`)),
    { kind: 'one', type: TY.UINT16 as ItemType, value: 1 },
    'extra bytes are ignored',
  );
});
