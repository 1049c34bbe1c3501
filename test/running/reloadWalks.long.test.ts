/**
 * Random switches, options, licences, updates and broken files between and during scans, auto-scan and documents: no page is
 * lost, no handle is left, and memory is flat.
 */
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import nodeModule from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { randomOf } from '../soak/random.js';
import { disable, quick } from '../spec/autoscanCalls.js';
import { get, until } from '../spec/calls.js';
import { platen } from '../topology/platen.js';
import { sheets } from '../topology/sheets.js';
import { virtualTopology as topology } from '../topology/virtualTopology.js';

const configurations: readonly (readonly [name: string, text: string])[] = [
  ['10-barcode.json', JSON.stringify({ plugins: [{ use: '@platen/barcode', enabled: false }] })],
  ['10-barcode.json', JSON.stringify({ plugins: [{ use: '@platen/barcode', enabled: true }] })],
  ['20-jpeg.json', JSON.stringify({ plugins: [{ use: '@platen/format-jpeg', enabled: false }] })],
  ['20-jpeg.json', JSON.stringify({ plugins: [{ use: '@platen/format-jpeg' }] })],
  ['30-bad.json', '{ "plugins": [{'],
  ['30-bad.json', '{ "lgo": {} }'],
  ['30-bad.json', '{}'],
  ['40-options.json', JSON.stringify({ plugins: [{ use: '@platen/blank-pages', options: { maxInk: 'much' } }] })],
  ['40-options.json', '{}'],
  ['50-profiles.json', JSON.stringify({ profiles: { a: { imageFormat: 'Jpeg' } } })],
  ['50-profiles.json', '{}'],
];
const ROUNDS = 500;
/** Before Node 22.15, changed code waits for a restart. */
const takesUpdates = 'registerHooks' in nodeModule;

/** A vendor's premium plugin that says its version of each page, and breaks now and then. */
const stamp = (publicKey: string, version: number): string => `import { definePlugin } from '@platen/core/plugin';
export default definePlugin({
  name: '@acme/stamp', api: 1, premium: { publicKey: ${JSON.stringify(publicKey)}, provides: [{ kind: 'recogniser', id: 'stamp' }] },
  setup: () => ({ recognisers: [{ kind: 'stamp', wishes: { type: 'object', properties: {} }, read: async () => ({ version: ${version} }) }] }),
});`;

