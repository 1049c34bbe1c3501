/** A premium plugin in a whole service, with a licence made as in docs/licences.md, and without. */
import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { buildApp } from '../service/app.js';
import { config as configGroup } from './config.js';
import { plugins as pluginsGroup } from './plugins.js';
import { compose } from '../service/compose.js';
import { readConfig } from '../machine/config/read.js';
import { platenArgs } from '../machine/program.test.kit.js';
import { createVendor } from '../service/licences/licence.test.kit.js';

const guide = await readFile(new URL('../../../docs/licences.md', import.meta.url), 'utf8');
const signing = /^platen (licence sign [\s\S]*?[^\\])\n/m.exec(guide)?.[1] ?? '';

const vendor = createVendor();
const reader = `export default { name: '@acme/reader', api: 1, premium: { publicKey: ${JSON.stringify(vendor.publicKey)} }, setup: () => ({
  recognisers: [
    { kind: 'barcode', read: async () => [{ text: 'ACME', barcodeType: 'QR_CODE', confidence: 1 }] },
    { kind: 'ocr', languages: ['eng'], read: async () => 'Acme' },
  ] }) };`;

const dir = t.testdir({
  'reader.mjs': reader,
  'vendor.key': vendor.privateKey.export({ type: 'pkcs8', format: 'pem' }),
  data: {},
});
await chmod(join(dir, 'data'), 0o700);

interface Ended {
  readonly code: number | null;
  readonly out: string;
}

