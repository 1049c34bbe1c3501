/** What scanners do to a page themselves, as far as their sources say so. */
import type { Adjustment, PageFacts } from '@platen/core/plugin';
import { FR, type CapabilityName } from './capabilityCodes.js';
import type { Negotiation } from './negotiation.js';

/** Those that are switched on and off. A border is found only where the page's size may be another one than was set. */
const switches: readonly { readonly does: Adjustment; readonly cap: CapabilityName; readonly with?: CapabilityName }[] = [
  { does: 'deskew', cap: 'AUTOMATICDESKEW' },
  { does: 'crop', cap: 'AUTOMATICBORDERDETECTION', with: 'UNDEFINEDIMAGESIZE' },
  { does: 'rotate', cap: 'AUTOMATICROTATE' },
];

/** Leaves all of them off. @param duplex whether there are backs to turn */
export async function adjustmentsOf(talk: Negotiation, duplex: boolean): Promise<readonly Adjustment[]> {
  const able: Adjustment[] = [];
  for (const { does, cap, with: first } of switches) {
    if ((await talk.get(cap)) === undefined) continue;
    if (first) await talk.set(first, true);
    if (await talk.set(cap, true)) able.push(does);
    await talk.set(cap, false);
    if (first) await talk.set(first, false);
  }
  if (duplex && (await talk.offers('FLIPROTATION', FR.FANFOLD))) able.push('turn');
  return able;
}

/** Turns on what was asked for, and the rest off. @returns what the scanner does now to each side */
export async function adjust(talk: Negotiation, wanted: readonly Adjustment[]): Promise<Readonly<Record<PageFacts['side'], readonly Adjustment[]>>> {
  const done: Adjustment[] = [];
  for (const { does, cap, with: first } of switches) {
    const on = wanted.includes(does);
    if (first && on) await talk.set(first, true);
    const taken = await talk.set(cap, on);
    if (first && !(on && taken)) await talk.set(first, false);
    // What cannot be switched off is done, whoever wished it.
    if (on ? taken : !taken && (await talk.current(cap)) === true) done.push(does);
  }
  const turn = wanted.includes('turn');
  const turned = (await talk.set('FLIPROTATION', turn ? FR.FANFOLD : FR.BOOK)) ? turn : (await talk.current('FLIPROTATION')) === FR.FANFOLD;
  return { front: done, back: turned ? [...done, 'turn'] : done };
}
