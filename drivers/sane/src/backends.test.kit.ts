/**
 * Option descriptors modelled on real backends: names and values from their manuals and programs, ranges of a typical scanner. hpaio
 * and brother, which SANE does not ship, are as commonly reported.
 */
import type { Constraint, Descriptor, Handle, Parameters, Value } from './handle.js';

type Written = Omit<Descriptor, 'index'>;

const base = {
  title: '',
  description: '',
  unit: 'none',
  count: 1,
  active: true,
  settable: true,
  readable: true,
  constraint: null,
} as const;
const text = (name: string, ...strings: string[]): Written => ({
  ...base,
  name,
  type: 'string',
  constraint: { strings },
});
const flag = (name: string): Written => ({ ...base, name, type: 'bool' });
const sensor = (name: string): Written => ({ ...base, name, type: 'bool', settable: false });
const dpi = (constraint: Constraint, name = 'resolution'): Written => ({
  ...base,
  name,
  type: 'int',
  unit: 'dpi',
  constraint,
});
const list = (...words: number[]): Constraint => ({ words });
const range = (min: number, max: number, quant = 0): Constraint => ({ min, max, quant });
const depth = (...words: number[]): Written => ({
  ...base,
  name: 'depth',
  type: 'int',
  unit: 'bit',
  constraint: list(...words),
});
const length = (name: string, max: number): Written => ({
  ...base,
  name,
  type: 'fixed',
  unit: 'mm',
  constraint: range(0, max),
});
const area = (width: number, height: number): Written[] => [
  length('tl-x', width),
  length('tl-y', height),
  length('br-x', width),
  length('br-y', height),
];
const off = (option: Written): Written => ({ ...option, active: false });

