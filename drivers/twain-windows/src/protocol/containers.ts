/** The containers of a capability's values: one value, a list of choices, a range, an array. */
import { codingOf, TY, type Item, type ItemType } from './itemTypes.js';

export const ON = { ARRAY: 3, ENUMERATION: 4, ONEVALUE: 5, RANGE: 6 } as const;

export type Container =
  | { readonly kind: 'one'; readonly type: ItemType; readonly value: Item }
  /** `current` and `default` are indices of `items`; -1 for a wrong one. */
  | {
      readonly kind: 'list';
      readonly type: ItemType;
      readonly items: readonly Item[];
      readonly current: number;
      readonly default: number;
    }
  | {
      readonly kind: 'range';
      readonly type: ItemType;
      readonly min: number;
      readonly max: number;
      readonly step: number;
      readonly default: number;
      readonly current: number;
    }
  | { readonly kind: 'array'; readonly type: ItemType; readonly items: readonly Item[] };

const conTypes = { one: ON.ONEVALUE, list: ON.ENUMERATION, range: ON.RANGE, array: ON.ARRAY } as const;
/** The offsets of each kind's items, and of a range's slots, which have 32 bits each for any type. */
const starts = { one: 2, array: 6, list: 14 } as const;
const slots = ['min', 'max', 'step', 'default', 'current'] as const;

/** Undefined if the bytes are not such a container: a source may send anything. Bytes after its end are ignored. */
export function decodeContainer(conType: number, bytes: Uint8Array): Container | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 2) return undefined;
  const type = view.getUint16(0, true) as ItemType;
  const coding = codingOf(type);
  if (!coding) return undefined;
  const itemsFrom = (start: number): Item[] => {
    const said = view.getUint32(2, true);
    const room = Math.max(0, Math.floor((bytes.length - start) / coding.bytes));
    return Array.from({ length: Math.min(said, room) }, (_, i) => coding.read(view, start + i * coding.bytes));
  };
  const place = (at: number, { length }: readonly Item[]): number => {
    const index = view.getUint32(at, true);
    return index < length ? index : -1;
  };
  if (conType === ON.ONEVALUE)
    return bytes.length < starts.one + coding.bytes
      ? undefined
      : { kind: 'one', type, value: coding.read(view, starts.one) };
  if (conType === ON.ARRAY)
    return bytes.length < starts.array ? undefined : { kind: 'array', type, items: itemsFrom(starts.array) };
  if (conType === ON.ENUMERATION) {
    if (bytes.length < starts.list) return undefined;
    const items = itemsFrom(starts.list);
    return { kind: 'list', type, items, current: place(6, items), default: place(10, items) };
  }
  if (conType !== ON.RANGE || bytes.length < 22 || coding.bytes > 4) return undefined;
  const [min, max, step, preset, current] = slots.map((_, i) => Number(coding.read(view, 2 + 4 * i))) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return { kind: 'range', type, min, max, step, default: preset, current };
}

export function encodeContainer(container: Container): { readonly conType: number; readonly bytes: Uint8Array } {
  const { kind, type } = container;
  const coding = codingOf(type)!;
  const conType = conTypes[kind];
  if (kind === 'range') {
    const view = new DataView(new ArrayBuffer(22));
    view.setUint16(0, type, true);
    // A slot has 32 bits: a shorter negative number is sign-extended.
    slots.forEach((slot, i) =>
      type === TY.FIX32
        ? coding.write(view, 2 + 4 * i, container[slot])
        : view.setInt32(2 + 4 * i, container[slot], true),
    );
    return { conType, bytes: new Uint8Array(view.buffer) };
  }
  const items = kind === 'one' ? [container.value] : container.items;
  const start = starts[kind];
  // TW_ONEVALUE has at least 32 bits for its item.
  const view = new DataView(new ArrayBuffer(start + Math.max(items.length * coding.bytes, kind === 'one' ? 4 : 0)));
  view.setUint16(0, type, true);
  if (kind !== 'one') view.setUint32(2, items.length, true);
  if (kind === 'list') {
    view.setUint32(6, container.current, true);
    view.setUint32(10, container.default, true);
  }
  items.forEach((item, i) => coding.write(view, start + i * coding.bytes, item));
  // Sources read 32 bits even of a shorter number, so a negative one is sign-extended.
  if (kind === 'one' && coding.bytes < 4) view.setInt32(start, Number(container.value), true);
  return { conType, bytes: new Uint8Array(view.buffer) };
}

/** The current value; undefined for an array, which has none, and for a list with an invalid index. */
export function currentOf(container: Container): Item | undefined {
  if (container.kind === 'one') return container.value;
  if (container.kind === 'range') return container.current;
  return container.kind === 'list' ? container.items[container.current] : undefined;
}

/** All values that may be set, or the single value of a source that offers no choice. A range's values are not listed. */
export function choicesOf(container: Container): readonly Item[] {
  if (container.kind === 'range') return [];
  return container.kind === 'one' ? [container.value] : container.items;
}
