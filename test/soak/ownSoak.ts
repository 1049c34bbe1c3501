/** A soak in a network of its own, where it discovers no one else's scanners. */
import { inOwnNetwork } from '../topology/ownNetwork.js';
import type { SoakOptions, SoakResult } from './soak.js';

/** A rest is as long as threads and pages of an ended auto-scan stay, and some seconds. */
const REST_MS = 40_000;
/** By default five minutes, which each rest would have to wait. */
const config = { autoscan: { idleSeconds: 10 } };

/** For the jobs that are done once, and for a busy machine. */
const MORE_MS = 15 * 60_000;

type Wishes = Partial<SoakOptions> & Pick<SoakOptions, 'ms' | 'firstMs' | 'everyMs' | 'seed'>;

/** @param say gets what it does, line by line */
export function soakInOwnNetwork(wishes: Wishes, say: (text: string) => void): Promise<SoakResult> {
  const options: SoakOptions = { restMs: REST_MS, config, ...wishes };
  return inOwnNetwork<SoakResult>(new URL('./inside.js', import.meta.url), [JSON.stringify(options)], {
    limitMs: options.ms + Math.ceil(options.ms / options.everyMs + 1) * 2 * options.restMs + MORE_MS,
    say,
  });
}
