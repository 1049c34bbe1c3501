/**
 * A vendor's image format, recogniser and processor: packed, installed outside the repository with their own copy of
 * core, and used over HTTP, on the command line and in the page.
 */
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { needs } from '@platen/conformance';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import { choose, launch, openApp, untilIdle, untilPages } from '../browser/appPage.js';
import { fileOf, get, until, type ScanJson, type Typed } from '../spec/calls.js';
import { start } from '../spec/specTest.js';
import { platen } from '../topology/platen.js';
import type { Fixture } from '../topology/topology.js';
import { insertFile, virtualTopology as topology } from '../topology/virtualTopology.js';
import { install, pack } from './npm.js';

const core = fileURLToPath(new URL('.', import.meta.resolve('@platen/core/package.json')));
const acme = fileURLToPath(new URL('../../plugins/fixtures/acme-imaging/', import.meta.url));

const DPI = 75;
const MM = 25.4 / DPI;
/** Of the form on the sheet, in pixels at 75 dpi: A6 with a dark box, and specks of 3 by 3 pixels. */
const form = { width: 310, height: 437 };
const box = { left: 180, top: 300, width: 90, height: 60 };
const specks = [
  { left: 20, top: 30 },
  { left: 280, top: 420 },
];
/** What the recogniser says of the box, within a pixel. */
const boxInMm = { x: box.left * MM, y: box.top * MM, width: box.width * MM, height: box.height * MM };

const drawn = async (): Promise<Buffer> => {
  const ink = (width: number, height: number) => ({
    create: { width, height, channels: 3 as const, background: '#000' },
  });
  return sharp({ create: { ...form, channels: 3, background: '#fff' } })
    .composite([
      { input: ink(box.width, box.height), left: box.left, top: box.top },
      ...specks.map(at => ({ input: ink(3, 3), ...at })),
    ])
    .withDensity(DPI)
    .png()
    .toBuffer();
};

const asked = {
  resolution: DPI,
  pageSize: 'A6',
  imageFormat: 'webp',
  recognise: { stamp: {} },
  process: { despeckle: { radius: 2 } },
};

interface Found {
  readonly findings?: { readonly stamp?: Partial<Record<keyof typeof boxInMm, number>> | null };
}

const isBox = ({ findings }: Found): boolean =>
  Object.entries(boxInMm).every(
    ([name, mm]) => Math.abs((findings?.stamp?.[name as keyof typeof boxInMm] ?? NaN) - mm) < 2 * MM,
  );

/** The darkest value where a speck is. */
async function darkestSpeck(file: Uint8Array): Promise<number> {
  const [{ left, top } = { left: 0, top: 0 }] = specks;
  // Statistics are of the image that was read, whatever is done to it.
  const speck = await sharp(file)
    .extract({ left: left - 4, top: top - 4, width: 11, height: 11 })
    .png()
    .toBuffer();
  const { channels } = await sharp(speck).stats();
  return channels[0]?.min ?? 0;
}

