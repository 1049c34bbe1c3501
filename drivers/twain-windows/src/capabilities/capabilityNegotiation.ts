/** Capability negotiation with an open source: what it offers, and the effect of a value that is set. */
import type { Log } from '@platen/core/plugin';
import { CC, Refusal } from '../protocol/conditions.js';
import { capabilityCode, capabilityCodes, type CapabilityKey, MSG, QC, RC } from '../protocol/constants.js';
import { choicesOf, currentOf, type Container } from '../protocol/containers.js';
import type { DataSource } from '../source/dataSource.js';
import type { Item } from '../protocol/itemTypes.js';

export interface CapabilityNegotiation {
  /** Reads the list of capabilities again: in some sources it depends on whether the feeder is enabled. */
  refresh(): Promise<void>;
  /** The numbers that CAP_SUPPORTEDCAPS lists; empty if the source cannot list. */
  listed(): readonly number[];
  /** All values that may be set, with the current one; undefined if the source does not report them. */
  get(key: CapabilityKey): Promise<Container | undefined>;
  /** The current value, as the source reports it. */
  current(key: CapabilityKey): Promise<Item | undefined>;
  default(key: CapabilityKey): Promise<Item | undefined>;
  /** Whether the source offers this value; a source that offers no choice is not asked twice. */
  offers(key: CapabilityKey, value: Item): Promise<boolean>;
  /**
   * Sets a value if the source has the capability, allows setting it and offers the value, or does not report
   * that; then reads it back.
   * @param again even if the source reports this value already
   * @returns whether the value is in effect: some sources accept it and do something else
   */
  set(key: CapabilityKey, value: Item, again?: 'again'): Promise<boolean>;
  /** Whether QUERYSUPPORT allows setting it, or is not answered. */
  maySet(key: CapabilityKey): Promise<boolean>;
  /** The source's own words, MSG_GETLABEL or MSG_GETHELP; undefined if it has none. */
  text(key: CapabilityKey, msg: number): Promise<string | undefined>;
  /** Sets the default; sends MSG_RESET if the source does not report it. */
  reset(key: CapabilityKey): Promise<void>;
}

/** Every source must have these, so they are used even if it does not list them. */
const mandatory: readonly CapabilityKey[] = [
  'XFERCOUNT',
  'PIXELTYPE',
  'UNITS',
  'XFERMECH',
  'SUPPORTEDCAPS',
  'XRESOLUTION',
  'YRESOLUTION',
];

/**
 * Every method throws a failure of the device; a refusal of the capability is not a failure.
 * @param name of the scanner, for the log
 */
export function createCapabilityNegotiation(dataSource: DataSource, log: Log, name: string): CapabilityNegotiation {
  let listed: ReadonlySet<Item> | undefined;
  /** MSG_QUERYSUPPORT's answers; 0 if the source does not support the message. */
  const operations = new Map<CapabilityKey, number>();

  const has = (cap: CapabilityKey) => !listed || mandatory.includes(cap) || listed.has(capabilityCode(cap));

  async function ask(msg: number, cap: CapabilityKey, container?: Container) {
    const answer = await dataSource.capability(msg, cap, container);
    const taken = answer.rc === RC.SUCCESS || answer.rc === RC.CHECKSTATUS;
    if (!taken && answer.cc === CC.CHECKDEVICEONLINE)
      throw new Refusal(`CAPABILITY ${named(cap)}`, answer.rc, answer.cc);
    return { taken, container: taken ? answer.container : undefined };
  }

  async function maySet(cap: CapabilityKey): Promise<boolean> {
    let allowed = operations.get(cap);
    if (allowed === undefined) {
      const { container } = await ask(MSG.QUERYSUPPORT, cap);
      const bits = container && currentOf(container);
      allowed = typeof bits === 'number' ? bits : 0;
      operations.set(cap, allowed);
    }
    return allowed === 0 || (allowed & QC.SET) !== 0;
  }

  const negotiation: CapabilityNegotiation = {
    async refresh() {
      operations.clear();
      const { container } = await ask(MSG.GET, 'SUPPORTEDCAPS');
      const items = container ? choicesOf(container) : [];
      // A source that lists nothing cannot list: ask it for each capability.
      listed = items.length > 0 ? new Set(items) : undefined;
    },
    listed: () => [...(listed ?? [])].map(Number),
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
    async default(cap) {
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
      // A value already in effect is not set: setting one has side effects in some drivers.
      if (!again && before && isSame(currentOf(before), value)) return true;
      if ((before && !isOffered(before, value)) || !(await maySet(cap))) return false;
      const type = before?.type ?? (typeof cap === 'number' ? undefined : capabilityCodes[cap].type);
      if (type === undefined) return false;
      const { taken } = await ask(MSG.SET, cap, { kind: 'one', type, value });
      const now = await negotiation.current(cap);
      // If the value cannot be read back, the answer counts.
      const counts = now === undefined ? taken : isSame(now, value);
      if (!counts) log.debug(`"${name}" made ${named(cap)} = ${String(now)} of ${String(value)}.`);
      return counts;
    },
    maySet,
    async text(cap, msg) {
      const { container } = await ask(msg, cap);
      const words = container && currentOf(container);
      return typeof words === 'string' && words.trim() !== '' ? words.trim() : undefined;
    },
    async reset(cap) {
      if (!has(cap)) return;
      const value = await negotiation.default(cap);
      if (value === undefined) await ask(MSG.RESET, cap);
      else await negotiation.set(cap, value);
    },
  };
  return negotiation;
}

function named(cap: CapabilityKey): string {
  return typeof cap === 'number' ? `0x${cap.toString(16)}` : cap;
}

/** Drivers round fixed-point numbers. */
function isSame(one: Item | undefined, other: Item): boolean {
  const areNumbers = typeof one === 'number' && typeof other === 'number';
  if (areNumbers) return Math.abs(one - other) < 0.01;
  return typeof one === 'string' ? one === other : Number(one) === Number(other);
}

/** Only a list excludes other values: many sources offer a single value and accept others. */
function isOffered(container: Container, value: Item): boolean {
  if (container.kind === 'range') return typeof value === 'number' && value >= container.min && value <= container.max;
  if (container.kind !== 'list' || container.items.length === 0) return true;
  return container.items.some(item => isSame(item, value));
}
