/** Whether a premium plugin may be set up: the loader asks, and its caller supplies the check of licences. */
import type { Plugin } from '../contract/plugin.js';
import { systemClock, type Clock } from '../time/clock.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Days before a licence ends in which to warn. */
const WARN_DAYS = 30;

/** Facts of a valid licence. */
export interface Entitlement {
  readonly customer: string;
  readonly expires: Date;
  /** The end of the days of grace that its vendor signed, after `expires`; absent: it signed none. */
  readonly grace?: Date;
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

/** There is no valid licence. */
export class LicenceError extends Error {
  override readonly name = 'LicenceError';
  /** The reason for web pages, without paths and ids; a clause as the message is. */
  readonly forPages: string;
  /** There was one. */
  readonly hasEnded: boolean;
  constructor(
    message: string,
    options: ErrorOptions & { readonly forPages?: string; readonly hasEnded?: boolean } = {},
  ) {
    super(message, options);
    this.hasEnded = options.hasEnded ?? false;
    this.forPages = options.forPages ?? 'there is no valid licence for it';
  }
}

/** @throws Error whose message gives the reason and fits into brackets: `its licence ended on 2026-01-31` */
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

/** Days in UTC from today until the licence's last day, which counts: 0 on that day, negative after it. */
export function daysLeft({ expires }: Entitlement, clock: Clock = systemClock): number {
  return dayOf(expires.getTime()) - dayOf(clock.now());
}

/** Since 1970. */
const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

/** `soon`: it ends within 30 days. `grace`: it has ended, and the days of grace have not. Undefined: neither. */
export function nearEnd(entitlement: Entitlement, clock: Clock = systemClock): 'soon' | 'grace' | undefined {
  const now = clock.now();
  if (now >= endOf(entitlement).getTime() || daysLeft(entitlement, clock) > WARN_DAYS) return undefined;
  return now < entitlement.expires.getTime() ? 'soon' : 'grace';
}

/** When the plugin is off. */
export const endOf = ({ expires, grace }: Entitlement): Date => grace ?? expires;

const dayName = (date: Date): string => date.toISOString().slice(0, 10);

/** @returns what to do about a licence that ends soon, has ended or is a trial; undefined for any other */
export function licenceWarning(use: string, entitlement: Entitlement, clock: Clock = systemClock): string | undefined {
  const days = daysLeft(entitlement, clock);
  const { customer, expires, grace, trial } = entitlement;
  if (!trial && days > WARN_DAYS) return undefined;
  const what = trial ? 'is a trial and ' : '';
  const named = `The licence of the plugin "${use}" for ${customer} ${what}`;
  const day = dayName(expires);
  const ask = `Ask its vendor for a ${trial ? 'licence' : 'new one'}.`;
  if (expires.getTime() <= clock.now()) {
    const goesOn = grace && grace.getTime() > clock.now() ? `, and goes on until ${dayName(grace)}` : '';
    return `${named}ended on ${day}${goesOn}. ${ask}`;
  }
  const left = days === 0 ? 'today' : `in ${days} ${days === 1 ? 'day' : 'days'}, on ${day}`;
  return `${named}ends ${left}. ${ask}`;
}
