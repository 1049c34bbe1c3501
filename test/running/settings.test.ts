/** `platen settings`: the page's calls, the command that writes, and the service that takes it over. */
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { get, until } from '../spec/calls.js';
import { platen } from '../topology/platen.js';
import { virtualTopology as topology } from '../topology/virtualTopology.js';

interface Plugin {
  readonly use: string;
  readonly enabled: boolean;
  readonly state: string;
  readonly finds: boolean;
  readonly options: Readonly<Record<string, unknown>>;
  readonly own: readonly string[];
}
interface Preview {
  readonly digest: string;
  readonly differences: readonly object[];
  readonly problems: readonly object[];
}

/** A vendor's plugin that has a secret, and finds what to put into its options. */
const acme = `export default {
  name: 'acme', api: 1,
  optionsSchema: {
    type: 'object', additionalProperties: false,
    properties: { hosts: { type: 'array', items: { type: 'string', minLength: 3 } }, code: { type: 'string', writeOnly: true } },
  },
  setup: ({ options }) => ({
    recognisers: [{ kind: 'acme', read: async () => ({}) }],
    find: async () => [{ title: 'Acme at 10.0.0.7', options: { hosts: ['10.0.0.7'] } }],
  }),
};`;

/** A service, and `platen settings` beside it. */
async function begin(t: Test) {
  const folder = await mkdtemp(join(tmpdir(), 'platen-settings-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const fixture = await topology.start({ folder, recognisers: ['@platen/barcode'] });
  t.teardown(async () => void (await fixture.stop()));
  await mkdir(join(folder, 'conf.d'), { mode: 0o755 });
  await writeFile(join(folder, 'acme.mjs'), acme, { mode: 0o644 });
  const env = { PLATEN_DATA_DIR: fixture.dataDir, PLATEN_CONFIG: join(folder, 'platen.json') };
  const open = async () => {
    const command = platen(['settings', '--no-open'], { env });
    await until(async () => command.out().includes('Ctrl-C'));
    return { ...command, key: /#key=([\w-]{43})\n/.exec(command.out())?.[1] ?? '' };
  };
  const call = async <T>(path: string, key: string, body?: object, headers: object = {}) => {
    const answer = await fixture.request(body ? 'POST' : 'GET', `/settings/${path}`, {
      headers: {
        origin: fixture.url,
        'sec-fetch-site': 'same-origin',
        'x-platen-page': '1',
        'x-platen-settings': key,
        ...headers,
      },
      ...(body && { body }),
    });
    return { ...answer, json: answer.json as T };
  };
  const plugin = async (key: string, use: string): Promise<Plugin | undefined> =>
    (await call<{ plugins: readonly Plugin[] }>('state', key)).json.plugins.find(each => each.use === use);
  return { fixture, folder, env, own: join(folder, 'conf.d', '80-plugins.json'), open, call, plugin };
}

t.test('settings: a change is previewed, written by the command, and taken over by the service', async t => {
  const { fixture, own, open, call, plugin, env } = await begin(t);
  const { key, signal, ended, out } = await open();
  t.match(await plugin(key, '@platen/barcode'), { enabled: true, state: 'loaded', own: [] });
  const changes = [{ use: '@platen/barcode', enabled: false }];
  const { json: preview } = await call<Preview>('preview', key, { changes });
  t.strictSame(preview.differences, [{ use: '@platen/barcode', before: true, after: false }]);
  await t.rejects(readFile(own), 'a preview writes nothing');
  t.equal((await call('save', key, { changes, digest: 'other' })).status, 400, 'only what the person saw is saved');
  const { json: saved } = await call<{ changes: string[] }>('save', key, { changes, digest: preview.digest });
  t.match(saved.changes, ['@platen/barcode was switched off.']);
  t.strictSame(JSON.parse(await readFile(own, 'utf8')), { plugins: [{ use: '@platen/barcode', enabled: false }] });
  t.match((await get(fixture, '/api/features')).json, { barcodes: { available: false } });
  t.match(out(), 'Wrote');

  t.equal((await platen(['plugins', 'enable', 'barcode'], { env }).ended).code, 0, 'commands write the same file');
  t.match(await plugin(key, '@platen/barcode'), { enabled: true, state: 'loaded', own: ['enabled'] });
  signal('SIGINT');
  t.equal((await ended).code, 0);
});

t.test('settings: a secret is never told, stays when it is not typed again, and closes its file', async t => {
  const { folder, own, open, call, plugin } = await begin(t);
  const base = JSON.parse(await readFile(join(folder, 'platen.json'), 'utf8')) as { plugins: object[] };
  base.plugins.push({ use: './acme.mjs' });
  await writeFile(join(folder, 'platen.json'), JSON.stringify(base), { mode: 0o644 });
  const { key, signal, ended } = await open();
  await until(async () => (await plugin(key, './acme.mjs'))?.state === 'loaded');
  const { json: found } = await call<{ found: object[] }>('found?use=.%2Facme.mjs', key);
  t.strictSame(found.found, [{ title: 'Acme at 10.0.0.7', options: { hosts: ['10.0.0.7'] } }]);

  const save = async (options: object): Promise<void> => {
    const changes = [{ use: './acme.mjs', options }];
    const { json, text } = await call<Preview>('preview', key, { changes });
    t.notMatch(text, /hunter2/);
    const saved = await call<{ faults: string[] }>('save', key, { changes, digest: json.digest });
    t.strictSame([saved.status, saved.json.faults], [200, []]);
  };
  await save({ code: 'hunter2', hosts: ['10.0.0.7'] });
  if (process.platform !== 'win32') t.equal((await stat(own)).mode % 8, 0, 'no other account reads it');
  const state = await call('state', key);
  t.notMatch(state.text, /hunter2/);
  const options = (await plugin(key, './acme.mjs'))?.options ?? {};
  await save({ ...options, hosts: ['10.0.0.8'] });
  t.match(JSON.parse(await readFile(own, 'utf8')), {
    plugins: [{ options: { hosts: ['10.0.0.8'], code: 'hunter2' } }],
  });

  const { json: bad } = await call<Preview>('preview', key, {
    changes: [{ use: './acme.mjs', options: { hosts: ['x'] } }],
  });
  t.match(bad.problems, [{ use: './acme.mjs', sentence: /hosts/ }]);
  signal('SIGINT');
  await ended;
});

t.test('settings: nobody but the page of a running command', async t => {
  const { fixture, open, call, folder } = await begin(t);
  const changes = [{ use: '@platen/barcode', enabled: false }];
  t.match(await call('state', ''), { status: 401 });
  t.match(await call('state', 'x'.repeat(43)), { status: 401 });
  const { key, signal, ended } = await open();
  const token = (await readFile(join(fixture.dataDir, 'settings.token'), 'utf8')).trim();
  t.match(await call('state', token), { status: 401 }, "the command's token is no key");
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  for (const path of ['state', 'found?use=x'])
    t.match(await call(path, key, undefined, foreign), { status: 403 }, path);
  for (const path of ['preview', 'save']) {
    t.match(await call(path, key, { changes }, foreign), { status: 403 }, path);
    t.match(await call(path, '', { changes }), { status: 401 }, path);
  }
  t.match(await call('work', token, {}), { status: 401 }, 'a page with an origin is no command');
  const work = (secret: string) =>
    fixture.request('POST', '/settings/work', { headers: { 'x-platen-settings': secret }, body: {} });
  t.match(await work(key), { status: 401 });
  t.match(await work(''), { status: 401 });
  signal('SIGINT');
  await ended;
  const { json } = await call<{ success: boolean }>('save', key, { changes, digest: '' });
  t.match(json, { success: false });
  await t.rejects(readFile(join(folder, 'conf.d', '80-plugins.json')));
});

t.test('settings: without a service, or with a second command, it says so', async t => {
  const { env, open, fixture } = await begin(t);
  const first = await open();
  const second = await open();
  t.match(await first.ended, { code: 1, log: /took over/ });
  await fixture.stop();
  t.match(await second.ended, { code: 1 });
  t.match(await platen(['settings'], { env }).ended, { code: 3, log: /No service/ });
});
