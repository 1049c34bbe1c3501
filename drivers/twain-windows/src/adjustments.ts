/** What scanners do to a page themselves, as their sources say. */
import type { Adjustment, PageFacts } from '@platen/core/plugin';
import type { CapabilityNegotiation } from './capabilityNegotiation.js';
import { type CapabilityName, FR } from './constants.js';

interface Switch {
  readonly does: Adjustment;
  readonly cap: CapabilityName;
  /** Must be on as well. */
  readonly with?: CapabilityName;
}

/** A border is found only where the page's size may be another one than was set. */
const switches: readonly Switch[] = [
  { does: 'deskew', cap: 'AUTOMATICDESKEW' },
  { does: 'crop', cap: 'AUTOMATICBORDERDETECTION', with: 'UNDEFINEDIMAGESIZE' },
  { does: 'rotate', cap: 'AUTOMATICROTATE' },
];

/** Leaves all of them off. @param duplex whether there are backs to turn */
export async function adjustmentsOf(
  negotiation: CapabilityNegotiation,
  duplex: boolean,
): Promise<readonly Adjustment[]> {
  const able: Adjustment[] = [];
  for (const { does, cap, with: first } of switches) {
    if ((await negotiation.get(cap)) === undefined) continue;
    if (first) await negotiation.set(first, true);
    if (await negotiation.set(cap, true)) able.push(does);
    await negotiation.set(cap, false);
    if (first) await negotiation.set(first, false);
  }
  if (duplex && (await negotiation.offers('FLIPROTATION', FR.FANFOLD))) able.push('turn');
  return able;
}

/** Turns the wanted ones on, and the others off. @returns what the scanner does now to each side */
export async function adjust(
  negotiation: CapabilityNegotiation,
  wanted: readonly Adjustment[],
): Promise<Readonly<Record<PageFacts['side'], readonly Adjustment[]>>> {
  const done: Adjustment[] = [];
  for (const { does, cap, with: first } of switches) {
    const on = wanted.includes(does);
    if (first && on) await negotiation.set(first, true);
    const taken = await negotiation.set(cap, on);
    if (first && !(on && taken)) await negotiation.set(first, false);
    // An adjustment that cannot be switched off is done, wanted or not.
    if (on ? taken : !taken && (await negotiation.current(cap)) === true) done.push(does);
  }
  const turn = wanted.includes('turn');
  const taken = await negotiation.set('FLIPROTATION', turn ? FR.FANFOLD : FR.BOOK);
  const turned = taken ? turn : (await negotiation.current('FLIPROTATION')) === FR.FANFOLD;
  return { front: done, back: turned ? [...done, 'turn'] : done };
}
