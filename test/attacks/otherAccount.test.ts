/** Another account of this computer: what it can do by loopback and with files, in each mode of local programs. */
import { execFile } from 'node:child_process';
import { chmod, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { connect } from '../topology/client.js';
import { runSettings } from '../topology/settingsCommand.js';
import type { Fixture } from '../topology/topology.js';
import { allow, assertNothing, GRANTED, send, startIn, type Mode } from './rawCalls.js';

/** Nobody's number on every Linux. */
const OTHER = 65534;
const skip =
  process.platform !== 'linux' || process.getuid?.() !== 0 ? 'only root of Linux can become another account' : false;

const run = promisify(execFile);

/** What Node prints for this source as the other account; with `call(path, {method, headers, body})` and `read(file)`. */
async function asOther<T>(fixture: Fixture, source: string): Promise<T> {
  const program = `
    const { request } = require('node:https');
    const fs = require('node:fs');
    const call = (path, { method = 'GET', headers = {}, body } = {}) => new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port: ${fixture.port}, path, method, rejectUnauthorized: false, agent: false,
        headers: { host: 'localhost:${fixture.port}', ...(body ? { 'content-type': 'application/json' } : {}), ...headers } }, answer => {
        let text = '';
        answer.setEncoding('utf8').on('data', more => (text += more)).on('end', () =>
          resolve({ status: answer.statusCode, code: JSON.parse(answer.headers['platen-error'] ?? '{}').code ?? '', text }));
      });
      sent.on('error', reject);
      sent.end(body && JSON.stringify(body));
    });
    const attempt = act => { try { act(); return 'done'; } catch (error) { return error.code; } };
    (async () => { ${source} })().then(value => console.log(JSON.stringify({ uid: process.getuid(), value })));`;
  const { stdout } = await run(
    'setpriv',
    [`--reuid=${OTHER}`, `--regid=${OTHER}`, '--clear-groups', process.execPath, '-e', program],
    { cwd: '/', env: {} },
  );
  const { uid, value } = JSON.parse(stdout) as { uid: number; value: T };
  if (uid !== OTHER) throw new Error('It is the same account.');
  return value;
}

async function startFor(mode: Mode): Promise<Fixture> {
  const fixture = await startIn(t, mode);
  // The folder above it belongs to the test; the service answers for its own.
  await chmod(dirname(fixture.dataDir), 0o755);
  return fixture;
}

/** One service for all cases of a mode. */
const services = { ask: await startFor('ask'), ...(skip ? {} : { token: await startFor('token') }) } as const;

interface Seen {
  readonly status: number;
  readonly code: string;
  readonly text: string;
}

t.test('any: another account lists, scans, and answers for the person', { skip }, async t => {
  const fixture = services.ask;
  const list = await asOther<Seen>(fixture, `return call('/api/twain/scanners')`);
  t.match(list, { status: 200, text: /Duplex feeder/ });
  const answered = await asOther<Seen>(
    fixture,
    `const origin = 'https://localhost:${fixture.port}';
     return call('/origins/answers', { method: 'POST', body: { origin: 'https://evil.example', may: ['scan'] },
       headers: { origin, 'sec-fetch-site': 'same-origin', 'x-platen-page': 'origins' } })`,
  );
  t.equal(answered.status, 200);
  t.match(await readFile(join(fixture.dataDir, 'audit.log'), 'utf8'), /"allowed","origin":"https:\/\/evil\.example"/);
  const body = JSON.stringify({ scannerName: fixture.name('duplex'), parameters: { resolution: 75 } });
  t.equal(
    (await asOther<Seen>(fixture, `return call('/api/twain/scan', { method: 'POST', body: ${body} })`)).status,
    200,
  );
  t.equal(await fixture.waiting('duplex'), 0);
});

t.test('token: another account is refused, and cannot claim to be an allowed page', { skip }, async t => {
  const fixture = services.token!;
  const token = (await readFile(join(fixture.dataDir, 'local.token'), 'utf8')).trim();
  t.equal((await allow(fixture, GRANTED, {}, { Authorization: `Bearer ${token}` })).status, 200);
  // Its page is served while it runs.
  await runSettings(t, fixture);
  const body = JSON.stringify({ scannerName: fixture.name('duplex') });
  const [program, forged, own, asked, settings, work] = await asOther<readonly Seen[]>(
    fixture,
    `const body = ${body}, method = 'POST';
     const own = { origin: 'https://localhost:${fixture.port}', 'sec-fetch-site': 'same-origin', 'x-platen-page': 'origins' };
     return [
       await call('/api/twain/scan', { method, body }),
       await call('/api/twain/scan', { method, body, headers: { origin: '${GRANTED}' } }),
       await call('/origins/answers', { method, body: { origin: '${GRANTED}', may: ['scan'] }, headers: own }),
       await call('/api/consent', { method, body: {}, headers: { origin: '${GRANTED}' } }),
       await call('/settings/state', { headers: { ...own, 'x-platen-settings': '${'x'.repeat(43)}' } }),
       await call('/settings/work', { method, body: {}, headers: { 'x-platen-settings': '${'x'.repeat(43)}' } }),
     ]`,
  );
  t.match(program, { status: 401, code: 'token-required' });
  t.match(forged, { status: 403, code: 'consent-required' });
  t.match(own, { status: 401, code: 'token-required' });
  for (const seen of [settings, work]) t.match(seen, { status: 401, code: 'token-required' });
  for (const seen of [program, forged, own, settings, work]) if (seen) await assertNothing(t, fixture, seen, seen.code);
  // It can ask, like the page that it claims to be; only a yes to its own question gives it anything.
  t.equal(asked?.status, 200);
  const { pass } = JSON.parse(asked?.text ?? '{}') as { pass: string };
  const withPass = { Origin: GRANTED, Authorization: `Bearer ${pass}` };
  t.equal((await send(fixture, { method: 'GET', target: '/api/twain/scanners', headers: withPass })).status, 403);
  await allow(fixture, GRANTED, { may: ['scan'] }, { Authorization: `Bearer ${token}` });
  t.equal((await send(fixture, { method: 'GET', target: '/api/twain/scanners', headers: withPass })).status, 403);
});

for (const mode of ['ask', 'token'] as const)
  t.test(`${mode}: another account reads, lists and writes nothing in the data folder`, { skip }, async t => {
    const fixture = services[mode]!;
    const token = mode === 'token' ? (await readFile(join(fixture.dataDir, 'local.token'), 'utf8')).trim() : '';
    await allow(fixture, GRANTED, {}, token === '' ? {} : { Authorization: `Bearer ${token}` });
    const files = (await readdir(fixture.dataDir, { recursive: true })).map(name => join(fixture.dataDir, name));
    for (const needed of ['audit.log', 'origins', 'settings.token', ...(mode === 'token' ? ['local.token'] : [])])
      t.ok(files.includes(join(fixture.dataDir, needed)), needed);
    const did = await asOther<readonly string[]>(
      fixture,
      `const dir = ${JSON.stringify(fixture.dataDir)};
       return [
         ...${JSON.stringify(files)}.map(file => attempt(() => fs.readFileSync(file))),
         attempt(() => fs.readdirSync(dir)),
         attempt(() => fs.writeFileSync(dir + '/origins/x.json', '{}')),
         attempt(() => fs.appendFileSync(dir + '/audit.log', 'x')),
       ]`,
    );
    t.same([...new Set(did)], ['EACCES']);
    // Each is private by itself, should the folder above it be opened to others.
    for (const name of ['audit.log', 'origins', 'settings.token', ...(mode === 'token' ? ['local.token'] : [])])
      t.equal((await stat(join(fixture.dataDir, name))).mode & 0o077, 0, name);
  });

t.test('elsewhere: no other computer can call', async t => {
  const fixture = services.ask;
  const { networkInterfaces } = await import('node:os');
  const outside = Object.values(networkInterfaces())
    .flatMap(each => each ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80'));
  for (const { address } of outside)
    await t.rejects(connect(fixture.port, address), { code: /ECONNREFUSED|EADDRNOTAVAIL/ });
  t.match(fixture.url, 'localhost');
});