/** The vendor's files, and what may happen to them. */
async function vendorIn(folder: string) {
  const env = { PLATEN_DATA_DIR: join(folder, 'vendor') };
  const keys = await platen(['licence', 'keys', '--out', join(folder, 'vendor.key')], { env }).ended;
  const publicKey = /`([^`]+)`/.exec(keys.out)?.[1] ?? '';
  const signed = async (...flags: readonly string[]): Promise<string> => {
    const args = ['--key', join(folder, 'vendor.key'), '--plugin', '@acme/stamp', '--customer', 'Walk', ...flags];
    return (await platen(['licence', 'sign', ...args], { env }).ended).out.trim();
  };
  const [good, machine] = [await signed('--days', '9'), await signed('--days', '9', '--machine', '0'.repeat(64))];
  let version = 0;
  const code = (text: string): (readonly [string, string])[] => [
    ['node_modules/@acme/stamp/index.js', text],
    [
      'node_modules/@acme/stamp/package.json',
      JSON.stringify({ name: '@acme/stamp', version: `1.0.${++version}`, type: 'module', exports: './index.js' }),
    ],
  ];
  return {
    update: () => code(stamp(publicKey, version + 1)),
    moves: [
      () => [['licences/acme.licence', good]],
      () => [['licences/acme.licence', machine]],
      () => [['licences/acme.licence', undefined]],
      ...(takesUpdates
        ? [
            () => code(stamp(publicKey, version + 1)),
            () => code('export default {'),
            () => code('export default { name: "@acme/stamp", api: 1, setup() { throw new Error("broken"); } };'),
          ]
        : []),
    ] as readonly (() => readonly (readonly [string, string | undefined])[])[],
  };
}

async function begin(t: Test) {
  const folder = await mkdtemp(join(tmpdir(), 'platen-walk-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  for (const each of ['conf.d', 'licences', 'node_modules/@acme/stamp'])
    await mkdir(join(folder, each), { recursive: true, mode: 0o755 });
  await mkdir(join(folder, 'node_modules', '@platen'), { mode: 0o755 });
  const core = dirname(fileURLToPath(import.meta.resolve('@platen/core/package.json')));
  await symlink(core, join(folder, 'node_modules', '@platen', 'core'));
  const vendor = await vendorIn(folder);
  /** As a program that distributes files does: not a half one. @param text undefined: the file goes */
  const drop = async (name: string, text: string | undefined): Promise<void> => {
    if (text === undefined) return rm(join(folder, name), { force: true });
    const made = join(folder, `${dirname(name).replaceAll('/', '-')}.new`);
    await writeFile(made, text, { mode: 0o644 });
    await rename(made, join(folder, name));
  };
  for (const [name, text] of vendor.update()) await drop(name, text);
  await drop('conf.d/60-stamp.json', JSON.stringify({ plugins: [{ use: '@acme/stamp' }] }));
  const recognisers = ['@platen/barcode', '@platen/blank-pages', '@platen/document-pdf'];
  const fixture = await topology.start({ folder, recognisers });
  t.teardown(async () => void (await fixture.stop()));
  const env = { PLATEN_DATA_DIR: fixture.dataDir, PLATEN_CONFIG: join(folder, 'platen.json') };
  return { folder, fixture, vendor, drop, reload: () => platen(['service', 'reload'], { env }).ended };
}

for (const seed of [20261129, 41])
  t.test(`reload walk ${seed}: ${ROUNDS} rounds`, { timeout: 1_500_000 }, async t => {
    const { pick, chance } = randomOf(seed);
    const { folder, fixture, vendor, drop, reload } = await begin(t);
    const memory = async (): Promise<number> => {
      const status = await readFile(`/proc/${fixture.pid}/status`, 'utf8').catch(() => '');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    };
    const handles = async (): Promise<number> => (await readdir(`/proc/${fixture.pid}/fd`).catch(() => [])).length;
    const counted = { whole: 0, refused: 0, stamped: 0, unstamped: 0, documents: 0, inserted: 0 };

    const change = async (): Promise<void> => {
      if (chance(0.6)) return drop(...inConf(pick(configurations)));
      for (const [name, text] of pick(vendor.moves)()) await drop(name, text);
      // Nobody watches a plugin's own files.
      if (process.platform !== 'win32') fixture.signal('SIGHUP');
    };
    const scans = async (round: number): Promise<void> => {
      await fixture.load('duplex', sheets(1, 2));
      const imageFormat = chance(0.5) ? 'Jpeg' : 'Png';
      const asked = { barcodeReadingEnabled: chance(0.5), ...(chance(0.5) ? { recognise: { stamp: {} } } : {}) };
      const parameters = { resolution: 75, colorMode: 'Grayscale', imageFormat, ...asked };
      const { status, json } = await fixture.request('POST', '/api/twain/scan', {
        body: { scannerName: fixture.name('duplex'), parameters },
      });
      const { images = [] } = json as { images?: readonly { findings?: { stamp?: object } }[] };
      const isRefused = status === 400 && (imageFormat === 'Jpeg' || 'recognise' in asked);
      if (isRefused) counted.refused++;
      else if (status === 200 && images.length === 2) counted.whole++;
      else t.fail(`round ${round}: ${status} ${JSON.stringify(json).slice(0, 300)}`);
      if ('recognise' in asked && !isRefused) counted[images[0]?.findings?.stamp ? 'stamped' : 'unstamped']++;
    };
    const documents = async (round: number): Promise<void> => {
      await fixture.load('duplex', sheets(1, 2));
      const body = { scannerName: fixture.name('duplex'), parameters: { resolution: 75, colorMode: 'Grayscale' } };
      const { json } = await fixture.request('POST', '/api/scans', { body });
      const path = `/api/scans/${(json as { id: string }).id}`;
      const answer = await fixture.request('GET', `${path}/document?format=pdf`);
      const pages = answer.text.match(/\/Type\s*\/Page\b/g)?.length;
      if (answer.status !== 200 || pages !== 2) t.fail(`round ${round}: a document: ${answer.status}, ${pages} pages`);
      counted.documents++;
      await fixture.request('DELETE', path);
    };
    const inserts = async (round: number): Promise<void> => {
      const body = { scannerName: fixture.name('both'), parameters: quick };
      const { status, json } = await fixture.request('POST', '/api/twain/autoscan/enable', { body });
      if (status !== 200) return void t.fail(`round ${round}: auto-scan: ${status} ${JSON.stringify(json)}`);
      const reader = await fixture.events({});
      await fixture.insert('both', sheets(1, 2));
      await change();
      const events = await reader.come(2);
      if (events.filter(({ event }) => event === 'image').length !== 2)
        t.fail(`round ${round}: ${JSON.stringify(events.map(({ event }) => event))}`);
      counted.inserted += 2;
      await disable(fixture);
      await reader.hangUp();
      await fixture.request('POST', '/api/twain', { body: { kind: 'twainlocalscanner', method: 'closeSource' } });
    };

    let [before, open] = [0, 0];
    for (let round = 1; round <= ROUNDS; round++) {
      if (chance(0.3)) await Promise.all([change(), scans(round)]);
      else if (chance(0.1)) await Promise.all([change(), documents(round)]);
      else if (chance(0.05)) await inserts(round);
      else {
        await change();
        if (chance(0.25)) await scans(round);
      }
      if (round === 100) [before, open] = [await memory(), await handles()];
    }
    for (const [name] of configurations) await rm(join(folder, 'conf.d', name), { force: true });
    for (const [name, text] of [...(takesUpdates ? vendor.update() : []), ...vendor.moves[0]!()])
      await drop(name, text);
    await reload();
    const isOff = async (): Promise<boolean> =>
      (await get<{ off: readonly { id: string }[] }>(fixture, '/api/features')).json.off.some(
        ({ id }) => id === 'barcode' || id === 'stamp',
      );
    await until(async () => !(await isOff()));
    t.comment(
      `${JSON.stringify(counted)}; ${before.toFixed(0)} MB after 100 rounds, ${(await memory()).toFixed(0)} at the end`,
    );
    for (const [what, count] of Object.entries(counted)) t.ok(count > 0, what);
    await until(async () => (await memory()) < before + 40, 500);
    t.ok((await handles()) <= open + 10, `${await handles()} open, ${open} after 100 rounds`);
  });

const inConf = ([name, text]: readonly [string, string]) => [`conf.d/${name}`, text] as const;
