/**
 * A new format, recogniser, processor and document format of a vendor, packed and installed beside one service, and
 * used by one scan over HTTPS. `kinds.long.test.ts` tries each by itself.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import sharp from 'sharp';
import t from 'tap';
import { install, pack } from '../plugins/npm.js';
import { fileOf, get, until, type ScanJson, type Typed } from '../spec/calls.js';
import { start } from '../spec/specTest.js';
import type { Fixture } from '../topology/topology.js';
import { insertFile, virtualTopology as topology } from '../topology/virtualTopology.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const core = join(root, 'core');
const createDriver = join(root, 'drivers', 'create', 'bin', 'createDriver.mjs');
const kinds = ['format', 'recogniser', 'processor', 'document'] as const;

/** The formatter of tests must not be the vendor's: these are variables of the runner. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(NODE_|_?TAP)/.test(name)));
const node = (cwd: string, ...args: string[]) => run(process.execPath, args, { cwd, env });

const DPI = 75;
const MM = 25.4 / DPI;
/** Of the form on the sheet, in pixels: A6 with a tick that fills its box, and specks of 2 by 2 pixels. */
const form = { width: 310, height: 437 };
const tick = { left: 180, top: 300, width: 90, height: 60 };
const speck = { left: 20, top: 30 };

const mm = ({ left, top, width, height }: typeof tick) => ({
  x: left * MM,
  y: top * MM,
  width: width * MM,
  height: height * MM,
});
const asked = {
  resolution: DPI,
  pageSize: 'A6',
  imageFormat: 'Qoi',
  recognise: {
    ticks: {
      boxes: [
        { name: 'yes', ...mm(tick) },
        // In the speck's corner: it is gone before anything is read.
        { name: 'no', ...mm({ left: 15, top: 25, width: 12, height: 12 }) },
      ],
      least: 0.001,
    },
  },
  process: { 'remove-specks': { size: 3 } },
};

const drawn = (): Promise<Buffer> => {
  const ink = (width: number, height: number) => ({
    create: { width, height, channels: 3 as const, background: '#000' },
  });
  return sharp({ create: { ...form, channels: 3, background: '#fff' } })
    .composite([
      { input: ink(tick.width, tick.height), left: tick.left, top: tick.top },
      { input: ink(2, 2), ...speck },
    ])
    .withDensity(DPI)
    .png()
    .toBuffer();
};

interface Found {
  readonly findings?: { readonly ticks?: readonly { readonly name: string; readonly ink: number }[] | null };
}

const ticked = ({ findings }: Found): readonly string[] | undefined => findings?.ticks?.map(({ name }) => name);

t.setTimeout(600_000);

void t.test('the packages of a vendor who follows the guide', { timeout: 600_000 }, async t => {
  const made = await mkdtemp(join(tmpdir(), 'platen-kinds-'));
  t.teardown(() => rm(made, { recursive: true, force: true }));
  const folder = await realpath(made);
  const archives: string[] = [];
  for (const kind of kinds) {
    const own = join(folder, `a-${kind}`);
    await node(folder, createDriver, `@acme/a-${kind}`, '--kind', kind, '--no-licence', '--yes');
    await symlink(join(root, 'node_modules'), join(own, 'node_modules'), 'junction');
    await node(own, join(root, 'node_modules', 'typescript', 'bin', 'tsc'));
    archives.push(await pack(own, folder));
  }

  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'a-customer', private: true }));
  await install(folder, [await pack(core, folder), ...archives]);
  const scanner = { name: 'Feeder', feeder: true, resolutions: [DPI], tray: 'tray', createTray: true };
  const config = {
    plugins: [
      { use: '@platen/driver-virtual', options: { scanners: [scanner] } },
      { use: '@platen/format-png' },
      ...kinds.map(kind => ({ use: `@acme/a-${kind}` })),
    ],
  };
  const fixture = await start(t, topology, { config, folder });
  const sheet = await drawn();
  let count = 0;
  const load = () => insertFile(join(fixture.dataDir, 'tray'), `${++count}.png`, sheet);

  await t.test('one scan: in the format, with the findings, after the processor', async t => {
    await load();
    const { status, json } = await scan(fixture, asked);
    t.equal(status, 200, JSON.stringify(json).slice(0, 300));
    const [image] = json.images;
    t.match(image, { format: 'Qoi', mimeType: 'image/qoi' });
    t.equal(fileOf(image).toString('latin1', 0, 4), 'qoif');
    t.same(ticked(image as object as Found), ['yes']);

    await load();
    const { process: _, ...unprocessed } = asked;
    const [specked] = (await scan(fixture, unprocessed)).json.images;
    t.same(ticked(specked as object as Found), ['yes', 'no'], 'without the processor, the speck is ink');
  });

  await t.test('what a schema does not accept: refused with the name of the field', async t => {
    const wrong = { ...asked, process: { 'remove-specks': { size: 9 } } };
    t.match(await scan(fixture, wrong), { status: 400, json: { error: /process\.remove-specks\.size/ } });
    const unnamed = { ...asked, recognise: { ticks: { boxes: [{ x: 1, y: 1, width: 1, height: 1 }] } } };
    t.match(await scan(fixture, unnamed), { status: 400, json: { error: /recognise\.ticks\.boxes.*name/ } });
  });

  await t.test('a kept scan: its pages, in the vendor’s format, become the vendor’s document', async t => {
    await load();
    const body = { scannerName: 'Feeder', parameters: asked };
    const { json } = (await fixture.request('POST', '/api/scans', { body })) as Typed<{ id: string }>;
    const path = `/api/scans/${json.id}`;
    await until(async () => (await get<{ state: string }>(fixture, path)).json.state === 'completed');
    const document = await fixture.request('GET', `${path}/document?format=cbz&rotate=1:90&title=Forms`);
    t.match(document, {
      status: 200,
      headers: {
        'content-type': 'application/vnd.comicbook+zip',
        'content-disposition': /filename="Forms\.cbz"/,
      },
    });
    t.match(document.bytes.toString('latin1'), /<Title>Forms<\/Title>/);
    const page = document.bytes.subarray(document.bytes.indexOf('\x89PNG', 'latin1'));
    const { data, info } = await sharp(page).greyscale().raw().toBuffer({ resolveWithObject: true });
    t.match(info, { width: form.height, height: form.width }, 'turned');
    const at = (x: number, y: number) => data[y * info.width + x];
    const [x, y] = [form.height - 1 - (tick.top + 10), tick.left + 10];
    t.equal(at(x, y), 0, 'the tick, turned clockwise');
    t.equal(at(form.height - 1 - speck.top, speck.left), 255, 'the speck is gone');
  });
});

async function scan(fixture: Fixture, parameters: object): Promise<Typed<ScanJson & { error: string }>> {
  const body = { scannerName: 'Feeder', parameters };
  return (await fixture.request('POST', '/api/twain/scan', { body })) as Typed<ScanJson & { error: string }>;
}
