/** The capabilities of the fake source, with the quirks in its state file. */
import { CC } from './conditions.js';
import { capabilityCodes, type CapabilityName, INCHES, MSG, PT, QC, RC } from './constants.js';
import { choicesOf, currentOf, type Container } from './containers.js';
import type { Item } from './itemTypes.js';
import { readState } from './stateFile.test.kit.js';

export interface CapAnswer {
  readonly rc: number;
  readonly cc: number;
  readonly container?: Container;
}

export interface FakeCapabilities {
  value(name: CapabilityName): Item | undefined;
  /** Resets the layout to the whole area, whatever SUPPORTEDSIZES is. */
  resetSize(): void;
  /** The size of the pages. */
  readonly size: Item | undefined;
  answer(msg: number, code: number, given: Container | undefined): CapAnswer;
}

/** A list, whose first item is the default; a single value, which may be set unless it is `fixed`; or a range. */
type Shape =
  | { readonly list: readonly Item[] }
  | { readonly one: Item; readonly fixed?: boolean }
  | { readonly range: readonly [min: number, max: number, step: number, now: number] };

const names = Object.keys(capabilityCodes) as CapabilityName[];
const ok = (container?: Container): CapAnswer => ({ rc: RC.SUCCESS, cc: 0, ...(container && { container }) });
const failed = (cc: number): CapAnswer => ({ rc: RC.FAILURE, cc });
const CAPUNSUPPORTED = 13;
const CAPBADOPERATION = 14;
const CAPSEQERROR = 15;

/**
 * State keys in addition to those of native/simulation: `without=NAME,…` lacks capabilities; `unlisted=1` and
 * `unasked=1` refuse SUPPORTEDCAPS and QUERYSUPPORT; `refuses=NAME,…` refuses to set; `keeps=NAME,…` accepts and does
 * nothing; `units=N`;
 * `swaps=1` treats BITORDER as the order of colours; `senses=1` scans the flatbed if the feeder is empty.
 */
export function createCapabilities(file: string): FakeCapabilities {
  const set = new Map<CapabilityName, Item>();
  let whole = false;

  function shapeOf(name: CapabilityName): Shape | undefined {
    const state = readState(file);
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
      FEEDERLOADED: () => feeder && { one: number('sheets', 3) > 0, fixed: true },
      AUTOFEED: () => feeder && { one: true },
      AUTOSCAN: () => feeder && number('autoscan', 0) !== 0 && { one: false },
      AUTOMATICSENSEMEDIUM: () => number('senses', 0) !== 0 && { one: true },
      INDICATORS: () => ({ one: true }),
      PAPERDETECTABLE: () => feeder && { one: number('paperdetectable', 1) !== 0, fixed: true },
      UICONTROLLABLE: () => ({ one: number('uicontrollable', 1) !== 0, fixed: true }),
      DEVICEONLINE: () => ({ one: state['fault'] !== 'offline', fixed: true }),
      DUPLEX: () => ({ one: duplex ? 1 : 0, fixed: true }),
      DUPLEXENABLED: () => duplex && { one: false },
      FLIPROTATION: () => duplex && adjusts && { list: [0, 1] },
      AUTODISCARDBLANKPAGES: () => adjusts && { one: -1 },
      DEVICEEVENT: () => adjusts && { list: [] },
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

  function containerOf(name: CapabilityName): Container | undefined {
    const shape = shapeOf(name);
    const { type } = capabilityCodes[name];
    if (!shape) return undefined;
    if ('range' in shape) {
      const [min, max, step, now] = shape.range;
      return { kind: 'range', type, min, max, step, default: now, current: Number(set.get(name) ?? now) };
    }
    if ('one' in shape) return { kind: 'one', type, value: shape.fixed ? shape.one : (set.get(name) ?? shape.one) };
    const at = shape.list.indexOf(set.get(name) ?? shape.list[0]!);
    return { kind: 'list', type, items: shape.list, current: Math.max(0, at), default: 0 };
  }

  function value(name: CapabilityName): Item | undefined {
    const container = containerOf(name);
    return container && currentOf(container);
  }

  function change(name: CapabilityName, to: Item, state: Record<string, string>): CapAnswer {
    const has = (key: string) => (state[key] ?? '').split(',').includes(name);
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
    if (name === 'SUPPORTEDSIZES') whole = false;
    return ok();
  }

  return {
    value,
    resetSize: () => void (whole = true),
    get size() {
      return whole ? undefined : value('SUPPORTEDSIZES');
    },
    answer(msg, code, given) {
      const state = readState(file);
      const name = names.find(each => capabilityCodes[each].code === code);
      if (name === 'SUPPORTEDCAPS') {
        if (state['unlisted']) return failed(CC.BADCAP);
        return ok({
          kind: 'array',
          type: 4,
          items: names.filter(each => containerOf(each)).map(each => capabilityCodes[each].code),
        });
      }
      const container = name && containerOf(name);
      if (!container) return failed(CAPUNSUPPORTED);
      const shape = shapeOf(name)!;
      const fixed = 'fixed' in shape && shape.fixed === true;
      const current = currentOf(container);
      if (msg === MSG.GET) return ok(container);
      if (msg === MSG.GETCURRENT)
        return current === undefined ? ok(container) : ok({ kind: 'one', type: container.type, value: current });
      if (msg === MSG.GETDEFAULT)
        return ok({ kind: 'one', type: container.type, value: 'list' in shape ? shape.list[0]! : (current ?? 0) });
      if (msg === MSG.QUERYSUPPORT)
        return state['unasked']
          ? failed(CAPBADOPERATION)
          : ok({ kind: 'one', type: 2, value: QC.GET | QC.GETCURRENT | (fixed ? 0 : QC.SET) });
      if (msg !== MSG.SET || fixed || !given) return failed(CAPBADOPERATION);
      return given.kind === 'one' ? change(name, given.value, state) : ok();
    },
  };
}
