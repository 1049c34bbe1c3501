/** Attacks × modes: each is refused before paper moves, with its code, and reads nothing. */
import { readFile } from 'node:fs/promises';
import type { Test } from 'tap';
import type { Fixture } from '../topology/topology.js';
import { allow, asOwnPage, assertNothing, GRANTED, send, startIn, type Call, type Mode } from './rawCalls.js';

/** Status and code. */
export type Refusal = readonly [number, string];
/** `may`: by the configuration this is no attack; it gets an answer. */
export type Expected = Readonly<Record<Mode, Refusal | 'may'>>;

const all = (refusal: Refusal): Expected => ({ open: refusal, list: refusal, ask: refusal, token: refusal });
const host = all([421, 'host-refused']);
const twoHosts = all([400, 'bad-request']);
const noCors = all([403, 'cors-required']);
/** Where any page may scan, this page may. */
const unknown: Expected = {
  open: 'may',
  list: [403, 'origin-refused'],
  ask: [403, 'consent-required'],
  token: [403, 'consent-required'],
};
const opaque: Expected = { ...unknown, ask: [403, 'origin-refused'], token: [403, 'origin-refused'] };

interface Attack extends Partial<Omit<Call, 'body'>> {
  readonly title: string;
  readonly expected: Expected;
}

const simple = { 'Content-Type': 'text/plain' };
const crossSite = { 'Sec-Fetch-Site': 'cross-site' };

export const hostRows = (port: number): Attack[] => [
  ...[
    'evil.example',
    `evil.example:${port}`,
    'localhost.',
    `localhost.:${port}`,
    `localhost.evil.example:${port}`,
    `127.0.0.1.evil.example:${port}`,
    `xlocalhost:${port}`,
    '0.0.0.0',
    '127.0.0.2',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '::1',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::1%25lo]',
    `user@localhost:${port}`,
    `localhost:${port}@evil.example`,
    `localhost:${port}, evil.example`,
    `localhost:${port}/x`,
    '',
  ].map(name => ({
    title: `rebinding: Host "${name.replace(String(port), 'PORT')}"`,
    hosts: [name],
    // The page that was opened under this name.
    headers: name === '' || name.includes(' ') ? {} : { Origin: `https://${name}`, 'Sec-Fetch-Site': 'same-origin' },
    expected: host,
  })),
  { title: 'rebinding: no Host', hosts: [], expected: host },
  { title: 'rebinding: two Hosts, ours first', hosts: [`localhost:${port}`, 'evil.example'], expected: twoHosts },
  { title: 'rebinding: two Hosts, ours last', hosts: ['evil.example', `localhost:${port}`], expected: twoHosts },
  { title: 'rebinding: absolute form, a foreign host', target: 'https://evil.example', expected: host },
  { title: 'rebinding: absolute form, a trailing dot', target: `https://localhost.:${port}`, expected: host },
  {
    title: 'rebinding: absolute form, ours, and a foreign Host',
    target: `https://localhost:${port}`,
    hosts: ['evil.example'],
    expected: twoHosts,
  },
];

export const originRows = (port: number): Attack[] => [
  ...[
    'https://evil.example',
    'http://granted.example',
    'https://sub.granted.example',
    'https://granted.example:8443',
    'https://granted.example:80',
    'https://granted.example.',
    'https://granted.example.evil.example',
    'https://evilgranted.example',
    'https://xn--grnted-3ve.example',
    'chrome-extension://abcdefghijklmnopabcdefghijklmnop',
    'moz-extension://0b1c2d3e-0000-4000-8000-000000000000',
    'http://localhost:3000',
    `http://localhost:${port}`,
    'https://localhost',
    `https://127.0.0.1:${port}`,
    `https://[::1]:${port}`,
  ].map(origin => ({
    title: `origin: ${origin.replace(String(port), 'PORT')}`,
    headers: { Origin: origin, ...crossSite, 'Sec-Fetch-Mode': 'cors' },
    expected: unknown,
  })),
  // What sandboxed frames, data:, blob: of those, files and redirects have.
  ...['null', 'NULL', 'file://', 'data:', 'blob:https://granted.example/1', `${GRANTED}@evil.example`].map(origin => ({
    title: `opaque origin: ${origin}`,
    headers: { Origin: origin, ...crossSite, 'Sec-Fetch-Mode': 'cors' },
    expected: opaque,
  })),
  ...[
    `${GRANTED}, https://evil.example`,
    `https://evil.example, ${GRANTED}`,
    `${GRANTED} https://evil.example`,
    `${GRANTED}/`,
  ].map(origin => ({ title: `two origins, or none: ${origin}`, headers: { Origin: origin }, expected: opaque })),
  { title: 'origin: none, cross-site', headers: { ...crossSite, 'Sec-Fetch-Mode': 'cors' }, expected: noCors },
];

