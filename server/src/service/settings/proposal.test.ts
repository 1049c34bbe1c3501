/** Changes of settings: what they become in the file, what differs, and what is refused. */
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PluginReport } from '@platen/core';
import t, { type Test } from 'tap';
import type { FixedPlace } from '../../machine/config/fixed.js';
import { propose, type Change } from './proposal.js';

const optionsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    devices: { type: 'array', items: { type: 'object', properties: { host: { type: 'string' }, password: {} } } },
    seconds: { type: 'integer', minimum: 1, default: 2 },
    pin: { type: 'string', writeOnly: true },
  },
};
const reports = [{ use: 'x', optionsSchema }, { use: 'y' }] as unknown as readonly PluginReport[];
const base = {
  plugins: [
    { use: 'x', options: { devices: [{ host: 'a', password: 'one' }], pin: '1234' } },
    { use: 'y', enabled: false },
  ],
};

async function begin(t: Test, files: Readonly<Record<string, unknown>> = {}, policy?: object) {
  const folder = await mkdtemp(join(tmpdir(), 'platen-proposal-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'conf.d'), { mode: 0o755 });
  for (const [name, value] of Object.entries({ 'platen.json': base, ...files }))
    await writeFile(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value), { mode: 0o644 });
  const file = join(folder, 'policy.json');
  if (policy) await writeFile(file, JSON.stringify(policy));
  if (policy) await chmod(file, 0o600);
  const place: FixedPlace = { platform: 'linux', file, tools: { run: async () => undefined }, env: {} };
  const parts = { configFile: join(folder, 'platen.json'), dataDir: folder, reports, place };
  return (...changes: readonly Change[]) => propose(changes, parts);
}

t.test('propose: only what was changed is in the file, and what differs is told', async t => {
  const of = await begin(t);
  const { file, text, differences, problems, isSecret } = await of(
    { use: 'x', options: { seconds: 5 } },
    { use: 'y', enabled: true },
  );
  t.match(file, /conf\.d.80-plugins\.json$/);
  t.strictSame(JSON.parse(text), {
    plugins: [
      { use: 'x', options: { seconds: 5 } },
      { use: 'y', enabled: true },
    ],
  });
  t.strictSame(differences, [
    { use: 'x', option: 'seconds', after: 5 },
    { use: 'y', before: false, after: true },
  ]);
  t.strictSame([problems, isSecret], [[], false]);
});

t.test('propose: secrets stay by their marks, and are hidden in what differs', async t => {
  const of = await begin(t);
  const kept = { platenSecret: ['devices', 0, 'password'] };
  const { text, differences, isSecret } = await of({
    use: 'x',
    options: { devices: [{ host: 'b' }, { host: 'a', password: kept }], pin: '9999' },
  });
  t.match(JSON.parse(text), {
    plugins: [{ options: { devices: [{ host: 'b' }, { host: 'a', password: 'one' }], pin: '9999' } }],
  });
  t.ok(isSecret);
  for (const secret of ['one', '1234', '9999']) t.notOk(JSON.stringify(differences).includes(secret));
  t.match(differences, [{ option: 'devices' }, { option: 'pin', before: '(hidden)', after: '(hidden)' }]);
  await t.rejects(of({ use: 'x', options: { pin: { platenSecret: ['devices', 0, 'host'] } } }), {
    code: 'bad-request',
  });
});

t.test('propose: what the file has already stays, and what is unset goes', async t => {
  const own = { plugins: [{ use: 'x', enabled: false, options: { seconds: 9, pin: 'p' } }] };
  const of = await begin(t, { 'conf.d/80-plugins.json': own });
  const { text, differences } = await of({ use: 'x', enabled: true, unset: ['pin'] });
  t.strictSame(JSON.parse(text), { plugins: [{ use: 'x', enabled: true, options: { seconds: 9 } }] });
  t.match(differences, [
    { use: 'x', before: false, after: true },
    { option: 'pin', before: '(hidden)', after: '(hidden)' },
  ]);
  const nothing = await of({ use: 'x', unset: ['pin', 'seconds'] });
  t.strictSame(JSON.parse(nothing.text), { plugins: [{ use: 'x', enabled: false }] });
});

t.test('propose: values that the schema refuses are named, and a plugin that is off may have them', async t => {
  const of = await begin(t);
  const bad = { use: 'x', options: { seconds: 0 } };
  const { problems } = await of(bad);
  t.match(problems, [{ use: 'x', sentence: /seconds/ }]);
  t.strictSame((await of({ ...bad, enabled: false })).problems, []);
});

t.test('propose: a later file and a policy count more', async t => {
  const later = await begin(t, { 'conf.d/90-site.json': { plugins: [{ use: 'x', options: { seconds: 3 } }] } });
  t.match((await later({ use: 'x', options: { seconds: 5 } })).problems, [{ sentence: /90-site\.json, line 1/ }]);
  const fixed = await begin(t, {}, { plugins: [{ use: 'y', enabled: false }] });
  await t.rejects(fixed({ use: 'y', enabled: true }), { code: 'bad-request', message: /policy/ });
  t.strictSame((await fixed({ use: 'x', options: { seconds: 5 } })).problems, []);
});

t.test('propose: a plugin that is not there, and a file that somebody else wrote', async t => {
  const of = await begin(t);
  await t.rejects(of({ use: 'z', enabled: true }), { code: 'bad-request' });
  await t.rejects(of({ use: '__proto__', enabled: true }), { code: 'bad-request' });
  for (const [name, text] of Object.entries({
    more: '{"plugins":[],"log":{"level":"debug"}}',
    entry: '{"plugins":[{"use":"x","isolate":true}]}',
    list: '{"plugins":{}}',
  })) {
    const other = await begin(t, { 'conf.d/80-plugins.json': text });
    await t.rejects(other({ use: 'x', enabled: false }), { code: 'configuration' }, name);
  }
});
