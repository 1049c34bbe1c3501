/** Requests as bytes, and services in each mode: what an attacker can send, and what must not come of it. */
import type { Test } from 'tap';
import { connect, exchange } from '../topology/client.js';
import { sheets } from '../topology/sheets.js';
import { roles, type Fixture } from '../topology/topology.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { start } from '../spec/specTest.js';

/** `token`: as `ask`, and local programs need the token. */
export const modes = ['open', 'list', 'ask', 'token'] as const;
export type Mode = (typeof modes)[number];

/** Listed, and allowed by the person to scan and to auto-scan. */
export const GRANTED = 'https://granted.example';

export interface Call {
  readonly method: string;
  /** As it stands in the first line. */
  readonly target: string;
  /** Without Host: it gets the service's own, unless `hosts` is set. */
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of the service's own. */
  readonly hosts?: readonly string[];
  readonly body?: string;
}

export interface RawAnswer {
  readonly status: number;
  /** Of the header Platen-Error; empty if there is none. */
  readonly code: string;
  readonly text: string;
}

/** Sends it on a connection of its own. */
export async function send(fixture: Fixture, call: Call, address = '127.0.0.1'): Promise<RawAnswer> {
  const { method, target, headers = {}, hosts = [`localhost:${fixture.port}`], body } = call;
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...hosts.map(host => `Host: ${host}`),
    ...Object.entries({
      ...(body === undefined
        ? {}
        : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) }),
      Connection: 'close',
      ...headers,
    }).map(([name, value]) => `${name}: ${value}`),
  ];
  const socket = await connect(fixture.port, address);
  const text = await exchange(socket, `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
  const code = /^platen-error: \{"code":"([a-z-]+)"/im.exec(text)?.[1] ?? '';
  return { status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? 0), code, text };
}

const SHEETS = 3;

/** Sheets lie in its feeder. */
export async function startIn(t: Test, mode: Mode, config: object = {}): Promise<Fixture> {
  const origins = { open: 'open', list: [GRANTED], ask: 'ask', token: 'ask' }[mode];
  const fixture = await start(t, virtualTopology, {
    config: { security: { origins, localPrograms: mode === 'token' ? 'token' : 'any' }, ...config },
  });
  await fixture.load('duplex', sheets(1, 2, 3));
  return fixture;
}

/** What the service's own page sends, and a program can. */
export const asOwnPage = (fixture: Fixture): Readonly<Record<string, string>> => ({
  Origin: fixture.url,
  'Sec-Fetch-Site': 'same-origin',
  'Sec-Fetch-Mode': 'cors',
  'X-Platen-Page': 'origins',
});

export const allow = (fixture: Fixture, origin: string, more: object = {}, headers: Call['headers'] = {}) =>
  send(fixture, {
    method: 'POST',
    target: '/origins/answers',
    headers: { ...asOwnPage(fixture), ...headers },
    body: JSON.stringify({ origin, may: ['scan', 'auto-scan'], ...more }),
  });

/** Fails if paper moved, or the answer tells a scanner, a page or a grant. */
export async function assertNothing(t: Test, fixture: Fixture, { text }: RawAnswer, what: string): Promise<void> {
  const told = [
    ...roles.map(role => fixture.name(role)),
    'base64Data',
    'event: image',
    '"grants"',
    '"capabilities"',
  ].filter(each => text.includes(each));
  t.same(told, [], `${what}: tells nothing`);
  t.same([await fixture.waiting('duplex'), await fixture.scanned('duplex')], [SHEETS, 0], `${what}: no paper moves`);
}
