/**
 * A vendor's driver and document format: packed, installed outside the repository with their own copy of core,
 * configured, and scanned with.
 */
import { lstat, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import t from 'tap';
import { fileOf, get, type ScanJson, type Typed } from '../spec/calls.js';
import { start } from '../spec/specTest.js';
import { platen } from '../topology/platen.js';
import type { Fixture } from '../topology/topology.js';
import { virtualTopology as topology } from '../topology/virtualTopology.js';
import { install, packAll } from './npm.js';

const core = fileURLToPath(new URL('.', import.meta.resolve('@platen/core/package.json')));
const fixtures = new URL('../../plugins/fixtures/', import.meta.url);
const acme = fileURLToPath(new URL('acme-driver/', fixtures));
const acmeDocument = fileURLToPath(new URL('acme-document/', fixtures));

const feeders = [
  { name: 'ACME feeder', sheets: 3 },
  { name: 'ACME jammer', sheets: 3, fault: 'paper-jam' },
  { name: 'ACME taken', refuses: 'busy' },
  { name: 'ACME odd', fault: 'no-such-code' },
];
const config = {
  plugins: [
    { use: '@acme/platen-driver', options: { feeders } },
    { use: '@platen/format-png' },
    { use: '@acme/platen-document' },
  ],
};

void t.test('a vendor’s driver', async t => {
  const made = await mkdtemp(join(tmpdir(), 'platen-vendor-'));
  t.teardown(() => rm(made, { recursive: true, force: true }));
  const folder = await realpath(made);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'a-customer', private: true }));
  await install(folder, await packAll([core, acme, acmeDocument], folder));
  const itsCore = join(folder, 'node_modules', '@platen', 'core');
  t.ok((await lstat(itsCore)).isDirectory(), 'its own copy of core, not a link to ours');

  const fixture = await start(t, topology, { config, folder });
  t.ok(fixture.log().includes(`core is file://${itsCore}`), 'the copy that it uses');

  await t.test('plugin list: its version and contributions', async t => {
    await mkdir(join(folder, 'data'), { mode: 0o700 });
    const { code, out } = await platen(['plugins', 'list', '--config', join(folder, 'platen.json')], {
      env: { PLATEN_DATA_DIR: join(folder, 'data') },
    }).ended;
    t.equal(code, 0, out);
    t.match(out, /^loaded\s+@acme\/platen-driver 2\.3\.4\s+driver acme$/m);
    t.match(out, /^loaded\s+@acme\/platen-document 1\.2\.0\s+document Archive$/m);
  });

  await t.test('scanners: listed with their capabilities', async t => {
    const { json } = await get<{ scanners: object[] }>(fixture, '/api/twain/scanners');
    t.equal(json.scanners.length, feeders.length);
    t.match(json.scanners[0], { name: 'ACME feeder', manufacturer: 'ACME', model: 'Paperpress 9', hasFeeder: true });
    const { json: answer } = await get<object>(fixture, '/api/twain/scanners/ACME%20feeder/capabilities');
    t.match(answer, { capabilities: { resolutions: [100, 200], colorModes: ['Grayscale'], supportsDuplex: false } });
  });

  await t.test('scan: over HTTPS, succeeds', async t => {
    const { status, json } = await scanOn(fixture, 'ACME feeder');
    t.equal(status, 200);
    t.equal(json.imageCount, 3);
    for (const [at, image] of json.images.entries()) {
      t.match(image, {
        pageNumber: at + 1,
        resolution: 100,
        width: Math.round((105 / 25.4) * 100),
        height: Math.round((148 / 25.4) * 100),
      });
      const { channels } = await sharp(fileOf(image)).stats();
      t.match(channels[0], { min: (at + 1) * 10, max: (at + 1) * 10 }, 'its pixels');
    }
  });

  await t.test('document: a scan in the vendor’s format, asked for by an alias in capitals', async t => {
    const { status, json } = (await fixture.request('POST', '/api/scans', {
      body: { scannerName: 'ACME feeder', parameters: { resolution: 100, pageSize: 'A6' } },
    })) as Typed<{ id: string }>;
    t.equal(status, 201);
    const path = `/api/scans/${json.id}/document?format=ACM&pages=3,1&rotate=1:90&title=Letters`;
    const document = await fixture.request('GET', path);
    t.match(document, {
      status: 200,
      headers: { 'content-type': 'application/x-acme-archive', 'content-disposition': /filename="Letters\.acme"/ },
    });
    const { pages, end } = readArchive(document.bytes);
    t.match(pages, [
      { pageNumber: 3, dpi: 100, mimeType: 'image/png', turn: 0 },
      { pageNumber: 1, dpi: 100, mimeType: 'image/png', turn: 90 },
    ]);
    t.same(end, { count: 2, title: 'Letters' });
    for (const { pageNumber, file } of pages)
      t.equal((await sharp(file).stats()).channels[0]?.max, pageNumber * 10, `page ${pageNumber}, its pixels`);
  });

  await t.test('errors: created by its own copy of core, keep their code', async t => {
    const jam = await scanOn(fixture, 'ACME jammer');
    t.equal(jam.status, 500);
    t.match(jam.json, {
      success: false,
      status: 'PaperJam',
      error: 'ACME reports paper-jam at sheet 2.',
      imageCount: 1,
    });
    const taken = await scanOn(fixture, 'ACME taken');
    t.match(taken, { status: 409, json: { success: false, error: 'ACME taken is in use by another program.' } });
  });

  await t.test('errors: unknown code, driver-failed', async t => {
    const odd = await scanOn(fixture, 'ACME odd');
    t.equal(odd.status, 500);
    t.match(odd.json, { success: false, status: 'DriverFailed', error: /ACME reports no-such-code/, imageCount: 1 });
    t.equal((await scanOn(fixture, 'ACME feeder')).status, 200, 'the service continues');
  });
});

async function scanOn(fixture: Fixture, scannerName: string): Promise<Typed<ScanJson>> {
  const body = { scannerName, parameters: { resolution: 100, pageSize: 'A6' } };
  return (await fixture.request('POST', '/api/twain/scan', { body })) as Typed<ScanJson>;
}

interface ArchivePage {
  readonly pageNumber: number;
  readonly size: number;
  readonly file: Buffer;
}

/** What the vendor's document format writes. */
function readArchive(bytes: Buffer): { pages: ArchivePage[]; end: unknown } {
  const pages: ArchivePage[] = [];
  for (let at = 0; ;) {
    const start = bytes.indexOf('\n', at) + 1;
    const read = JSON.parse(bytes.toString('utf8', at, start)) as ArchivePage | { readonly count: number };
    if ('count' in read) return { pages, end: read };
    at = start + read.size;
    pages.push({ ...read, file: bytes.subarray(start, at) });
  }
}
