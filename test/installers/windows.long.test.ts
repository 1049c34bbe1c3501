/**
 * The MSI on Windows (Wine): installed without a question, scans TWAIN's test sources over HTTPS, removed with nothing
 * left. Between: plugins of a bundle, licences and small files beside the running service, an update with a plugin beside it, a repair, a removal that leaves the data, an installation that finds
 * them, and a file that is missing at the removal.
 */
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { needs } from '@platen/conformance';
import { firstWrongRow } from '@platen/driver-twain-windows/picture';
import { needsWine, sourceName } from '@platen/driver-twain-windows/wine';
import sharp from 'sharp';
import t from 'tap';
import { fileOf, until, type ScanJson } from '../spec/calls.js';
import { request } from '../topology/client.js';
import { untilListed } from '../twain/windows.js';
import { logText, openDesk, valueOf, without, type Desk } from './windowsDesk.js';
import { features, fleetFiles, walkFleet } from './windowsFleet.js';
import { buildMsi, laterCode, laterNumber, laterVersion } from './windowsMsi.js';

/** TWAIN's TWPT_RGB. */
const RGB = 2;

/** A start of the service, in its log. */
interface Start {
  /** Its first line. */
  readonly line: string;
  readonly port: number;
}

/** The service's newest start, as soon as it listens. @param before the one that it replaces */
async function startOf(desk: Desk, before?: Start): Promise<Start> {
  const log = join(desk.drive, 'ProgramData', 'Platen', 'logs', 'service.log');
  let found: Start | undefined;
  await until(async () => {
    const newest =
      logText(log)
        .split(/^(?=\S+ windows: Started process)/m)
        .at(-1) ?? '';
    const [line = ''] = newest.split('\n');
    const port = / listens on https:\/\/localhost:(\d+)/.exec(newest)?.[1];
    if (port !== undefined && line !== before?.line) found = { line, port: Number(port) };
    return found !== undefined;
  });
  return found!;
}

const runKey = 'HKEY_LOCAL_MACHINE\\Software\\Microsoft\\Windows\\CurrentVersion\\Run';

const uninstallKey = 'HKEY_LOCAL_MACHINE\\Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall';

