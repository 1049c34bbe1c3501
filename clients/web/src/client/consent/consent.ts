/** The person's yes: shows the question to whoever uses this module, and waits for the answer. */
import { cancelled, PlatenError, refusalIn, type Right } from '../errors.js';
import { createLink } from '../transport/link.js';
import { forgetPass, keepPass } from './pass.js';
import type { Ask, Service } from '../transport/ask.js';
import { pause } from '../transport/waiting.js';

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

/** A call that was refused. */
export interface WaitingCall {
  readonly signal?: AbortSignal | undefined;
  readonly consent?: AbortSignal | false | undefined;
  /** Set by this module: it took part in a question that had all that it needs. */
  hasAsked?: boolean;
}

/** The service's answer. */
interface Standing {
  readonly state: 'granted' | 'none' | 'asked' | 'refused';
  /** It names the question while there is one: `/origins/#id`. */
  readonly link: string;
  readonly pass?: string;
}

interface Wait {
  readonly may: readonly Right[];
  /** False: `onConsent` does not want to wait. */
  readonly answer: Promise<boolean>;
  /** Calls that wait; nobody asks when the last one has left. */
  callers: number;
  end(): void;
}

const POLL_MS = 1000;

const waits = new WeakMap<Service, Wait>();

/**
 * Waits for the person's answer to a call that the service refused with `consent-required`.
 * @returns whether the call can be made again; false: its answer stands
 * @throws PlatenError `consent-refused`, `consent-required` from `onConsent`, `cancelled`, `no-answer`
 */
export async function isAllowed(
  service: Service,
  response: Response,
  call: WaitingCall,
  onConsent: OnConsent,
): Promise<boolean> {
  // The person said yes, but not to this.
  if (call.hasAsked) return false;
  const { may = ['scan'] } = refusalIn(response);
  const wait = waits.get(service) ?? begin(service, may, onConsent);
  call.hasAsked = may.every(each => wait.may.includes(each));
  wait.callers++;
  const over = new AbortController();
  try {
    const { signal, consent } = call;
    return await Promise.race([wait.answer, ...[signal, consent || undefined].map(each => aborted(each, over.signal))]);
  } finally {
    over.abort();
    if (--wait.callers === 0) wait.end();
  }
}

function begin(service: Service, may: readonly Right[], onConsent: OnConsent): Wait {
  const left = new AbortController();
  const end = (): void => {
    left.abort();
    if (waits.get(service) === wait) waits.delete(service);
  };
  const answer = answerTo(service, may, onConsent, left.signal).finally(() => end());
  // Every caller may have left.
  answer.catch(() => undefined);
  const wait: Wait = { may, answer, callers: 0, end };
  waits.set(service, wait);
  return wait;
}

/** Asks until there is an answer: the service forgets a question that nobody answers. */
async function answerTo(
  service: Service,
  may: readonly Right[],
  onConsent: OnConsent,
  left: AbortSignal,
): Promise<boolean> {
  const { baseUrl } = service;
  // Another page of this origin may have got a newer one, which is valid.
  forgetPass(baseUrl);
  for (;;) {
    const { pass, ...now } = await standing(service, left, { method: 'POST', body: { may } });
    if (pass !== undefined) keepPass(baseUrl, pass);
    if (!isOpen(now)) return true;
    const over = new AbortController();
    const end = (): void => over.abort();
    left.addEventListener('abort', end);
    try {
      const question = { link: now.link, origin: originHere(), may, signal: over.signal };
      const answer = answered(service, over.signal);
      const outcome = await Promise.race([told(question, onConsent).then(goesOn => goesOn && answer), answer]);
      if (outcome === 'lapsed') continue;
      // A page that asked at the same time wrote its own.
      if (outcome && pass !== undefined) keepPass(baseUrl, pass);
      return outcome;
    } finally {
      left.removeEventListener('abort', end);
      end();
    }
  }
}

const originHere = (): string => (typeof location === 'undefined' ? '' : location.origin);

/** @returns false: `onConsent` does not want to wait */
async function told(question: ConsentQuestion, onConsent: OnConsent): Promise<boolean> {
  const { link, may } = question;
  try {
    return (await onConsent(question)) !== false;
  } catch (cause) {
    throw new PlatenError('consent-required', `This page may not scan yet. To allow it, open ${link}`, {
      link,
      may,
      cause,
    });
  }
}

/** Resolves when the question is gone. After a "no", the repeated call says so. */
async function answered(service: Service, signal: AbortSignal): Promise<boolean | 'lapsed'> {
  for (;;) {
    await pause(POLL_MS, signal);
    if (signal.aborted) throw cancelled(signal);
    const now = await standing(service, signal);
    if (now.state === 'none') return 'lapsed';
    if (!isOpen(now)) return true;
  }
}

const isOpen = ({ state, link }: Standing): boolean => state !== 'refused' && link.includes('#');

/** @throws PlatenError `no-answer` after the last retry */
const standing = (service: Service, signal: AbortSignal, ask: Ask = {}): Promise<Standing> =>
  createLink().hold(() => service.json<Standing>('/api/consent', { ...ask, signal, consent: false }), signal);

/** Never resolves. @param over nobody listens any more @throws PlatenError `cancelled`, `timeout` when the signal is aborted */
const aborted = (signal: AbortSignal | undefined, over: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const end = (): void => reject(cancelled(signal as AbortSignal));
    signal?.addEventListener('abort', end, { once: true, signal: over });
    if (signal?.aborted) end();
  });