async function run(...args: string[]): Promise<Ended> {
  const child = spawn(process.execPath, args, {
    cwd: dir,
    env: { ...process.env, PLATEN_DATA_DIR: join(dir, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  return new Promise(resolve => child.on('close', code => resolve({ code, out })));
}

async function configure(licence?: string): Promise<string> {
  const file = join(dir, 'platen.json');
  const plugins = [
    { use: '@platen/driver-virtual', options: { scanners: [{ name: 'Glass', feeder: false, flatbed: true }] } },
    { use: '@platen/format-png' },
    { use: './reader.mjs', ...(licence === undefined ? {} : { licence }) },
  ];
  await writeFile(file, JSON.stringify({ plugins }), { mode: 0o600 });
  return file;
}

/** A command in this process. */
async function told(command: typeof pluginsGroup, ...args: string[]): Promise<Ended> {
  const lines: string[] = [];
  const io = {
    out: (line: string) => void lines.push(line),
    err: () => undefined,
    env: { ...process.env, PLATEN_DATA_DIR: join(dir, 'data') },
    cwd: dir,
  };
  const code = await command([...args, '--config', 'platen.json'], io);
  return { code, out: lines.map(line => `${line}\n`).join('') };
}

const list = async (): Promise<Ended> => told(pluginsGroup, 'list');

/** Scans one page with all recognition; returns the page and the status. */
async function answers(t: Test, file: string) {
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  const log = { debug: say, info: say, warn: say, error: say };
  const composed = await compose({
    config: await readConfig(file),
    dataDir: join(dir, 'data'),
    log,
    pluginLog: () => log,
  });
  t.teardown(() => composed.close());
  const app = await buildApp({
    routeParts: composed.routeParts,
    security: { allowedHosts: ['localhost'] },
  });
  t.teardown(() => app.close());
  const payload = {
    scannerName: 'Glass',
    parameters: { resolution: 75, barcodeReadingEnabled: true, ocrEnabled: true },
  };
  const scan = (
    await app.inject({ method: 'POST', url: '/api/twain/scan', headers: { host: 'localhost' }, payload })
  ).json<{ success: boolean; message: string; images: { barcodes: unknown[]; ocrText: string }[] }>();
  const status = (await app.inject({ url: '/api/twain/status', headers: { host: 'localhost' } })).json<{
    scannerStatus: { ocrEnabled: boolean };
  }>();
  return { scan, ocrEnabled: status.scannerStatus.ocrEnabled, lines };
}

t.test('premium: no licence, plugins list prints the fix, and scans work as if the plugin were disabled', async t => {
  const file = await configure();
  const { code, out } = await list();
  t.equal(code, 1);
  t.match(out, /^unlicensed  \.\/reader\.mjs  The plugin "\.\/reader\.mjs" .*folder licences/m);
  const { scan, ocrEnabled, lines } = await answers(t, file);
  t.match(scan, { success: true, images: [{ barcodes: [], ocrText: '' }] });
  t.match(scan.message, /Barcodes were not read: .*Text was not read: /);
  t.equal(ocrEnabled, false);
  t.ok(lines.some(line => line.includes('is premium and not licensed')));
});

t.test('premium: a licence made as in the guide is valid, in a file or inline', async t => {
  const words = signing.replaceAll('\\\n', ' ').match(/"[^"]*"|\S+/g) ?? [];
  t.match(await run(...platenArgs, ...words.map(word => word.replaceAll('"', ''))), { code: 0 });
  const token = await readFile(join(dir, 'acme.licence'), 'utf8');
  for (const licence of [join(dir, 'acme.licence'), '../acme.licence', token]) {
    await configure(licence);
    const { code, out } = await list();
    t.match(
      out,
      /^loaded {6}\.\/reader\.mjs  recogniser barcode, recogniser ocr, licensed to Acme Clinic, Springfield until \d{4}-\d\d-\d\d$/m,
    );
    t.equal(code, 0);
  }
  const { scan, ocrEnabled, lines } = await answers(t, await configure(token));
  t.match(scan, { success: true, images: [{ barcodes: [{ text: 'ACME' }], ocrText: 'Acme' }] });
  t.notMatch(scan.message, /not read/);
  t.equal(ocrEnabled, true);
  t.notOk(
    lines.some(line => line.includes(token)),
    'the licence itself is not logged',
  );
  await rm(join(dir, 'acme.licence'));
});

t.test('premium: a trial for seats and a licence that is ignored, plugins list and config check say so', async t => {
  const file = await configure(await vendor.licence({ trial: true, seats: 5 }));
  t.match((await list()).out, /licensed to Acme Clinic until 2100-01-01, 5 seats, trial, \d+ days left/);
  const config = JSON.parse(await readFile(file, 'utf8')) as { plugins: object[] };
  const plugins = [{ ...config.plugins[1], licence: 'x' }];
  await writeFile(file, JSON.stringify({ plugins }), { mode: 0o600 });
  t.match(await list(), { code: 0, out: /The licence of the plugin "@platen\/format-png" is ignored/ });
  const { out } = await told(configGroup, 'check', '--json');
  t.match(JSON.parse(out), { ok: true, warnings: [{ path: 'plugins[0]', message: /is ignored/ }] });
});

t.test('premium: a licence that is not a string, the configuration is rejected', async t => {
  const file = await configure();
  const config = JSON.parse(await readFile(file, 'utf8')) as { plugins: object[] };
  for (const licence of [5, '', null]) {
    await writeFile(file, JSON.stringify({ plugins: [{ ...config.plugins[2], licence }] }), { mode: 0o600 });
    await t.rejects(readConfig(file), {
      message: /plugins\[0\]\.licence takes a licence: a signed token, or the path of a file that holds one, not/,
    });
  }
  await writeFile(file, JSON.stringify({ plugins: [{ use: 'x', license: 'y' }] }), { mode: 0o600 });
  await t.rejects(readConfig(file), { message: /"plugins\[0\]\.license".*"licence"/ });
});

t.test('premium: what is asked for is installed and not licensed, skipped with a note, truthfully', async t => {
  const kinds = ['recogniser ticks', 'format webp', 'document cbz', 'processor despeckle'].map(each => each.split(' '));
  const provides = kinds.map(([kind, id]) => ({ kind, id }));
  const premium = JSON.stringify({ publicKey: vendor.publicKey, provides });
  await writeFile(
    join(dir, 'ticks.mjs'),
    `export default { name: '@acme/ticks', api: 1, premium: ${premium}, setup: () => { throw new Error('set up'); } };`,
  );
  const start = async (licence?: string) => {
    const file = await configure();
    const config = JSON.parse(await readFile(file, 'utf8')) as { plugins: object[] };
    const plugins = [...config.plugins.slice(0, 2), { use: './ticks.mjs', ...(licence ? { licence } : {}) }];
    await writeFile(file, JSON.stringify({ plugins, profiles: { desk: { recognise: { ticks: {} } } } }));
    const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
    const data = await mkdtemp(join(dir, 'data-'));
    const composed = await compose({ config: await readConfig(file), dataDir: data, log, pluginLog: () => log });
    t.teardown(() => composed.close());
    const app = await buildApp({ routeParts: composed.routeParts, security: { allowedHosts: ['localhost'] } });
    t.teardown(() => app.close());
    return async (parameters: object) => {
      const payload = { scannerName: 'Glass', parameters: { resolution: 75, ...parameters } };
      const headers = { host: 'localhost' };
      const { statusCode, body } = await app.inject({ method: 'POST', url: '/api/twain/scan', headers, payload });
      return { statusCode, ...(JSON.parse(body) as { message?: string; error?: string }) };
    };
  };
  const ended = await vendor.licence({ aud: '@acme/ticks', exp: Date.parse('2026-01-14') / 1000 });
  const scan = await start(ended);
  const why = 'ticks is installed but not licensed: its licence ended on 2026-01-14';
  for (const parameters of [{ recognise: { ticks: { unit: 'mm' } } }, { profile: 'desk' }]) {
    const { statusCode, message } = await scan(parameters);
    t.equal(statusCode, 200);
    t.match(message, `Pages were not searched for ticks: ${why}.`);
  }
  for (const parameters of [{ imageFormat: 'WebP' }, { process: { despeckle: {} } }]) {
    const { statusCode, message } = await scan(parameters);
    t.equal(statusCode, 200);
    t.match(message, /is installed but not licensed: its licence ended on 2026-01-14/);
  }
  t.match(await scan({ process: { despekle: {} } }), { statusCode: 400 }, 'a name that no plugin has');
  t.match(await scan({ recognise: { tick: {} } }), { statusCode: 400 }, 'a kind that no plugin has');

  t.match((await (await start())({ recognise: { ticks: {} } })).message, /there is no licence for it/);
  const foreign = await (
    await start(await vendor.licence({ aud: '@acme/ticks', machine: 'a'.repeat(32) }))
  )({
    recognise: { ticks: {} },
  });
  t.equal(foreign.statusCode, 200);
  t.notMatch(foreign.message, /[0-9a-f]{32}/, 'no page learns the id of this computer');
});
