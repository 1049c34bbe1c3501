/** What an application is told when the service wants the person's yes. */
import type { Right } from './errors.js';

/** What the person is asked. */
export interface ConsentQuestion {
  /** The service's own page, on which they answer: show it as a link to press, or open it in a click. */
  readonly link: string;
  /** Of this page. */
  readonly origin: string;
  /** What the calls that wait need. */
  readonly may: readonly Right[];
  /** Aborted when the question is over: hide what you showed. */
  readonly signal: AbortSignal;
}

/**
 * Called once for all calls that wait together, and again with another link if nobody answered for so long that the
 * service forgot the question. `false` ends the wait: the calls throw `consent-required`; so do they if it throws or
 * rejects, and then the error is the `cause`.
 */
export type OnConsent = (question: ConsentQuestion) => unknown;
