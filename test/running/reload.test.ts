/** A configuration that changes while the service runs: files that are dropped, commands, SIGHUP. */
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { quick } from '../spec/autoscanCalls.js';
import { get, logged, scan, until, untilFed, type ScanJson, type Typed } from '../spec/calls.js';
import { platen } from '../topology/platen.js';
import { sheets } from '../topology/sheets.js';
import { virtualTopology as topology } from '../topology/virtualTopology.js';

interface Features {
  readonly revision: number;
  readonly barcodes: { readonly available: boolean };
  readonly formats: readonly string[];
  readonly documents: readonly string[];
  readonly off: readonly { readonly kind: string; readonly id: string; readonly why: string }[];
}

/** A service that has its configuration in a folder of its own, and what changes that. */
async function begin(t: Test) {
  const folder = await mkdtemp(join(tmpdir(), 'platen-reload-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const fixture = await topology.start({ folder, recognisers: ['@platen/barcode', '@platen/document-pdf'] });
  t.teardown(async () => void (await fixture.stop()));
  const conf = join(folder, 'conf.d');
  await mkdir(conf, { mode: 0o755 });
  const env = { PLATEN_DATA_DIR: fixture.dataDir, PLATEN_CONFIG: join(folder, 'platen.json') };
  return {
    fixture,
    /** As a program that distributes files does: not a half one. @param value undefined: the file goes */
    async drop(name: string, value: object | string | undefined): Promise<void> {
      if (value === undefined) return rm(join(conf, name));
      const made = join(folder, `${name}.new`);
      await writeFile(made, typeof value === 'string' ? value : JSON.stringify(value), { mode: 0o644 });
      await rename(made, join(conf, name));
    },
    features: async (): Promise<Features> => (await get<Features>(fixture, '/api/features')).json,
    command: (...args: string[]) => platen(args, { env }).ended,
  };
}

const off = (use: string): object => ({ plugins: [{ use, enabled: false }] });
const pagesOf = ({ json }: Typed<ScanJson>): number => json.images.length;

/** Another option of the virtual scanners' driver: it is loaded anew. */
const otherDriver = {
  plugins: [
    { use: '@platen/driver-virtual', options: { scanners: [{ name: 'Another one', feeder: true, samples: 1 }] } },
  ],
};

t.test('reload: a dropped file switches a plugin off, and on when it goes', async t => {
  const { drop, features, fixture } = await begin(t);
  const before = await features();
  t.strictSame([before.barcodes.available, before.documents.includes('pdf')], [true, true]);
  await drop('10-desk.json', off('@platen/barcode'));
  await until(async () => !(await features()).barcodes.available);
  const barcode = (await features()).off.find(({ id }) => id === 'barcode');
  t.strictSame(barcode, { kind: 'recogniser', id: 'barcode', why: 'switched-off' });
  await fixture.load('duplex', sheets(1));
  const scanned = await scan(fixture, 'duplex', { readBarcodes: true });
  t.equal(pagesOf(scanned), 1, 'the page comes, with a note');
  await drop('10-desk.json', undefined);
  await until(async () => (await features()).barcodes.available);
  t.ok((await features()).revision > before.revision);
});

t.test('reload: a scan ends with what it began with, and the next one has what came', async t => {
  const { drop, features, fixture } = await begin(t);
  await fixture.load('slow', sheets(1, 2, 3));
  const running = scan(fixture, 'slow', { imageFormat: 'Jpeg' });
  await untilFed(fixture, 'slow');
  await drop('10-desk.json', off('@platen/format-jpeg'));
  await until(async () => !(await features()).formats.includes('Jpeg'));
  const result = await running;
  t.equal(pagesOf(result), 3);
  t.strictSame([...new Set(result.json.images.map(({ mimeType }) => mimeType))], ['image/jpeg'], 'in its own format');
  const refused = await fixture.request('POST', '/api/twain/scan', {
    body: { scannerName: fixture.name('slow'), parameters: { imageFormat: 'Jpeg' } },
  });
  t.equal(refused.status, 400);
});

t.test('reload: a driver changes when its scan has ended; one that is asked for meanwhile waits', async t => {
  const { drop, fixture } = await begin(t);
  await fixture.load('slow', sheets(1, 2, 3));
  const running = scan(fixture, 'slow', {});
  await untilFed(fixture, 'slow');
  await drop('20-driver.json', otherDriver);
  const names = async (): Promise<string[]> =>
    (await get<{ scanners: { name: string }[] }>(fixture, '/api/twain/scanners')).json.scanners.map(({ name }) => name);
  t.equal(pagesOf(await running), 3, 'not a page is missing');
  await until(async () => (await names()).includes('Another one'));
  t.notOk((await names()).includes(fixture.name('slow')));
  await drop('20-driver.json', undefined);
  await until(async () => (await names()).includes(fixture.name('slow')));
  await fixture.load('slow', sheets(4));
  t.equal(pagesOf(await scan(fixture, 'slow', {})), 1);
});

t.test('reload: auto-scan is turned off between two documents, and its pages stay', async t => {
  const { drop, fixture } = await begin(t);
  const headers = { origin: 'https://shop.example' };
  const body = { scannerName: fixture.name('duplex'), parameters: quick };
  t.equal((await fixture.request('POST', '/api/twain/autoscan/enable', { body, headers })).status, 200);
  const reader = await fixture.events({ headers });
  await fixture.insert('duplex', sheets(1, 2));
  await reader.come(2);
  await drop('20-driver.json', otherDriver);
  t.equal((await reader.ended).at(-1)?.event, 'disabled');
});

t.test('reload: a file with a fault changes nothing, and the log and the command say why', async t => {
  const { drop, features, fixture, command } = await begin(t);
  await drop('10-good.json', off('@platen/barcode'));
  await until(async () => !(await features()).barcodes.available);
  for (const [name, text] of [
    ['20-bad.json', '{'],
    ['20-bad.json', '{ "plugins": [], "plugins": [] }'],
    ['20-bad.json', '{ "pluggins": [] }'],
  ] as const) {
    await drop(name, text);
    const { code, log } = await command('service', 'reload');
    t.equal(code, 3, text);
    t.match(log, /20-bad\.json/);
    t.notOk((await features()).barcodes.available);
  }
  t.ok(await logged(fixture, /was not taken over/));
  await drop('20-bad.json', undefined);
  t.equal((await command('service', 'reload')).code, 0);
});

t.test('plugins disable and enable: one file, taken over when the command ends', async t => {
  const { features, command } = await begin(t);
  const { code, out } = await command('plugins', 'disable', 'barcode', 'document-pdf');
  t.equal(code, 0, out);
  t.match(out, /@platen\/barcode is off, by .*80-plugins\.json/);
  t.strictSame([(await features()).barcodes.available, (await features()).documents], [false, []]);
  t.equal((await command('plugins', 'enable', 'barcode')).code, 0);
  t.ok((await features()).barcodes.available);
  const shown = JSON.parse((await command('config', 'show', '--json')).out) as {
    values: { key: string; value: unknown; file?: string }[];
  };
  const pdf = shown.values.find(({ key }) => key === 'plugins[@platen/document-pdf].enabled');
  t.match(pdf, { value: false, file: /80-plugins\.json$/ });
  t.equal((await command('plugins', 'disable', 'bracode')).code, 2, 'a name that is none');
});

t.test('plugins disable: a later file that says otherwise is named, and nothing is changed', async t => {
  const { drop, features, command } = await begin(t);
  await drop('90-company.json', { plugins: [{ use: '@platen/barcode', enabled: true }] });
  const { code, log } = await command('plugins', 'disable', 'barcode');
  t.equal(code, 3);
  t.match(log, /90-company\.json/);
  t.ok((await features()).barcodes.available);
});

t.test('reload: SIGHUP reads the files again, and the service goes on', async t => {
  if (process.platform === 'win32') return;
  const { fixture, features } = await begin(t);
  fixture.signal('SIGHUP');
  fixture.signal('SIGHUP');
  t.ok((await features()).barcodes.available);
  await fixture.load('duplex', sheets(1));
  t.equal(pagesOf(await scan(fixture, 'duplex', {})), 1);
});
