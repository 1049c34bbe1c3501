/** Whether a premium plugin may be set up: the loader asks, and its caller supplies the check of licences. */
import type { Log, Plugin } from '../contract/plugin.js';
import { systemClock, type Clock } from '../time/clock.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Days before a licence expires in which to warn. */
const WARN_DAYS = 30;

/** Facts of a valid licence. */
export interface Entitlement {
  readonly customer: string;
  readonly expires: Date;
}

export interface LicenceQuestion {
  /** The plugin's own name, for which the licence must be issued. */
  readonly plugin: string;
  /** The key from the plugin (`Premium.publicKey`). */
  readonly publicKey: string;
  /** The licence in the configuration; undefined if there is none. */
  readonly licence: string | undefined;
}

/** @throws Error whose message gives the reason and fits into brackets: `its licence expired on 2026-01-31` */
export type Entitle = (question: LicenceQuestion) => Promise<Entitlement>;

/**
 * @returns undefined for a plugin that needs no licence
 * @throws Error with the message of `Entitle`
 */
export async function entitlementOf(
  plugin: Plugin,
  licence: string | undefined,
  entitle: Entitle | undefined,
): Promise<Entitlement | undefined> {
  // A JavaScript plugin may have any value here.
  const premium = plugin.premium as unknown;
  if (premium === undefined || premium === false) return undefined;
  const publicKey = (premium as { publicKey?: unknown } | null)?.publicKey;
  if (typeof publicKey !== 'string') throw new Error('it has no public key for checking a licence');
  if (!entitle) throw new Error('this program cannot check licences');
  return entitle({ plugin: plugin.name, publicKey, licence });
}

export function warnOfExpiry(
  use: string,
  { customer, expires }: Entitlement,
  log: Log,
  clock: Clock = systemClock,
): void {
  const days = Math.floor((expires.getTime() - clock.now()) / DAY_MS);
  if (days <= WARN_DAYS)
    log.warn(
      `The licence of the plugin "${use}" for ${customer} expires in ${days} days. Ask its vendor for a new one.`,
    );
}
