/** One scanner that is found in two ways. */
import type { Known } from './known.js';
import type { Place } from './place.js';

/** A configured scanner that is discovered as well. One host may have several, each at a path of its own. */
export function isSame({ place, machine }: Known, other: Place): boolean {
  return place.url.href === other.url.href || (machine?.uuid !== undefined && machine.uuid === other.told?.uuid);
}

/**
 * Most devices announce themselves with TLS and without: what is scanned goes over TLS. An announcement of another host does not take the place of the one
 * that was heard of first: anybody may send a device's identity.
 * @param places in the order in which they were heard of first
 */
export function withoutDoubles(places: readonly Place[]): ReadonlyMap<string, Place> {
  const kept = new Map<string, Place>();
  for (const place of places) {
    const first = kept.get(place.id);
    const isSafer = place.url.protocol === 'https:' && place.url.hostname === first?.url.hostname;
    if (!first || isSafer) kept.set(place.id, place);
  }
  return kept;
}
