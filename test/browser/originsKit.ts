/** What tests of the page at /origins/ share: a service where pages must ask, a foreign page that asks, and the person's page. */
import type { BrowserContext, Locator, Page } from 'playwright-core';
import type { Test } from 'tap';
import { until } from '../spec/calls.js';
import { start } from '../spec/specTest.js';
import { request, type Answer } from '../topology/client.js';
import type { Fixture, FixtureOptions } from '../topology/topology.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { PATIENCE_MS, problemsOf } from './chromium.js';

export const startAsking = (t: Test, options: FixtureOptions = {}): Promise<Fixture> =>
  start(t, virtualTopology, { config: { security: { origins: 'ask' } }, ...options });

/** `call(path, body)`: an answer, with its HTTP status and `Platen-Error`, without the client module. */
export const foreignHtml = ({ url }: Fixture): string => `<!doctype html><link rel="icon" href="data:,"><script>
  async function call(path, body, headers = {}) {
    const method = body === undefined ? 'GET' : 'POST';
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch('${url}' + path,
      { method, credentials: 'include', headers: { ...type, ...headers }, body: body && JSON.stringify(body) });
    const failure = JSON.parse(response.headers.get('platen-error') ?? '{}');
    return { ...await response.json(), http: response.status, failure };
  }
</script>`;

export interface CallAnswer {
  readonly http: number;
  readonly failure: { readonly code?: string; readonly link?: string };
  readonly state?: string;
  readonly link?: string;
  readonly may?: readonly string[];
  readonly imageCount?: number;
}

/** As the foreign page. */
export const callFrom = (
  page: { evaluate(script: string): Promise<unknown> },
  path: string,
  body?: object,
  headers: object = {},
): Promise<CallAnswer> =>
  page.evaluate(
    `call(${[path, body, headers].map(each => JSON.stringify(each) ?? 'undefined').join()})`,
  ) as Promise<CallAnswer>;

export const untilState = (page: { evaluate(script: string): Promise<unknown> }, state: string): Promise<void> =>
  until(async () => (await callFrom(page, '/api/consent')).state === state);

/** Asks as a page of this origin would. @returns the link for the person */
export async function askAs({ port }: Fixture, origin: string, wish: object = {}): Promise<string> {
  const { json } = await request(port, 'POST', '/api/consent', { headers: { origin }, body: wish });
  return (json as { link: string }).link;
}

/** As the service's own page. */
export const answerAs = ({ port, url }: Fixture, body: object): Promise<Answer> =>
  request(port, 'POST', '/origins/answers', {
    headers: { origin: url, 'sec-fetch-site': 'same-origin', 'x-platen-page': '1' },
    body,
  });

export interface StateJson {
  readonly asked: readonly { readonly origin: string }[];
  readonly grants: readonly {
    readonly origin: string;
    readonly may: readonly string[];
    readonly scanners: unknown;
    readonly until?: string;
  }[];
}

export async function stateOf({ port }: Fixture): Promise<StateJson> {
  return (await request(port, 'GET', '/origins/state', { headers: { 'sec-fetch-site': 'same-origin' } }))
    .json as StateJson;
}

/** The person's page, in a tab of its own. */
export async function openOrigins(
  context: BrowserContext,
  address: string,
): Promise<{ page: Page; problems: string[] }> {
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const problems = problemsOf(page);
  await page.goto(address);
  await page.locator('main[aria-busy="false"]').waitFor();
  return { page, problems };
}

export const cardOf = (page: Page, origin: string): Locator =>
  page.locator('article').filter({ has: page.locator('bdi.origin', { hasText: exactly(origin) }) });
export const grantOf = (page: Page, origin: string): Locator =>
  page.locator('#grants > li').filter({ has: page.locator('bdi.origin', { hasText: exactly(origin) }) });

const exactly = (text: string): RegExp => new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
