/** The capabilities of the fake source, with the quirks in its state file. */
import { CC } from '../protocol/conditions.js';
import {
  capabilityCode,
  capabilityCodes,
  type CapabilityKey,
  type CapabilityName,
  INCHES,
  MSG,
  PT,
  QC,
  RC,
} from '../protocol/constants.js';
import { choicesOf, currentOf, type Container } from '../protocol/containers.js';
import { TY, type Frame, type Item, type ItemType } from '../protocol/itemTypes.js';
import { readState } from './stateFile.test.kit.js';

/** A vendor's capability: its value is added to every level of a page. */
export const INK = 0x8001;

export interface CapAnswer {
  readonly rc: number;
  readonly cc: number;
  readonly container?: Container;
}

export interface FakeCapabilities {
  value(key: CapabilityKey): Item | undefined;
  /** Resets the layout to the whole area, whatever SUPPORTEDSIZES is. */
  resetSize(): void;
  /** In the source's unit; a size that is set later replaces it. */
  frame: Frame | undefined;
  /** The size of the pages without a frame. */
  readonly size: Item | undefined;
  answer(msg: number, code: number, given: Container | undefined): CapAnswer;
}

/** A list, whose first item is the default; a single value, which may be set unless it is `fixed`; a range; or an array. */
type Shape =
  | { readonly list: readonly Item[] }
  | { readonly several: readonly Item[] }
  | { readonly one: Item; readonly fixed?: boolean }
  | { readonly range: readonly [min: number, max: number, step: number, now: number] };

const names = Object.keys(capabilityCodes) as CapabilityName[];

interface Extra {
  readonly type: ItemType;
  readonly shape: Shape;
  readonly label?: string;
  readonly help?: string;
}

/** With `extras=1`: two of the specification, four of a vendor, one that cannot be set. */
const extras: Readonly<Record<number, Extra>> = {
  0x1108: { type: TY.FIX32, shape: { range: [0.5, 3, 0.1, 1.8] } },
  0x1148: { type: TY.UINT16, shape: { list: [0, 1, 2, 3] } },
  [INK]: { type: TY.INT16, shape: { range: [0, 100, 5, 0] }, label: 'Ink', help: 'Is added to every level.' },
  0x8002: { type: TY.BOOL, shape: { one: false }, label: 'Paper saver' },
  0x8003: { type: TY.STR32, shape: { list: ['none', 'stamp'] } },
  0x8004: { type: TY.INT32, shape: { one: 7, fixed: true } },
  0x8005: { type: TY.UINT16, shape: { several: [1, 2] }, label: 'Zones' },
};
const ok = (container?: Container): CapAnswer => ({ rc: RC.SUCCESS, cc: 0, ...(container && { container }) });
const failed = (cc: number): CapAnswer => ({ rc: RC.FAILURE, cc });
const CAPUNSUPPORTED = 13;
const CAPBADOPERATION = 14;
const CAPSEQERROR = 15;

/**
 * State keys in addition to those of native/simulation: `without=NAME,…` lacks capabilities; `unlisted=1` and
 * `unasked=1` refuse SUPPORTEDCAPS and QUERYSUPPORT; `refuses=NAME,…` refuses to set; `keeps=NAME,…` accepts and does
 * nothing; `units=N`;
 * `extras=1` has levels and options; `coarse=N` widens each frame by N units to the right and below, `shifts=1` moves it; pages of a frame
 * have `ends=N` rows at most, as where a sheet ends;
 * `swaps=1` treats BITORDER as the order of colours; `senses=1` scans the flatbed if the feeder is empty.
 */
