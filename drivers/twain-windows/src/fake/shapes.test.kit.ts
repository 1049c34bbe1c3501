/** The shapes of the fake source's capabilities: their types, values and defaults, in each state of its file. */
import { capabilityCodes, type CapabilityKey, type CapabilityName, INCHES, PT } from '../protocol/constants.js';
import type { Container } from '../protocol/containers.js';
import { TY, type Item, type ItemType } from '../protocol/itemTypes.js';
import type { SourceState } from './stateFile.test.kit.js';

/** A vendor's capability: its value is added to every level of a page. */
export const INK = 0x8001;

/** A list, whose first item is the default; a single value, which may be set unless it is `fixed`; a range; or an array. */
export type Shape =
  | { readonly list: readonly Item[] }
  | { readonly several: readonly Item[] }
  | { readonly one: Item; readonly fixed?: boolean }
  | { readonly range: readonly [min: number, max: number, step: number, now: number] };

interface Extra {
  readonly type: ItemType;
  readonly shape: Shape;
  readonly label?: string;
  readonly help?: string;
}

/** With `extras=1`: two of the specification, four of a vendor, one that cannot be set. */
export const extras: Readonly<Record<number, Extra>> = {
  0x1108: { type: TY.FIX32, shape: { range: [0.5, 3, 0.1, 1.8] } },
  0x1148: { type: TY.UINT16, shape: { list: [0, 1, 2, 3] } },
  [INK]: { type: TY.INT16, shape: { range: [0, 100, 5, 0] }, label: 'Ink', help: 'Is added to every level.' },
  0x8002: { type: TY.BOOL, shape: { one: false }, label: 'Paper saver' },
  0x8003: { type: TY.STR32, shape: { list: ['none', 'stamp'] } },
  0x8004: { type: TY.INT32, shape: { one: 7, fixed: true } },
  0x8005: { type: TY.UINT16, shape: { several: [1, 2] }, label: 'Zones' },
};

/**
 * The shape of a capability in this state; undefined if the source lacks it.
 * @param value the current value of another capability
 */
