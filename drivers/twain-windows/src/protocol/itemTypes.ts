/** The types of a capability's values, and their memory layout: packed, little-endian. */

export const TY = {
  INT8: 0,
  INT16: 1,
  INT32: 2,
  UINT8: 3,
  UINT16: 4,
  UINT32: 5,
  BOOL: 6,
  FIX32: 7,
  FRAME: 8,
  STR32: 9,
  STR64: 10,
  STR128: 11,
  STR255: 12,
  STR1024: 13,
  UNI512: 14,
  HANDLE: 15,
} as const;
export type ItemType = (typeof TY)[keyof typeof TY];

/** In the unit of ICAP_UNITS. */
export interface Frame {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export type Item = number | boolean | string | Frame;

interface Coding {
  readonly bytes: number;
  read(view: DataView, at: number): Item;
  write(view: DataView, at: number, item: Item): void;
}

const number = (
  bytes: number,
  read: Coding['read'],
  write: (view: DataView, at: number, value: number) => void,
): Coding => ({
  bytes,
  read,
  write: (view, at, item) => write(view, at, Number(item)),
});

/** A fixed-point number: a signed whole part, then a fraction in 65536ths. */
export function readFix32(view: DataView, at: number): number {
  return view.getInt16(at, true) + view.getUint16(at + 2, true) / 65536;
}

export function writeFix32(view: DataView, at: number, value: number): void {
  const parts = Math.round(value * 65536);
  view.setInt16(at, Math.floor(parts / 65536), true);
  view.setUint16(at + 2, ((parts % 65536) + 65536) % 65536, true);
}

const sides = ['left', 'top', 'right', 'bottom'] as const;

export function readFrame(view: DataView, at: number): Frame {
  const [left, top, right, bottom] = sides.map((_, i) => readFix32(view, at + 4 * i)) as [
    number,
    number,
    number,
    number,
  ];
  return { left, top, right, bottom };
}

export function writeFrame(view: DataView, at: number, frame: Frame): void {
  sides.forEach((side, i) => writeFix32(view, at + 4 * i, frame[side]));
}

const bytesOf = (view: DataView, at: number, length: number) =>
  new Uint8Array(view.buffer, view.byteOffset + at, length);

/** Ends with a zero. Sources use the system's code page; Latin-1 is the common part. */
function text(bytes: number): Coding {
  return {
    bytes,
    read(view, at) {
      const [until] = Buffer.from(bytesOf(view, at, bytes))
        .toString('latin1')
        .split('\0');
      return until ?? '';
    },
    write(view, at, item) {
      const field = bytesOf(view, at, bytes);
      field.fill(0);
      field.set(Buffer.from(String(item), 'latin1').subarray(0, bytes - 1));
    },
  };
}

const wide: Coding = {
  bytes: 1024,
  read(view, at) {
    const [until] = Buffer.from(bytesOf(view, at, 1024))
      .toString('utf16le')
      .split('\0');
    return until ?? '';
  },
  write(view, at, item) {
    const field = bytesOf(view, at, 1024);
    field.fill(0);
    field.set(Buffer.from(String(item), 'utf16le').subarray(0, 1022));
  },
};

const codings: Readonly<Record<number, Coding>> = {
  [TY.INT8]: number(
    1,
    (view, at) => view.getInt8(at),
    (view, at, value) => view.setInt8(at, value),
  ),
  [TY.INT16]: number(
    2,
    (view, at) => view.getInt16(at, true),
    (view, at, value) => view.setInt16(at, value, true),
  ),
  [TY.INT32]: number(
    4,
    (view, at) => view.getInt32(at, true),
    (view, at, value) => view.setInt32(at, value, true),
  ),
  [TY.UINT8]: number(
    1,
    (view, at) => view.getUint8(at),
    (view, at, value) => view.setUint8(at, value),
  ),
  [TY.UINT16]: number(
    2,
    (view, at) => view.getUint16(at, true),
    (view, at, value) => view.setUint16(at, value, true),
  ),
  [TY.UINT32]: number(
    4,
    (view, at) => view.getUint32(at, true),
    (view, at, value) => view.setUint32(at, value, true),
  ),
  [TY.BOOL]: {
    bytes: 2,
    read: (view, at) => view.getUint16(at, true) !== 0,
    write: (view, at, item) => view.setUint16(at, item ? 1 : 0, true),
  },
  [TY.FIX32]: number(4, readFix32, writeFix32),
  [TY.FRAME]: { bytes: 16, read: readFrame, write: (view, at, item) => writeFrame(view, at, item as Frame) },
  [TY.STR32]: text(34),
  [TY.STR64]: text(66),
  [TY.STR128]: text(130),
  [TY.STR255]: text(256),
  [TY.STR1024]: text(1026),
  [TY.UNI512]: wide,
  // A pointer in the source's process: useless here, but not an error.
  [TY.HANDLE]: number(
    4,
    (view, at) => view.getUint32(at, true),
    (view, at, value) => view.setUint32(at, value, true),
  ),
};

/** Undefined for a type that is not in the specification. */
export function codingOf(type: number): Coding | undefined {
  return codings[type];
}