export function createCapabilities(file: string): FakeCapabilities {
  const set = new Map<CapabilityKey, Item>();
  let whole = false;
  let frame: Frame | undefined;

  function shapeOf(name: CapabilityKey): Shape | undefined {
    const state = readState(file);
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

  function containerOf(name: CapabilityKey): Container | undefined {
    const shape = shapeOf(name);
    const { type } = typeof name === 'number' ? (extras[name] ?? { type: TY.UINT16 }) : capabilityCodes[name];
    if (!shape) return undefined;
    if ('range' in shape) {
      const [min, max, step, now] = shape.range;
      return { kind: 'range', type, min, max, step, default: now, current: Number(set.get(name) ?? now) };
    }
    if ('several' in shape) return { kind: 'array', type, items: shape.several };
    if ('one' in shape) return { kind: 'one', type, value: shape.fixed ? shape.one : (set.get(name) ?? shape.one) };
    const preset = presetOf(shape.list);
    const at = shape.list.indexOf(set.get(name) ?? shape.list[preset]!);
    return { kind: 'list', type, items: shape.list, current: Math.max(0, at), default: preset };
  }

  /** The first one, unless it is a scale around 0. */
  const presetOf = (list: readonly Item[]) => (Number(list[0]) < 0 ? list.indexOf(0) : 0);

  function value(name: CapabilityKey): Item | undefined {
    const container = containerOf(name);
    return container && currentOf(container);
  }

  function change(name: CapabilityKey, to: Item, state: Record<string, string>): CapAnswer {
    const has = (key: string) => (state[key] ?? '').split(',').includes(String(name));
    const before = containerOf(name)!;
    if (has('refuses')) return failed(CC.BADVALUE);
    // A border is detected only if the size may differ.
    if (name === 'AUTOMATICBORDERDETECTION' && to === true && value('UNDEFINEDIMAGESIZE') !== true)
      return failed(CAPSEQERROR);
    if (has('keeps') || state['lies']) return ok();
    const item = choicesOf(before).find(
      each => each === to || (typeof each === 'number' && Math.abs(each - Number(to)) < 0.001),
    );
    const taken = before.kind === 'list' && item !== undefined && { item };
    if (before.kind === 'list' && before.items.length > 0 && !taken) return failed(CC.BADVALUE);
    set.set(name, taken ? taken.item : to);
    if (name === 'SUPPORTEDSIZES') {
      whole = false;
      frame = undefined;
    }
    return ok();
  }

  return {
    value,
    resetSize() {
      whole = true;
      frame = undefined;
    },
    get frame() {
      return frame;
    },
    set frame(asked) {
      const { coarse = '0', shifts } = readState(file);
      const [more, moved] = [Number(coarse), shifts ? 0.1 : 0];
      frame = asked && {
        left: asked.left + moved,
        top: asked.top,
        right: asked.right + moved + more,
        bottom: asked.bottom + more,
      };
    },
    get size() {
      return whole ? undefined : value('SUPPORTEDSIZES');
    },
    answer(msg, code, given) {
      const state = readState(file);
      const name: CapabilityKey = names.find(each => capabilityCodes[each].code === code) ?? code;
      if (name === 'SUPPORTEDCAPS') {
        if (state['unlisted']) return failed(CC.BADCAP);
        return ok({
          kind: 'array',
          type: 4,
          items: [...names, ...Object.keys(extras).map(Number)].filter(each => containerOf(each)).map(capabilityCode),
        });
      }
      const container = containerOf(name);
      if (!container) return failed(CAPUNSUPPORTED);
      const shape = shapeOf(name)!;
      const fixed = 'fixed' in shape && shape.fixed === true;
      const current = currentOf(container);
      if (msg === MSG.GET) return ok(container);
      if (msg === MSG.GETCURRENT)
        return current === undefined ? ok(container) : ok({ kind: 'one', type: container.type, value: current });
      if (msg === MSG.GETLABEL || msg === MSG.GETHELP) {
        const words = extras[code]?.[msg === MSG.GETLABEL ? 'label' : 'help'];
        return words ? ok({ kind: 'one', type: TY.STR255, value: words }) : failed(CAPBADOPERATION);
      }
      if (msg === MSG.GETDEFAULT) {
        if ('several' in shape) return ok(container);
        const preset =
          'list' in shape ? shape.list[presetOf(shape.list)]! : 'range' in shape ? shape.range[3] : shape.one;
        return ok({ kind: 'one', type: container.type, value: preset });
      }
      if (msg === MSG.QUERYSUPPORT)
        return state['unasked']
          ? failed(CAPBADOPERATION)
          : ok({ kind: 'one', type: 2, value: QC.GET | QC.GETCURRENT | (fixed ? 0 : QC.SET) });
      if (msg !== MSG.SET || fixed || !given) return failed(CAPBADOPERATION);
      return given.kind === 'one' ? change(name, given.value, state) : ok();
    },
  };
}
