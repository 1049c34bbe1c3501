/** The scanners' own page adjustments, as their sources report them. */
import type { Adjustment, PageFacts } from '@platen/core/plugin';
import type { CapabilityNegotiation } from './capabilityNegotiation.js';
import { type CapabilityName, FR } from '../protocol/constants.js';

interface Switch {
  readonly does: Adjustment;
  readonly cap: CapabilityName;
  /** Must be on, too. */
  readonly with?: CapabilityName;
}

/** A border is detected only if the page's size may differ from the one that was set. */
const switches: readonly Switch[] = [
  { does: 'deskew', cap: 'AUTOMATICDESKEW' },
  { does: 'crop', cap: 'AUTOMATICBORDERDETECTION', with: 'UNDEFINEDIMAGESIZE' },
  { does: 'rotate', cap: 'AUTOMATICROTATE' },
];

/** Leaves all of them off. @param duplex whether backs can be turned */
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

/** Turns the requested ones on, and the others off. @returns the scanner's adjustments of each side */
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
    // An adjustment that cannot be switched off is applied even if it was not requested.
    if (on ? taken : !taken && (await negotiation.current(cap)) === true) done.push(does);
  }
  const turn = wanted.includes('turn');
  const taken = await negotiation.set('FLIPROTATION', turn ? FR.FANFOLD : FR.BOOK);
  const turned = taken ? turn : (await negotiation.current('FLIPROTATION')) === FR.FANFOLD;
  return { front: done, back: turned ? [...done, 'turn'] : done };
}