if (needsWine(t) && needs(t, 'msibuild') && needs(t, 'gcab')) {
  t.test('the MSI on Windows', { timeout: 600_000 }, async t => {
    const work = await mkdtemp(join(tmpdir(), 'platen-msi-'));
    t.teardown(() => rm(work, { recursive: true, force: true }));
    const took = stopwatch(said => t.comment(said));
    const msi = await buildMsi(work);
    took('build');
    const desk = await openDesk();
    t.teardown(() => desk.dispose());
    const { wine, drive } = desk;
    const programs = join(drive, 'Program Files', 'Platen');
    const settings = join(drive, 'ProgramData', 'Platen');
    const certificate = join(settings, 'data', 'certificate', 'cert.pem');
    const successor = join(settings, 'data', 'certificate', 'cert-2.pem');
    const msiexec = (...more: string[]): Promise<number> => desk.run('msiexec', '/qn', ...more);
    const uninstallKeys = (): Promise<ReadonlySet<string>> => desk.keys(uninstallKey);

    // Another program that starts with a session.
    t.equal(await desk.run('reg', 'add', runKey, '/v', 'Other', '/d', 'other.exe'), 0);
    const bare = await desk.list();
    // An administrator's own configuration is there before.
    await mkdir(settings);
    const shipped = fileURLToPath(new URL('config/platen.json', import.meta.resolve('@platen/server/package.json')));
    const config = JSON.stringify({ ...(JSON.parse(await readFile(shipped, 'utf8')) as object), listen: { port: 0 } });
    await writeFile(join(settings, 'platen.json'), config);
    took('list');

    t.equal(await msiexec('/i', wine.path(msi)), 0, 'installed');
    took('installation');
    const first = await startOf(desk);
    took('start of the service');
    const trustedBefore = [await desk.trust(certificate), await desk.trust(successor)];
    const line = valueOf(await desk.keys(runKey), runKey, 'Platen');
    const desktop = desk.start(line, { PLATEN_TWAIN_STATE: wine.path(join(work, 'state')) });
    const ended = once(desktop, 'exit');

    await t.test('a scan over HTTPS, with the desktop application that the Run key starts', async t => {
      await untilListed(first.port);
      for (const bits of [64, 32] as const) {
        await writeFile(join(work, 'state'), 'sheets=2\n');
        const { status, text, json } = await request(first.port, 'POST', '/api/twain/scan', {
          body: {
            scannerName: sourceName(bits),
            parameters: { resolution: 75, pageSize: 'A5', imageFormat: 'Png', colorMode: 'Color' },
          },
        });
        t.equal(status, 200, text.slice(0, 500));
        const { images } = json as ScanJson;
        t.equal(images.length, 2, 'both sheets');
        for (const [at, image] of images.entries()) {
          const raw = sharp(fileOf(image)).toColourspace('srgb').raw();
          const { data, info } = await raw.toBuffer({ resolveWithObject: true });
          t.equal(info.channels, 3);
          const page = {
            width: info.width,
            height: info.height,
            pixels: 'rgb24',
            stride: 3 * info.width,
            data,
          } as const;
          t.equal(firstWrongRow(page, { sheet: at + 1, side: 0 }, RGB), -1, `page ${at + 1} of ${bits} bits`);
        }
      }
    });
    took('scans');
    await t.test('a bundle in plugins.d, a licence, and files in conf.d, without a restart', t =>
      walkFleet(t, desk, first.port, work),
    );
    took('plugins');
    const isKept = { barcodes: { available: false }, recognisers: /stamps/ };

    const trusted = await readFile(certificate, 'utf8');
    const later = await laterVersion(msi, work);
    await t.test('an update, with a plugin beside it', async t => {
      const plugin = join(programs, 'plugins', 'node_modules', 'acme', 'package.json');
      await mkdir(join(plugin, '..'), { recursive: true });
      await writeFile(plugin, '{}');
      t.equal(await msiexec('/i', wine.path(later)), 0);
      t.same(await ended, [0, null], 'the desktop application ended before its files changed');
      const { port } = await startOf(desk, first);
      t.equal(await readFile(plugin, 'utf8'), '{}', 'the plugin is there');
      t.match(await features(port), isKept, 'and that of a bundle, with its licence');
      t.equal(await readFile(join(settings, 'platen.json'), 'utf8'), config, 'the configuration is unchanged');
      t.equal(await readFile(certificate, 'utf8'), trusted, 'the certificate is the same');
      const updated = await uninstallKeys();
      t.equal(valueOf(updated, `${uninstallKey}\\${laterCode}`, 'DisplayVersion'), laterNumber);
      const named = [...updated].filter(
        each => each.startsWith(`[${uninstallKey}\\`) && each.endsWith('] "DisplayName"="Platen"'),
      );
      t.equal(named.length, 1, 'one product');
      // Wine's exit codes have 8 bits: 1603, a failed installation.
      t.equal(await msiexec('/i', wine.path(msi)), 1603 & 0xff, 'an older version is rejected');
    });

    await t.test('a repair', async t => {
      const lost = [
        join(programs, 'node_modules', '@platen', 'server', 'bin', 'platen.cjs'),
        join(programs, 'platen.cmd'),
      ];
      const contents = await Promise.all(lost.map(file => readFile(file, 'utf8')));
      for (const file of lost) await rm(file);
      t.equal(await desk.run('reg', 'delete', runKey, '/v', 'Platen', '/f'), 0);
      // What /fa does; Wine's msiexec has not got it.
      t.equal(await msiexec('/i', wine.path(later), 'REINSTALL=ALL', 'REINSTALLMODE=amus'), 0);
      t.same(await Promise.all(lost.map(file => readFile(file, 'utf8'))), contents, 'files');
      t.equal(valueOf(await desk.keys(runKey), runKey, 'Platen'), line, 'the Run key');
      t.equal(await readFile(join(settings, 'platen.json'), 'utf8'), config, 'the configuration is kept');
    });

    await t.test('a removal', async t => {
      t.equal(await msiexec('/x', laterCode), 0);
      const after = await desk.list();
      const left = without(after.files, bare.files);
      const kept = /^\/(?:ProgramData\/Platen\/data|Program Files\/Platen(?:$|\/plugins))(?:\/|$)/;
      t.same(
        left.filter(path => !kept.test(path)),
        ['', ...fleetFiles.map(path => `/${path}`), '/platen.json'].map(path => `/ProgramData/Platen${path}`),
        'the own configuration, and licences',
      );
      t.ok(left.includes('/Program Files/Platen/plugins/node_modules/acme/package.json'), 'plugins stay');
      t.equal(await readFile(certificate, 'utf8'), trusted, 'data stays');
      t.same(without(after.registry, bare.registry), [], 'registry: service, Run key, PATH, product');
      t.same(without(bare.registry, after.registry), [], 'nothing else is gone from it');
      t.same(without(bare.files, after.files), [], 'nor a file');
      t.notOk(
        trustedBefore.some(sha1 => after.certificates.has(sha1)),
        'the certificates are not trusted any more',
      );
    });

    await t.test('an installation that finds the data', async t => {
      t.equal(await msiexec('/i', wine.path(msi)), 0);
      t.equal(await readFile(certificate, 'utf8'), trusted, 'with the certificate that was there');
      t.match(await features((await startOf(desk)).port), isKept, 'with its plugin and licence');
      for (const each of [certificate, successor]) await desk.trust(each);
    });
    // The removal takes out as much of a damaged installation.
    await rm(join(programs, 'node_modules', '@platen', 'server', 'bin', 'platen.cjs'));

    await t.test('a removal with its data', async t => {
      t.equal(await msiexec('/x', wine.path(msi), 'REMOVEDATA=1'), 0);
      t.same(await ended, [0, null], 'the desktop application ended');
      took('removal');
      const after = await desk.list();
      t.same(without(after.files, bare.files), [], 'files');
      t.same(without(after.registry, bare.registry), [], 'registry: service, Run key, PATH, product');
      t.same(without(bare.registry, after.registry), [], 'nothing else is gone from it');
      t.same(without(bare.files, after.files), [], 'nor a file');
      t.notOk(
        trustedBefore.some(sha1 => after.certificates.has(sha1)),
        'the certificates are not trusted any more',
      );
      took('list');
    });
  });
}

/** @returns what says how long it was since its last call */
function stopwatch(say: (sentence: string) => void): (what: string) => void {
  let since = Date.now();
  return what => {
    say(`${what}: ${((Date.now() - since) / 1000).toFixed(1)} s`);
    since = Date.now();
  };
}
