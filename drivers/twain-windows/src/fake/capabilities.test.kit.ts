/** The capabilities of the fake source, with the quirks in its state file. */
import { CC } from '../protocol/conditions.js';
import {
  capabilityCode,
  capabilityCodes,
  type CapabilityKey,
  type CapabilityName,
  MSG,
  QC,
  RC,
} from '../protocol/constants.js';
import { choicesOf, currentOf, type Container } from '../protocol/containers.js';
import { TY, type Frame, type Item } from '../protocol/itemTypes.js';
import { containerOf, defaultOf, extras, shapeOf, type Shape } from './shapes.test.kit.js';
import { readState } from './stateFile.test.kit.js';

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
 * `extras=1` has levels and options; `coarse=N` widens each frame by N units to the right and below, `shifts=1` moves it; pages of a frame
 * have `ends=N` rows at most, as where a sheet ends;
 * `swaps=1` treats BITORDER as the order of colours; `senses=1` scans the flatbed if the feeder is empty.
 */
export function createCapabilities(file: string): FakeCapabilities {
  const set = new Map<CapabilityKey, Item>();
  let whole = false;
  let frame: Frame | undefined;

  const shapeNow = (name: CapabilityKey): Shape | undefined => shapeOf(name, readState(file), value);

  function containerNow(name: CapabilityKey): Container | undefined {
    const shape = shapeNow(name);
    return shape && containerOf(name, shape, set.get(name));
  }

  function value(name: CapabilityKey): Item | undefined {
    const container = containerNow(name);
    return container && currentOf(container);
  }

  function change(name: CapabilityKey, to: Item, state: Record<string, string>): CapAnswer {
    const has = (key: string) => (state[key] ?? '').split(',').includes(String(name));
    const before = containerNow(name)!;
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
          items: [...names, ...Object.keys(extras).map(Number)].filter(each => containerNow(each)).map(capabilityCode),
        });
      }
      const container = containerNow(name);
      if (!container) return failed(CAPUNSUPPORTED);
      const shape = shapeNow(name)!;
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
        return ok({ kind: 'one', type: container.type, value: defaultOf(shape) });
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