void t.test('a vendor’s format, recogniser and processor', async t => {
  const made = await mkdtemp(join(tmpdir(), 'platen-imaging-'));
  t.teardown(() => rm(made, { recursive: true, force: true }));
  const folder = await realpath(made);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'a-customer', private: true }));
  await install(folder, [await pack(core, folder), await pack(acme, folder)]);
  const scanner = {
    name: 'Feeder',
    feeder: true,
    resolutions: [DPI],
    colorModes: ['Grayscale'],
    tray: 'tray',
    createTray: true,
  };
  const config = {
    plugins: [
      { use: '@platen/driver-virtual', options: { scanners: [scanner] } },
      { use: '@platen/format-png' },
      { use: '@acme/platen-imaging' },
    ],
  };
  const first = await start(t, topology, { config, folder });
  const itsCore = join(folder, 'node_modules', '@platen', 'core');
  t.ok(first.log().includes(`core is file://${itsCore}`), 'its own copy of core');
  const sheet = await drawn();
  let count = 0;
  const load = ({ dataDir }: Pick<Fixture, 'dataDir'>): Promise<void> =>
    insertFile(join(dataDir, 'tray'), `${++count}.png`, sheet);
  let fixture = first;
  let restarted: Fixture | undefined;
  t.teardown(() => restarted?.stop());

  await t.test('HTTP: listed with their schemas', async t => {
    const { json } = await get<object>(fixture, '/api/twain/scanners/Feeder/capabilities?details=true');
    t.match(json, {
      capabilities: {
        details: {
          formats: [{ name: 'Png' }, { name: 'Webp', aliases: ['webp'], mimeType: 'image/webp', lossless: false }],
          recognisers: [{ kind: 'stamp', name: '@acme/platen-imaging', wishes: { properties: { unit: {} } } }],
          processors: [{ name: 'despeckle', options: { properties: { radius: { maximum: 5 } } } }],
        },
      },
    });
    const { json: document } = await get<object>(fixture, '/openapi.json');
    t.match(document, {
      components: {
        schemas: {
          StartParameters: {
            properties: {
              imageFormat: { enum: ['Png', 'Webp'] },
              recognise: { properties: { stamp: {} } },
              process: { properties: { despeckle: { properties: { radius: { maximum: 5 } } } } },
            },
          },
        },
      },
    });
  });

  await t.test('HTTP: a scan, processed before it is read and encoded', async t => {
    await load(fixture);
    const parameters = { ...asked, report: true };
    const { status, json } = await scan(fixture, parameters);
    t.equal(status, 200, JSON.stringify(json).slice(0, 300));
    const [image] = json.images;
    t.match(image, { format: 'Webp', mimeType: 'image/webp' });
    t.ok(isBox(image as object as Found), JSON.stringify((image as object as Found).findings));
    const file = fileOf(image!);
    t.match(await sharp(file).metadata(), { format: 'webp', ...form });
    const darkest = await darkestSpeck(file);
    t.ok(darkest > 200, `the specks are gone: ${darkest}`);
    t.match(
      image?.report?.filter(({ parameter }) => parameter.includes('.')),
      [
        { parameter: 'process.despeckle', requested: '{"radius":2}', result: 'emulated' },
        { parameter: 'recognise.stamp', result: 'applied' },
      ],
    );

    await load(fixture);
    const { process: _, ...unprocessed } = asked;
    const [specked] = (await scan(fixture, unprocessed)).json.images;
    t.notOk(isBox(specked as object as Found), 'with its specks, the box is larger');
    t.ok((await darkestSpeck(fileOf(specked!))) < 100);
  });

  await t.test('HTTP: what a schema does not accept moves no paper', async t => {
    await load(fixture);
    const { status, json } = await scan(fixture, { ...asked, process: { despeckle: { radius: 9 } } });
    t.equal(status, 400);
    t.match(json.error, /process\.despeckle\.radius takes an integer from 1 to 5/);
    t.equal((await scan(fixture, asked)).json.imageCount, 1, 'the sheet was still there');
  });

  await t.test('HTTP: auto-scan', async t => {
    await fixture.request('POST', '/api/twain/autoscan/enable', { body: { scannerName: 'Feeder', parameters: asked } });
    const stream = await fixture.events();
    await load(fixture);
    const [event] = await stream.come(1);
    t.match(event, { event: 'image', data: { format: 'Webp' } });
    t.ok(isBox(event?.data as Found));
    await fixture.request('POST', '/api/twain/autoscan/disable');
    await stream.ended;
  });

  await t.test('HTTP: a kept scan, also after a restart', async t => {
    await load(fixture);
    const body = { scannerName: 'Feeder', parameters: asked };
    const { json } = (await fixture.request('POST', '/api/scans', { body })) as Typed<{ id: string }>;
    const path = `/api/scans/${json.id}`;
    const read = async () => (await get<{ state: string; pages: readonly (Found & object)[] }>(fixture, path)).json;
    await until(async () => (await read()).state === 'completed');
    t.ok(isBox((await read()).pages[0] ?? {}));
    fixture.signal('SIGTERM');
    await fixture.ended;
    fixture = await fixture.again();
    restarted = fixture;
    const { state, pages } = await read();
    t.match({ state, pages }, { state: 'completed', pages: [{ format: 'Webp', mimeType: 'image/webp' }] });
    t.ok(isBox(pages[0] ?? {}));
    await fixture.request('DELETE', path);
  });

  const flags = [
    '--dpi',
    String(DPI),
    '--size',
    'A6',
    '--process',
    'despeckle:radius=2',
    '--recognise',
    'stamp:unit=px',
  ];
  const written = async (t: Test, dataDir: string): Promise<void> => {
    const cwd = await mkdtemp(join(folder, 'out-'));
    const env = { PLATEN_DATA_DIR: dataDir };
    const args = ['scan', '--config', join(folder, 'platen.json'), '--scanner', 'Feeder', ...flags];
    const { code, out, log } = await platen([...args, '--out', 'page-%d.webp'], { env, cwd }).ended;
    t.equal(code, 0, log);
    t.match(out, /^page-1\.webp\n {2}stamp \{"x":1\d\d,"y":(?:299|30\d),/);
    const file = await readFile(join(cwd, 'page-1.webp'));
    t.match(await sharp(file).metadata(), { format: 'webp', ...form });
    const darkest = await darkestSpeck(file);
    t.ok(darkest > 200, `the specks are gone: ${darkest}`);
    t.same(await readdir(cwd), ['page-1.webp']);
    const wrong = await platen([...args, '--out', 'page.gif'], { env, cwd }).ended;
    t.match(wrong, { code: 2, log: /\.gif.*\.png, \.webp/ });
    const never = await platen([...args, '--process', 'sharpen', '--out', 'a.png'], { env, cwd }).ended;
    t.match(never, { code: 2, log: /--process takes despeckle: sharpen is not loaded/ });
  };

  await t.test('page: offered, chosen and shown', async t => {
    if (!needs(t, 'chromium')) return;
    await load(fixture);
    const { page, problems } = await openApp(await launch(t), fixture);
    await choose(page, 'Feeder');
    await page.getByLabel('File format').selectOption({ label: 'WEBP' });
    await page.getByLabel('Page size').selectOption({ label: 'A6 105 × 148 mm' });
    for (const name of ['despeckle', 'stamp']) await page.getByRole('switch', { name }).check();
    await page.locator('#scan:enabled').click();
    await untilPages(page, 1);
    await untilIdle(page);
    const facts = page.locator('#facts');
    t.match(await facts.textContent(), /Findings.*stamp.*"width":/s);
    t.notMatch(await facts.textContent(), /despeckle/, 'what was done as requested is not worth a word');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^Save/ }).first().click(),
    ]);
    t.match(download.suggestedFilename(), /\.webp$/);
    t.match(await sharp(await readFile(await download.path())).metadata(), { format: 'webp' });
    await page.reload();
    await choose(page, 'Feeder');
    t.ok(await page.getByRole('switch', { name: 'despeckle' }).isChecked(), 'remembered');
    t.same(problems, []);
    await page.context().close();
  });

  await t.test('command line: through the service', async t => {
    await load(fixture);
    await written(t, fixture.dataDir);
  });

  await t.test('command line: without a service', async t => {
    const dataDir = join(folder, 'own');
    await mkdir(join(dataDir, 'tray'), { recursive: true, mode: 0o700 });
    // The mark of a data folder: it holds the tray before Platen sees it.
    await writeFile(join(dataDir, 'platen-data-folder'), '');
    await load({ dataDir });
    await written(t, dataDir);
  });
});

async function scan(fixture: Fixture, parameters: object): Promise<Typed<ScanJson & { error: string }>> {
  const body = { scannerName: 'Feeder', parameters };
  return (await fixture.request('POST', '/api/twain/scan', { body })) as Typed<ScanJson & { error: string }>;
}
