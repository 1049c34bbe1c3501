/** What `platen doctor` and `platen plugins list` say of plugins that tell their health. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { patient, well, type Answers } from './patient.test.kit.js';
import { plugins } from './plugins.js';

const folder = await mkdtemp(join(tmpdir(), 'platen-health-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));

async function pluginOf(name: string, health: string, drivers = ''): Promise<string> {
  const file = join(folder, `${name}.mjs`);
  const driver = `{ id: '${name}', async *devices() {}, open: async () => undefined, close: async () => undefined }`;
  const body = `{ health: () => (${health}), drivers: [${drivers && driver}] }`;
  await writeFile(file, `export default { name: '${name}', api: 1, setup: () => (${body}) };`, { mode: 0o600 });
  return file;
}

const meter = await pluginOf('meter', `{ state: 'warning', sentence: 'The disk of the meter is nearly full.' }`);
const feeder = await pluginOf('feeder', `{ state: 'failed', sentence: 'Asked beside the service.' }`, 'one');
const config = JSON.stringify({ plugins: [{ use: meter }, { use: feeder }] });
const answering = (health: unknown): Answers => ({ ...well, '/app/plugins': [200, { success: true, health }] });

t.test('doctor: no plugin tells its health', async t => {
  t.match((await (await patient(t)).examine()).of('pluginHealth'), { state: 'ok', health: [] });
});

t.test('doctor: asks plugins without drivers itself, and the service for the others', async t => {
  const alone = await patient(t, { config });
  const own = (await alone.examine()).of('pluginHealth');
  t.match(own, { state: 'warning', remedy: 'The disk of the meter is nearly full.', health: [{ plugin: meter }] });
  t.equal(own?.health?.length, 1);

  const facts = [{ name: 'lamp_hours', value: 9000 }];
  const told = [{ plugin: feeder, state: 'failed', sentence: 'Replace the lamp.', facts, ageSeconds: 3 }];
  const both = (await (await patient(t, { config, answers: answering(told) })).examine()).of('pluginHealth');
  t.match(both, { state: 'failed', remedy: 'Replace the lamp.\nThe disk of the meter is nearly full.' });
  t.match(both?.health, [{ facts }, { plugin: meter }]);
  const well = answering(told.map(each => ({ ...each, state: 'ok' })));
  t.match((await (await patient(t, { answers: well })).examine()).of('pluginHealth'), { state: 'ok' });
});

async function list(t: Test, dir: string, ...args: string[]): Promise<string> {
  const lines: string[] = [];
  const io = { out: (line: string) => void lines.push(line), err: () => undefined, env: {}, cwd: folder };
  const env = { PLATEN_DATA_DIR: dir, PLATEN_CONFIG: join(folder, 'platen.json') };
  t.equal(await plugins(['list', ...args], { ...io, env }), 0);
  return lines.join('\n');
}

t.test('plugins list: says that drivers of the desktop application are not asked', async t => {
  const link = '{ peer: undefined, onChange: () => () => undefined }';
  const driver = `{ id: 'far', link: ${link}, async *devices() {}, open: async () => undefined, close: async () => undefined }`;
  const code = `export default { name: 'far', api: 1, setup: () => ({ drivers: [${driver}] }) };`;
  await writeFile(join(folder, 'far.mjs'), code, { mode: 0o600 });
  const two = JSON.stringify({ plugins: [{ use: './far.mjs' }, { use: meter }] });
  await writeFile(join(folder, 'platen.json'), two, { mode: 0o600 });
  const lines = (await list(t, (await patient(t, { running: false })).dir)).split('\n');
  t.match(lines, [/far\.mjs .*Health: not asked, because .* desktop application\.$/, /Health: warning/]);
});

t.test('plugins list: the health after each line; with a service, not of its drivers', async t => {
  await writeFile(join(folder, 'platen.json'), config, { mode: 0o600 });
  const [free, served] = [await patient(t, { running: false }), await patient(t)];
  t.match(
    await list(t, free.dir),
    /meter\.mjs .*Health: warning, The disk[^]*feeder\.mjs .*Health: failed, Asked beside/,
  );
  t.notMatch(await list(t, served.dir, '--json'), 'optionsSchema', 'what a form is made of is for a form');
  t.match(JSON.parse(await list(t, served.dir, '--json')), [
    { state: 'loaded', health: { state: 'warning', facts: [], ageSeconds: 0 } },
    { state: 'loaded', health: undefined },
  ]);
});
