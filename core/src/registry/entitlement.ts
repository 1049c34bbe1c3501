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
  readonly trial?: boolean;
  /** How many places the customer paid for. Shown only: nothing here can count them. */
  readonly seats?: number;
}

export interface LicenceQuestion {
  /** The plugin's own name, for which the licence must be issued. */
  readonly plugin: string;
  /** The keys from the plugin (`Premium.publicKey`): one signed it. At least one. */
  readonly publicKeys: readonly string[];
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
  const publicKeys = [publicKey].flat();
  if (publicKeys.length === 0 || !publicKeys.every(key => typeof key === 'string'))
    throw new Error('it has no public key for checking a licence');
  if (!entitle) throw new Error('this program cannot check licences');
  return entitle({ plugin: plugin.name, publicKeys, licence });
}

/** Whole days from now until the licence expires. */
export function daysLeft({ expires }: Entitlement, clock: Clock = systemClock): number {
  return Math.floor((expires.getTime() - clock.now()) / DAY_MS);
}

export function warnOfExpiry(use: string, entitlement: Entitlement, log: Log, clock: Clock = systemClock): void {
  const days = daysLeft(entitlement, clock);
  const { customer, trial } = entitlement;
  if (trial)
    log.warn(
      `The licence of the plugin "${use}" for ${customer} is a trial: ${days} days left. Ask its vendor for a licence.`,
    );
  else if (days <= WARN_DAYS)
    log.warn(
      `The licence of the plugin "${use}" for ${customer} expires in ${days} days. Ask its vendor for a new one.`,
    );
}