export function shapeOf(
  name: CapabilityKey,
  state: SourceState,
  value: (name: CapabilityKey) => Item | undefined,
): Shape | undefined {
  const hasExtras = state['extras'] !== undefined;
  if (typeof name === 'number') return hasExtras ? extras[name]?.shape : undefined;
  const number = (key: string, absent: number) => Number(state[key] ?? absent);
  const feeder = number('hasfeeder', 1) !== 0;
  const duplex = feeder && number('hasduplex', 1) !== 0;
  const units = number('units', INCHES);
  const sheet = (inches: number) => (units === 1 ? inches * 2.54 : inches);
  if ((state['without'] ?? '').split(',').includes(name)) return undefined;
  const numbers = (key: string, absent: string) => (state[key] ?? absent).split(',').map(Number);
  const adjusts = number('adjusts', 0) !== 0;
  const shapes: Partial<Record<CapabilityName, () => Shape | false>> = {
    XFERCOUNT: () => ({ one: -1 }),
    COMPRESSION: () => ({ list: [0] }),
    PIXELTYPE: () => ({ list: numbers('pixeltypes', '2,0,1') }),
    BITDEPTH: () => ({ list: [{ [PT.BW]: 1, [PT.RGB]: 24 }[Number(value('PIXELTYPE'))] ?? 8] }),
    UNITS: () => ({ list: [units] }),
    XFERMECH: () => ({ list: { native: [0], memory: [2] }[state['mechs'] ?? ''] ?? [0, 2] }),
    FEEDERENABLED: () => feeder && { one: true, fixed: number('hasflatbed', 1) === 0 },
    FEEDERLOADED: () => feeder && { one: number('sheets', 3) > 0 && !state['unplugged'], fixed: true },
    AUTOFEED: () => feeder && { one: true },
    AUTOSCAN: () => feeder && number('autoscan', 0) !== 0 && { one: false },
    AUTOMATICSENSEMEDIUM: () => number('senses', 0) !== 0 && { one: true },
    INDICATORS: () => ({ one: true }),
    PAPERDETECTABLE: () => feeder && { one: number('paperdetectable', 1) !== 0, fixed: true },
    UICONTROLLABLE: () => ({ one: number('uicontrollable', 1) !== 0, fixed: true }),
    DEVICEONLINE: () => ({ one: state['fault'] !== 'offline' && !state['unplugged'], fixed: true }),
    DUPLEX: () => ({ one: duplex ? 1 : 0, fixed: true }),
    DUPLEXENABLED: () => duplex && { one: false },
    FLIPROTATION: () => duplex && adjusts && { list: [0, 1] },
    AUTODISCARDBLANKPAGES: () => adjusts && { one: -1 },
    DEVICEEVENT: () => adjusts && { list: [] },
    AUTOBRIGHT: () => hasExtras && { one: true },
    BRIGHTNESS: () => hasExtras && { range: [-1000, 1000, 10, 0] },
    CONTRAST: () => hasExtras && { list: [-1000, -500, 0, 500, 1000] },
    BITDEPTHREDUCTION: () => hasExtras && { list: [1, 0] },
    THRESHOLD: () => hasExtras && value('PIXELTYPE') === PT.BW && { range: [0, 255, 1, 128] },
    MINIMUMWIDTH: () => hasExtras && { one: sheet(0.4), fixed: true },
    PHYSICALWIDTH: () => ({ one: sheet(8.5), fixed: true }),
    PHYSICALHEIGHT: () => ({ one: sheet(14), fixed: true }),
    XRESOLUTION: () =>
      number('ranges', 0) ? { range: [50, 600, 1, 200] } : { list: numbers('resolutions', '200,75,100,150,300,600') },
    YRESOLUTION: () =>
      number('ranges', 0)
        ? { range: [50, 600, 1, 200] }
        : { list: numbers('yresolutions', state['resolutions'] ?? '200,75,100,150,300,600') },
    PIXELFLAVOR: () => ({ list: { vanilla: [1], chocolate: [0] }[state['flavor'] ?? ''] ?? [0, 1] }),
    BITORDER: () => ({ list: state['swaps'] ? [0, 1] : state['lowestfirst'] ? [0] : [1] }),
    SUPPORTEDSIZES: () => ({ list: numbers('sizes', '0,1,3,4,5,13') }),
    UNDEFINEDIMAGESIZE: () => ({ one: false }),
    AUTOMATICBORDERDETECTION: () => adjusts && { one: false },
    AUTOMATICDESKEW: () => adjusts && { one: false },
    AUTOMATICROTATE: () => adjusts && { one: false },
  };
  return shapes[name]?.() || undefined;
}

/** @param set the value that was set last; undefined for the default */
export function containerOf(name: CapabilityKey, shape: Shape, set: Item | undefined): Container {
  const { type } = typeof name === 'number' ? (extras[name] ?? { type: TY.UINT16 }) : capabilityCodes[name];
  if ('range' in shape) {
    const [min, max, step, now] = shape.range;
    return { kind: 'range', type, min, max, step, default: now, current: Number(set ?? now) };
  }
  if ('several' in shape) return { kind: 'array', type, items: shape.several };
  if ('one' in shape) return { kind: 'one', type, value: shape.fixed ? shape.one : (set ?? shape.one) };
  const preset = presetOf(shape.list);
  const at = shape.list.indexOf(set ?? shape.list[preset]!);
  return { kind: 'list', type, items: shape.list, current: Math.max(0, at), default: preset };
}

/** What MSG_GETDEFAULT answers; an array has no default. */
export function defaultOf(shape: Exclude<Shape, { readonly several: readonly Item[] }>): Item {
  return 'list' in shape ? shape.list[presetOf(shape.list)]! : 'range' in shape ? shape.range[3] : shape.one;
}

/** The first one, unless it is a scale around 0. */
function presetOf(list: readonly Item[]): number {
  return Number(list[0]) < 0 ? list.indexOf(0) : 0;
}
