/** Capabilities of an open source: what it says it has, and what it makes of what it is asked for. */
import type { Log } from '@platen/core/plugin';
import { capabilityCodes, type CapabilityName } from './capabilityCodes.js';
import { CC, Refusal } from './conditions.js';
import { choicesOf, currentOf, type Container } from './containers.js';
import type { Handle } from './handle.js';
import type { Item } from './itemTypes.js';
import { MSG, QC, RC } from './triplets.js';

export interface Negotiation {
  /** Reads anew which capabilities there are: they follow from the feeder's being enabled in some sources. */
  refresh(): Promise<void>;
  /** All that may be set, with the current value; undefined where the source does not say. */
  get(name: CapabilityName): Promise<Container | undefined>;
  /** What counts now, by the source's own word. */
  current(name: CapabilityName): Promise<Item | undefined>;
  /** What the source begins with. */
  standard(name: CapabilityName): Promise<Item | undefined>;
  /** Whether the source offers this value; a source that offers no choice is not asked twice. */
  offers(name: CapabilityName, value: Item): Promise<boolean>;
  /**
   * Sets a value where the source has the capability, lets it be set and offers the value, or where it does not say; then asks what became of it.
   * @param again also where the source says that it is so already
   * @returns whether it counts now: sources say yes and do something else
   */
  set(name: CapabilityName, value: Item, again?: 'again'): Promise<boolean>;
  /** As the source begins with; MSG_RESET where it does not say what that is. */
  putBack(name: CapabilityName): Promise<void>;
}

/** What every source must have, also one that forgets to list it. */
const mandatory: readonly CapabilityName[] = ['XFERCOUNT', 'PIXELTYPE', 'UNITS', 'XFERMECH', 'SUPPORTEDCAPS', 'XRESOLUTION', 'YRESOLUTION'];

/** @param name of the scanner, for the log @throws what the device, and not the capability, fails with: from every method */
export function createNegotiation(handle: Handle, log: Log, name: string): Negotiation {
  let listed: ReadonlySet<Item> | undefined;
  /** MSG_QUERYSUPPORT's answers; 0 where the source does not know the question. */
  const operations = new Map<CapabilityName, number>();

  const has = (cap: CapabilityName) => !listed || mandatory.includes(cap) || listed.has(capabilityCodes[cap].code);

  async function ask(msg: number, cap: CapabilityName, container?: Container) {
    const answer = await handle.cap(msg, cap, container);
    const taken = answer.rc === RC.SUCCESS || answer.rc === RC.CHECKSTATUS;
    if (!taken && answer.cc === CC.CHECKDEVICEONLINE) throw new Refusal(`CAPABILITY ${cap}`, answer.rc, answer.cc);
    return { taken, container: taken ? answer.container : undefined };
  }

  async function maySet(cap: CapabilityName): Promise<boolean> {
    let allowed = operations.get(cap);
    if (allowed === undefined) {
      const { container } = await ask(MSG.QUERYSUPPORT, cap);
      const bits = container && currentOf(container);
      allowed = typeof bits === 'number' ? bits : 0;
      operations.set(cap, allowed);
    }
    return allowed === 0 || (allowed & QC.SET) !== 0;
  }

  const negotiation: Negotiation = {
    async refresh() {
      operations.clear();
      const { container } = await ask(MSG.GET, 'SUPPORTEDCAPS');
      const items = container ? choicesOf(container) : [];
      // One that lists nothing does not know how to; it is asked for each.
      listed = items.length > 0 ? new Set(items) : undefined;
    },
    async get(cap) {
      if (!has(cap)) return undefined;
      return (await ask(MSG.GET, cap)).container ?? (await ask(MSG.GETCURRENT, cap)).container;
    },
    async current(cap) {
      if (!has(cap)) return undefined;
      const { container } = await ask(MSG.GETCURRENT, cap);
      const known = container ?? (await ask(MSG.GET, cap)).container;
      return known && currentOf(known);
    },
    async standard(cap) {
      if (!has(cap)) return undefined;
      const { container } = await ask(MSG.GETDEFAULT, cap);
      return container && currentOf(container);
    },
    async offers(cap, value) {
      const container = await negotiation.get(cap);
      return container !== undefined && choicesOf(container).includes(value);
    },
    async set(cap, value, again) {
      if (!has(cap)) return false;
      const before = await negotiation.get(cap);
      // Nothing is set that is so already: drivers do more than they should when they are told something.
      if (!again && before && isSame(currentOf(before), value)) return true;
      if ((before && !isOffered(before, value)) || !(await maySet(cap))) return false;
      const { taken } = await ask(MSG.SET, cap, { kind: 'one', type: before?.type ?? capabilityCodes[cap].type, value });
      const now = await negotiation.current(cap);
      // Of one that cannot be read back, its word counts.
      const counts = now === undefined ? taken : isSame(now, value);
      if (!counts) log.debug(`"${name}" made ${cap} = ${String(now)} of ${String(value)}.`);
      return counts;
    },
    async putBack(cap) {
      if (!has(cap)) return;
      const standard = await negotiation.standard(cap);
      if (standard === undefined) await ask(MSG.RESET, cap);
      else await negotiation.set(cap, standard);
    },
  };
  return negotiation;
}

/** A fixed-point number, and one that a driver has rounded, are the same. */
function isSame(one: Item | undefined, other: Item): boolean {
  return typeof one === 'number' && typeof other === 'number' ? Math.abs(one - other) < 0.01 : Number(one) === Number(other);
}

/** Only a list says what else is refused: many offer a single value and take others. */
function isOffered(container: Container, value: Item): boolean {
  if (container.kind === 'range') return typeof value === 'number' && value >= container.min && value <= container.max;
  return container.kind !== 'list' || container.items.length === 0 || container.items.some(item => isSame(item, value));
}
