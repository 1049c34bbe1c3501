/** Whether a premium plugin may be set up: the loader asks, and whoever runs the loader knows how licences are checked. */
import type { Log, Plugin } from '../contract/plugin.js';
import { systemClock, type Clock } from '../time/clock.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** A licence that ends within so many days is warned of. */
const WARN_DAYS = 30;

/** What a good licence says. */
export interface Entitlement {
  readonly customer: string;
  readonly expires: Date;
}

export interface LicenceQuestion {
  /** The plugin's own name, which the licence must be for. */
  readonly plugin: string;
  /** The key that came with the plugin (`Premium.publicKey`). */
  readonly publicKey: string;
  /** As it stands in the configuration; undefined where it has none. */
  readonly licence: string | undefined;
}

/** @throws Error whose message says why there is no entitlement, fit to stand in brackets: `its licence expired on 2026-01-31` */
export type Entitle = (question: LicenceQuestion) => Promise<Entitlement>;

/**
 * @returns undefined for a plugin that asks for none
 * @throws Error with the words of `Entitle`
 */
export async function entitlementOf(
  plugin: Plugin,
  licence: string | undefined,
  entitle: Entitle | undefined,
): Promise<Entitlement | undefined> {
  // A plugin in JavaScript may say anything here.
  const premium = plugin.premium as unknown;
  if (premium === undefined || premium === false) return undefined;
  const publicKey = (premium as { publicKey?: unknown } | null)?.publicKey;
  if (typeof publicKey !== 'string') throw new Error('it brings no public key to check a licence with');
  if (!entitle) throw new Error('nothing here checks licences');
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
      `The licence of the plugin "${use}" for ${customer} expires in ${days} days: ask its vendor for a new one.`,
    );
}