const withoutCors = (method: string): Attack[] => [
  ...['navigate', 'no-cors', 'websocket', 'nested-navigate', 'Navigate'].flatMap(mode =>
    ['cross-site', 'same-site', 'same-origin', 'none'].map(site => ({
      title: `without CORS: ${mode}, ${site}, from the granted page`,
      headers: { 'Sec-Fetch-Mode': mode, 'Sec-Fetch-Site': site, ...(method === 'GET' ? {} : { Origin: GRANTED }) },
      expected: noCors,
    })),
  ),
  {
    title: 'WebSocket from the granted page',
    headers: { Origin: GRANTED, Connection: 'Upgrade, close', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' },
    expected: noCors,
  },
];

const forms: readonly Attack[] = [
  'text/plain',
  'TEXT/PLAIN;charset=utf-8',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
].flatMap(type => [
  {
    title: `form: ${type}, from the granted page`,
    headers: { Origin: GRANTED, 'Content-Type': type },
    expected: noCors,
  },
  {
    title: `form: ${type}, from a sandboxed frame`,
    headers: { Origin: 'null', ...simple, 'Content-Type': type },
    expected: { ...opaque, open: [403, 'cors-required'] },
  },
]);

/** What an attacker wants: to read, or to move paper. */
const wanted = (fixture: Fixture): readonly Call[] => [
  { method: 'GET', target: '/api/twain/autoscan/events' },
  { method: 'GET', target: '/api/twain/scanners' },
  { method: 'GET', target: '/api/scans' },
  {
    method: 'POST',
    target: '/api/twain/scan',
    body: JSON.stringify({ scannerName: fixture.name('duplex'), parameters: {} }),
  },
  { method: 'POST', target: '/api/scans', body: JSON.stringify({ scannerName: fixture.name('duplex') }) },
  {
    method: 'POST',
    target: '/api/twain/autoscan/enable',
    body: JSON.stringify({ scannerName: fixture.name('duplex'), parameters: {} }),
  },
];

export interface Target {
  readonly mode: Mode;
  readonly fixture: Fixture;
  /** What a local program sends that may call. */
  readonly authorization: Readonly<Record<string, string>>;
}

/** A service with the figures for monitoring; the granted page may scan, where a person is asked. */
export async function startTarget(t: Test, mode: Mode): Promise<Target> {
  const fixture = await startIn(t, mode, { metrics: { enabled: true } });
  const token = mode === 'token' ? (await readFile(`${fixture.dataDir}/local.token`, 'utf8')).trim() : '';
  const authorization: Target['authorization'] = mode === 'token' ? { Authorization: `Bearer ${token}` } : {};
  t.equal((await allow(fixture, GRANTED, {}, authorization)).status, 200);
  return { mode, fixture, authorization };
}

type Pair = readonly [Call, Attack];

/** Each attack with each call of an attacker. */
function pairsOf(fixture: Fixture): Pair[] {
  return wanted(fixture).flatMap(call =>
    [
      ...hostRows(fixture.port),
      ...originRows(fixture.port),
      ...withoutCors(call.method),
      ...(call.method === 'POST' ? forms : []),
    ]
      // A person who types the address of the list sees it; its page is the browser's.
      .filter(({ title }) => !(call.target === '/api/twain/scanners' && title.includes('navigate, none')))
      .map((attack): Pair => [call, attack]),
  );
}

/** Each attack with one call: the calls take turns. */
export function eachOnce(pairs: readonly Pair[]): Pair[] {
  const byTitle = new Map<string, Pair[]>();
  for (const pair of pairs) byTitle.set(pair[1].title, [...(byTitle.get(pair[1].title) ?? []), pair]);
  return [...byTitle.values()].map((its, turn) => its[turn % its.length]!);
}

/** One guard is before all routes: two calls meet every attack, the others every fourth. */
export const most = (pairs: readonly Pair[]): Pair[] =>
  pairs.filter(([{ target }], at) => target === '/api/twain/scanners' || target === '/api/twain/scan' || at % 4 === 0);

export async function tryAttacks(
  t: Test,
  { mode, fixture, authorization }: Target,
  choose: (pairs: readonly Pair[]) => readonly Pair[],
): Promise<void> {
  const before = await readState();

  async function readState(): Promise<unknown> {
    const { text } = await send(fixture, {
      method: 'GET',
      target: '/origins/state',
      headers: { ...asOwnPage(fixture), ...authorization },
    });
    return (JSON.parse(text.slice(text.indexOf('{"success"'), text.lastIndexOf('}') + 1)) as { grants: unknown })
      .grants;
  }

  const attack = async (call: Call, { title, expected, target = '', headers, hosts }: Attack): Promise<void> => {
    const wants = expected[mode];
    // Where the page may: one call shows it, and no paper moves.
    if (wants === 'may' && call.target !== '/api/twain/scanners') return;
    const what = `${title}: ${call.method} ${call.target}`;
    const answer = await send(fixture, {
      ...call,
      target: `${target}${call.target}`,
      headers: { ...headers },
      ...(hosts ? { hosts } : {}),
    });
    if (wants === 'may') {
      t.equal(answer.status, 200, what);
      return;
    }
    t.same([answer.status, answer.code], wants, what);
    await assertNothing(t, fixture, answer, what);
  };

  for (const [call, row] of choose(pairsOf(fixture))) await attack(call, row);
  t.same(await readState(), before, 'the grants are as they were');
}

/** The own page's calls, by other pages and by frames. */
export async function tryOwnPage(t: Test, { mode, fixture }: Target): Promise<void> {
  const body = JSON.stringify({ origin: 'https://evil.example', may: ['scan'] });
  for (const call of [
    { method: 'GET', target: '/origins/state' },
    { method: 'POST', target: '/origins/answers', body },
    { method: 'POST', target: '/origins/revocations', body },
  ] satisfies Call[])
    for (const headers of [
      { Origin: 'https://evil.example', 'X-Platen-Page': 'origins' },
      { Origin: GRANTED, 'X-Platen-Page': 'origins', 'Sec-Fetch-Site': 'cross-site' },
      { Origin: 'null', 'X-Platen-Page': 'origins' },
      { Origin: GRANTED, ...simple },
      { Origin: `https://127.0.0.1:${fixture.port}`, 'X-Platen-Page': 'origins' },
      { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' },
      { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate' },
    ] as readonly Record<string, string>[]) {
      const answer = await send(fixture, { ...call, headers });
      const what = `${mode}: ${call.method} ${call.target} ${JSON.stringify(headers)}`;
      t.ok([401, 403].includes(answer.status), `${what}: ${answer.status}`);
      await assertNothing(t, fixture, answer, what);
    }
}

/** The figures for monitoring: no page reads them, by no spelling, the granted one neither. */
export async function tryMetrics(t: Test, { mode, fixture }: Target): Promise<void> {
  const pages = ['https://evil.example', GRANTED, fixture.url, 'null'].map(origin => ({
    title: origin,
    headers: { Origin: origin, 'Sec-Fetch-Mode': 'cors' },
  }));
  const frame = { title: 'a frame of the own page', headers: { 'Sec-Fetch-Site': 'same-origin' } };
  const rows: readonly Pick<Attack, 'title' | 'headers' | 'hosts' | 'target'>[] = [
    ...hostRows(fixture.port),
    ...originRows(fixture.port),
    ...withoutCors('GET').filter(({ title }) => !title.includes('navigate, none')),
    ...pages,
    frame,
  ];
  const spellings = ['/metrics?x=/health', '//metrics', '/%6detrics', '/health/../metrics', '/METRICS'];
  const calls = [
    ...rows.map(row => ({ row, path: '/metrics' })),
    ...spellings.flatMap(path => pages.map(row => ({ row, path }))),
  ];
  for (const { row, path } of calls) {
    const { title, headers = {}, hosts, target = '' }: (typeof rows)[number] = row;
    const call = { method: 'GET', target: `${target}${path}`, headers, ...(hosts ? { hosts } : {}) };
    const answer = await send(fixture, call);
    const what = `${mode}: ${title}: ${path}`;
    t.ok([400, 401, 403, 404, 421].includes(answer.status), `${what}: ${answer.status}`);
    t.notMatch(answer.text, /platen_|process_/, what);
  }
  const { status } = await send(fixture, { method: 'GET', target: '/metrics' });
  t.equal(status, mode === 'token' ? 401 : 200, `${mode}: a program`);
}

/** What a program can: it sends any header, and is no page. */
export async function tryProgram(t: Test, { mode, fixture }: Target): Promise<void> {
  const lies: readonly Readonly<Record<string, string>>[] = [
    {},
    { 'Sec-Fetch-Site': 'same-origin' },
    { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'cors' },
    { Origin: fixture.url, 'Sec-Fetch-Site': 'same-origin' },
    { Origin: GRANTED, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors' },
  ];
  for (const headers of lies) {
    const { status, code } = await send(fixture, { method: 'GET', target: '/api/twain/scanners', headers });
    const what = `${mode}: ${JSON.stringify(headers)}`;
    if (mode !== 'token') t.equal(status, 200, what);
    else if (headers['Origin'] === GRANTED) t.same([status, code], [403, 'consent-required'], what);
    else t.same([status, code], [401, 'token-required'], what);
  }
}

export async function tryIpv6(t: Test, { fixture, authorization }: Target): Promise<void> {
  const call = { method: 'GET', target: '/api/twain/scanners' };
  for (const hosts of [['[::ffff:127.0.0.1]'], ['evil.example'], ['[::2]']])
    t.equal((await send(fixture, { ...call, hosts }, '::1')).code, 'host-refused');
  const hosts = [`[::1]:${fixture.port}`];
  t.equal((await send(fixture, { ...call, hosts, headers: { Origin: fixture.url } }, '::1')).code, 'consent-required');
  t.equal((await send(fixture, { ...call, hosts, headers: authorization }, '::1')).status, 200);
}
