/** Attacks on /settings/: what other pages, frames, programs and accounts send, also with a key that they must not have. */
import { access, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Test } from 'tap';
import { runSettings } from '../topology/settingsCommand.js';
import { hostRows, originRows, type Expected, type Refusal, type Target } from './matrix.js';
import { asOwnPage, assertNothing, GRANTED, send, type Call, type RawAnswer } from './rawCalls.js';

type Headers = Readonly<Record<string, string>>;

const KEY = 'X-Platen-Settings';
const changes = [{ use: '@platen/driver-virtual', enabled: false }];

/** To read the settings, to change them, to have a plugin look around, and to be the command that writes. */
const calls: readonly Call[] = [
  { method: 'GET', target: '/settings/state' },
  { method: 'GET', target: '/settings/found?use=%40platen%2Fdriver-virtual' },
  { method: 'POST', target: '/settings/preview', body: JSON.stringify({ changes }) },
  { method: 'POST', target: '/settings/save', body: JSON.stringify({ changes, digest: '' }) },
  { method: 'POST', target: '/settings/work', body: '{}' },
];
const isWork = ({ target }: Call): boolean => target === '/settings/work';

/** Of a page that is not the service's own. */
const atRoute = (call: Call): Refusal => (isWork(call) ? [401, 'token-required'] : [403, 'origin-refused']);

interface Attack {
  readonly title: string;
  readonly headers: Headers;
  readonly hosts?: readonly string[];
  expected(call: Call): Refusal;
}

/** The command runs while they are tried. */
export async function trySettings(t: Test, target: Target): Promise<void> {
  const { fixture, mode } = target;
  const key = new URL(await runSettings(t, fixture)).hash.slice('#key='.length);
  const token = (await readFile(join(fixture.dataDir, 'settings.token'), 'utf8')).trim();
  const attempt = async (call: Call, { title, headers, hosts, expected }: Attack): Promise<void> => {
    const answer = await send(fixture, { ...call, headers, ...(hosts ? { hosts } : {}) });
    const what = `${mode}: ${title}: ${call.method} ${call.target}`;
    t.same([answer.status, answer.code], expected(call), what);
    await assertUntold(t, target, answer, what);
  };
  for (const attack of [...ofPages(target, key), ...withoutKey(target, key, token)])
    for (const call of calls) await attempt(call, attack);
  // One guard is before all routes: they take turns.
  const hosts = hostRows(fixture.port).map(({ title, hosts: names = [], target: base = '' }, at) => ({
    ...{ title, names, base, call: calls[at % calls.length]! },
  }));
  for (const { title, names, base, call } of hosts.filter(each => each.base === '' && each.names.length === 1))
    await attempt(
      { ...call, target: `${base}${call.target}` },
      {
        ...{ title, hosts: names, headers: { ...asOwnPage(fixture), [KEY]: isWork(call) ? token : key } },
        expected: () => [421, 'host-refused'],
      },
    );

  const own = { ...asOwnPage(fixture), [KEY]: key, ...target.authorization };
  const state = await send(fixture, { method: 'GET', target: '/settings/state', headers: own });
  t.equal(state.status, 200, `${mode}: the page itself still may`);
  t.notMatch(state.text, '"state":"disabled"');
  await t.rejects(access(join(dirname(fixture.dataDir), 'conf.d')), `${mode}: nothing was written`);
}

/** Other pages, with the key: a person could be made to paste it somewhere. */
function ofPages({ fixture, mode }: Target, key: string): readonly Attack[] {
  const { port } = fixture;
  const secret = { [KEY]: key, 'X-Platen-Page': '1' };
  /** Where the guard before all routes lets a page through, the route stops it. */
  const refused = (expected: Expected) => (call: Call) => {
    const wants = expected[mode];
    return wants === 'may' ? atRoute(call) : wants;
  };
  const pages = originRows(port).map(({ title, headers = {}, expected }) => {
    return {
      title,
      headers: { ...headers, ...secret },
      expected: headers['Origin'] === undefined ? atRoute : refused(expected),
    };
  });
  const may = refused({ open: 'may', list: 'may', ask: 'may', token: [403, 'consent-required'] });
  const granted = { Origin: GRANTED, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors' };
  const forms = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'].map(type => ({
    title: `a form: ${type}`,
    headers: { ...granted, 'Sec-Fetch-Mode': 'navigate', 'Content-Type': type, [KEY]: key },
    expected: may,
  }));
  const frames = ['cross-site', 'same-site', 'none'].map(site => ({
    title: `a frame or a link: ${site}`,
    headers: { 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe', ...secret },
    expected: atRoute,
  }));
  return [
    ...pages,
    { title: 'the granted page', headers: { ...granted, ...secret }, expected: may },
    ...forms,
    ...frames,
  ];
}

/** The service's own page at /app/, and programs that say that they are it. */
function withoutKey({ fixture }: Target, key: string, token: string): readonly Attack[] {
  const own = asOwnPage(fixture);
  const unproven = (): Refusal => [401, 'token-required'];
  /** A change without an Origin is no page's. */
  const originless = (call: Call): Refusal =>
    call.method === 'POST' && !isWork(call) ? [403, 'origin-refused'] : unproven();
  const forged = 'x'.repeat(key.length);
  return [
    { title: 'a page of /app/, without a key', headers: own, expected: unproven },
    { title: 'a page of /app/, an empty key', headers: { ...own, [KEY]: '' }, expected: unproven },
    { title: 'a page of /app/, a forged key', headers: { ...own, [KEY]: forged }, expected: unproven },
    { title: 'a page of /app/, half a key', headers: { ...own, [KEY]: key.slice(0, 20) }, expected: unproven },
    { title: "a page of /app/, the command's token", headers: { ...own, [KEY]: token }, expected: unproven },
    { title: 'a program, without a key', headers: {}, expected: originless },
    { title: 'a program, a forged key', headers: { [KEY]: forged, 'X-Platen-Page': '1' }, expected: originless },
    {
      title: 'a program, the key as a bearer',
      headers: { Authorization: `Bearer ${key}`, 'X-Platen-Page': '1' },
      expected: originless,
    },
  ];
}

async function assertUntold(t: Test, { fixture }: Target, answer: RawAnswer, what: string): Promise<void> {
  await assertNothing(t, fixture, answer, what);
  t.notMatch(answer.text, /"(?:plugins|found|differences|key)":/, `${what}: tells no settings`);
}