const written = {
  fujitsu: [
    text('source', 'ADF Front', 'ADF Back', 'ADF Duplex'),
    text('mode', 'Lineart', 'Halftone', 'Gray', 'Color'),
    dpi(range(50, 600, 1)),
    length('page-width', 221.121),
    length('page-height', 876.695),
    ...area(215.872, 279.364),
    text('prepick', 'Default', 'Off', 'On'),
    text('buffermode', 'Default', 'Off', 'On'),
    flag('hwdeskewcrop'),
    flag('swdeskew'),
    flag('swcrop'),
    sensor('page-loaded'),
    sensor('cover-open'),
    sensor('double-feed'),
  ],
  epsonds: [
    text('source', 'Flatbed', 'ADF Front', 'ADF Duplex'),
    text('mode', 'Lineart', 'Gray', 'Color'),
    depth(1, 8),
    dpi(range(50, 1200, 1)),
    ...area(215.9, 297.18),
    flag('adf-skew'),
    flag('adf-crp'),
  ],
  pixma: [
    dpi(list(75, 150, 300, 600)),
    text('mode', 'Color', 'Gray', '48 bits color', '16 bits gray', 'Lineart'),
    text('source', 'Flatbed', 'Automatic Document Feeder', 'ADF Duplex', 'Transparency Unit'),
    ...area(216.069, 297.011),
  ],
  genesys: [
    text('mode', 'Color', 'Gray'),
    off(text('source', 'Flatbed')),
    depth(16, 8),
    dpi(list(4800, 2400, 1200, 600, 300, 150, 75)),
    ...area(216.7, 300),
  ],
  hpaio: [
    text('mode', 'Lineart', 'Gray', 'Color'),
    dpi(list(75, 100, 150, 200, 300, 600, 1200)),
    text('source', 'Flatbed', 'ADF'),
    flag('batch-scan'),
    off(flag('duplex')),
    ...area(215.9, 297.011),
  ],
  brother: [
    text('mode', 'Black & White', 'Gray[Error Diffusion]', 'True Gray', '24bit Color', '24bit Color[Fast]'),
    dpi(list(100, 150, 200, 300, 400, 600, 1200, 2400, 4800, 9600)),
    text(
      'source',
      'FlatBed',
      'Automatic Document Feeder(left aligned)',
      'Automatic Document Feeder(left aligned,Duplex)',
    ),
    ...area(215.88, 355.567),
  ],
  avision: [
    text(
      'mode',
      'Lineart',
      'Dithered',
      '4bit Gray',
      'Gray',
      '12bit Gray',
      '16bit Gray',
      'Color',
      '12bit Color',
      '16bit Color',
    ),
    dpi(range(50, 600, 1)),
    text('source', 'Normal', 'Transparency', 'ADF Front', 'ADF Back', 'ADF Duplex'),
    ...area(216, 297),
  ],
  epson2: [
    text('mode', 'Lineart', 'Gray', 'Color'),
    depth(8, 16),
    dpi(list(50, 60, 72, 75, 80, 90, 100, 120, 144, 150, 200, 240, 300, 600, 1200, 2400)),
    text('source', 'Flatbed', 'Automatic Document Feeder'),
    text('adf-mode', 'Simplex', 'Duplex'),
    flag('preview'),
    ...area(215.9, 297.18),
  ],
  hp5590: [
    text('mode', 'Color', 'Color (48 bits)', 'Gray', 'Lineart'),
    dpi(list(100, 200, 300, 600, 1200)),
    text('source', 'Flatbed', 'ADF', 'ADF Duplex', 'TMA Slides', 'TMA Negatives'),
    ...area(215.9, 355.6),
    sensor('doc-in-adf'),
  ],
  canon_dr: [
    text('source', 'ADF Front', 'ADF Back', 'ADF Duplex', 'Card Front', 'Card Back', 'Card Duplex'),
    text('mode', 'Lineart', 'Halftone', 'Gray', 'Color'),
    dpi(range(100, 600, 1)),
    ...area(215.9, 355.6),
    flag('rollerdeskew'),
    flag('buffermode'),
    sensor('adf-loaded'),
    sensor('card-loaded'),
  ],
  kvs20xx: [
    text('mode', 'Lineart', 'Gray', 'Color'),
    dpi(range(100, 600, 1)),
    flag('duplex'),
    text('feeder-mode', 'single', 'continuous'),
    ...area(216, 355),
  ],
  sheetfed: [
    text('mode', 'Color', 'Gray'),
    dpi(list(100, 200, 300, 600)),
    text('source', 'Flatbed'),
    ...area(216, 500),
    sensor('page-loaded'),
  ],
  umax: [
    text('mode', 'Lineart', 'Gray', 'Color'),
    dpi(range(5, 300, 5), 'x-resolution'),
    dpi(range(5, 600, 5), 'y-resolution'),
    flag('resolution-bind'),
    text('source', 'Flatbed', 'Automatic Document Feeder', 'Transparency Adapter'),
    ...area(220, 300),
  ],
} satisfies Record<string, Written[]>;

export type Backend = keyof typeof written;

export const backends = Object.fromEntries(
  Object.entries(written).map(([name, options]) => [
    name,
    options.map((each, index): Descriptor => ({ ...each, index })),
  ]),
) as Record<Backend, Descriptor[]>;

export interface FakeDevice {
  readonly handle: Handle;
  /** What was set, in order: `mode=Color`. */
  readonly sets: string[];
}

export interface FakeSettings {
  /** Options that the device rejects. */
  readonly refuses?: readonly string[];
  readonly parameters?: Partial<Parameters>;
}

/** An open device with these options, which accepts all other settings. */
export function deviceWith(
  options: readonly Descriptor[],
  { refuses = [], parameters = {} }: FakeSettings = {},
): FakeDevice {
  const sets: string[] = [];
  const values = new Map<number, Value>();
  const never = () => Promise.reject(new Error('not in this test'));
  const handle: Handle = {
    isOpen: true,
    ensure: async () => false,
    options: async () => options,
    get: async index => values.get(index),
    async set(index, value) {
      const name = options[index]?.name ?? '';
      if (refuses.includes(name)) throw Object.assign(new Error('simulated'), { status: 'INVAL' });
      sets.push(`${name}=${String(value)}`);
      values.set(index, value);
      return true;
    },
    parameters: async () => ({
      format: 'rgb',
      bytesPerLine: 300,
      pixelsPerLine: 100,
      lines: 100,
      depth: 8,
      ...parameters,
    }),
    start: never,
    read: never,
    cancel: async () => undefined,
    abandon: async () => undefined,
    close: async () => undefined,
  };
  return { handle, sets };
}
