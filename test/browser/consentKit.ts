/** Consent in browsers: a service that asks, the person's answers, and pages of other origins in Chromium and Firefox. */
import { needs } from '@platen/conformance';
import type { Test } from 'tap';
import { pause } from '../spec/calls.js';
import { start } from '../spec/specTest.js';
import type { Fixture } from '../topology/topology.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { handsIn, handsInFirefox, type Hands } from './componentKit.js';
import { FIREFOX, openInFirefox } from './firefox.js';
import { openPage } from './foreignPage.js';

/** @param security more of the configuration's */
export const startAsking = (t: Test, security: object = {}): Promise<Fixture> =>
  start(t, virtualTopology, { config: { security: { origins: 'ask', ...security } } });

/** What the service's own page sends when the person presses a button. */
export interface Person {
  answer(answer: { readonly id?: string; readonly origin: string; readonly may: readonly string[] }): Promise<void>;
  allow(origin: string, may?: readonly string[]): Promise<void>;
  refuse(origin: string): Promise<void>;
  revoke(origin: string): Promise<void>;
  /** How many questions of the origin wait. */
  questionsOf(origin: string): Promise<number>;
}

/** @param token of local programs, which the page has where they need one */
export function personAt({ url, request }: Fixture, token?: string): Person {
  const headers = { origin: url, 'x-platen-page': '1', ...(token && { authorization: `Bearer ${token}` }) };
  const press = async (path: string, body: object): Promise<void> => {
    const { status, text } = await request('POST', `/origins/${path}`, { headers, body, asIs: true });
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  };
  return {
    answer: answer => press('answers', { scanners: '*', ...answer }),
    allow: (origin, may = ['scan', 'auto-scan']) => press('answers', { origin, may, scanners: '*' }),
    refuse: origin => press('answers', { origin, may: [], scanners: '*' }),
    revoke: origin => press('revocations', { origin }),
    async questionsOf(origin) {
      const { json } = await request('GET', '/origins/state', { headers });
      return (json as { asked: { origin: string }[] }).asked.filter(each => each.origin === origin).length;
    },
  };
}

/** A page of another origin. */
export interface Foreigner {
  readonly web: string;
  readonly hands: Hands;
  /** @param script an expression */
  evaluate<T>(script: string): Promise<T>;
  /** An expression that becomes true. */
  until(script: string): Promise<void>;
  readonly problems: readonly string[];
}

const until = async (evaluate: Foreigner['evaluate'], script: string): Promise<void> => {
  while ((await evaluate(script)) !== true) await pause(50);
};

export interface Browser {
  readonly name: string;
  /** Undefined if the browser is not installed, which the test reports. */
  open(t: Test, html: string): Promise<Foreigner | undefined>;
}

export const inChromium: Browser = {
  name: 'Chromium',
  async open(t, html) {
    if (!needs(t, 'chromium')) return undefined;
    const { page, web, problems } = await openPage(t, { html });
    const evaluate = async <T>(script: string): Promise<T> => page.evaluate(script);
    return { web, problems, hands: handsIn(page), evaluate, until: script => until(evaluate, script) };
  },
};

export const inFirefox: Browser = {
  name: 'Firefox',
  async open(t, html) {
    if (!needs(t, FIREFOX)) return undefined;
    const { page, web, problems } = await openInFirefox(t, { html });
    const evaluate = async <T>(script: string): Promise<T> => (await page.evaluate(script)) as T;
    return { web, problems, hands: handsInFirefox(page), evaluate, until: script => until(evaluate, script) };
  },
};
