/**
 * Four scanners of three drivers at once: two of SANE's `test` backend, a network scanner and a virtual one. Each page is
 * byte for byte what it is when its scanner scans alone, also beside one whose helper is killed.
 */
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDevice } from '@platen/driver-escl/testing';
import sharp from 'sharp';
import type { Test } from 'tap';
import { processes } from '../isolate/processes.js';
import { sha256, type ScanResource } from '../spec/scanCalls.js';
import { plugin as sane, SHEETS, TESTER, useTestBackend } from '../sane/testBackend.js';
import { installCertificate } from '../topology/certificate.js';
import { request } from '../topology/client.js';
import { untilListed } from '../topology/fixture.js';
import { until } from '../spec/calls.js';
import { serve } from '../topology/platen.js';
import { needsSane } from '../topology/saneTopology.js';
import { drawSide, type Ink } from '../topology/sheets.js';
import { insertFile } from '../topology/virtualTopology.js';

const parameters = { resolution: 75, colorMode: 'Color', imageFormat: 'Jpeg', pageSize: 'A5' } as const;
const inksOfStack: readonly Ink[] = [1, 2, 3, 4, 5, 6, 7];
const NETWORK = 'Network feeder';
const VIRTUAL = 'Virtual feeder';

/** @param pages of each scanner; SANE's have ten sheets whenever they are opened */
export async function sideBySide(t: Test, pages: number): Promise<void> {
  if (!needsSane(t)) return;
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-side-by-side-'));
  t.teardown(() => rm(dataDir, { recursive: true, force: true }));
  await writeFile(join(dataDir, 'platen-data-folder'), '');
  await installCertificate(dataDir, 'valid');
  await useTestBackend(dataDir, ['test-picture "Color pattern"', 'number_of_devices 2']);
  const tray = join(dataDir, 'trays', 'a');
  await mkdir(tray, { recursive: true });
  const device = await startDevice({ model: NETWORK });
  t.teardown(() => device.close());
  const plugins = [
    sane,
    { use: '@platen/driver-escl', options: { devices: [device.url], discovery: false } },
    { use: '@platen/driver-virtual', options: { scanners: [{ name: VIRTUAL, tray: 'trays/a' }] } },
    { use: '@platen/format-jpeg' },
  ];
  const config = join(dataDir, 'platen.json');
  await writeFile(config, JSON.stringify({ plugins }), { mode: 0o600 });
  const { port, pid, signal, ended } = await serve(['--config', config], {
    env: { PLATEN_DATA_DIR: dataDir, PLATEN_PORT: '0' },
  });
  t.teardown(() => (signal('SIGTERM'), ended));
  const call = (method: string, path: string, body?: object) =>
    request(port, method, path, body === undefined ? {} : { body });

  const drawn = await Promise.all(inksOfStack.map(ink => drawSide(ink)));
  const encoded = await Promise.all(drawn.map(side => sharp(side).jpeg().toBuffer()));
  const nth = <T>(all: readonly T[], at: number): T => all[at % all.length]!;
  const load: Readonly<Record<string, () => Promise<void>>> = {
    [NETWORK]: () => device.insert(Array.from({ length: pages }, (_, at) => ({ front: nth(encoded, at) }))),
    async [VIRTUAL]() {
      for (let at = 0; at < pages; at++)
        await insertFile(tray, `${String(at).padStart(4, '0')}.front.png`, nth(drawn, at));
    },
  };

  /** Whose driver failed. */
  const lost: string[] = [];
  /** Digests of what the client got, until the scan ends in a way that nothing follows. */
  async function scanned(name: string, onPage?: () => void): Promise<string[]> {
    const got: string[] = [];
    await load[name]?.();
    const started = await call('POST', '/api/scans', { scannerName: name, parameters });
    t.equal(started.status, 201, name);
    const path = `/api/scans/${(started.json as ScanResource).id}`;
    let isLost = false;
    while (got.length < pages && !isLost) {
      const page = await call('GET', `${path}/pages/${got.length + 1}?wait=60`);
      if (page.status === 200) {
        got.push(sha256(page.bytes));
        onPage?.();
      } else {
        const { state, code } = await scan(path);
        isLost = code === 'driver-failed';
        if (isLost) lost.push(name);
        if (state !== 'running' && !isLost) t.equal((await call('POST', `${path}/continue`)).status, 200, name);
      }
    }
    while ((await scan(path)).state === 'running') await call('GET', `${path}/pages/${pages + 1}?wait=60`);
    if (!isLost) t.match(await call('GET', path), { json: { state: 'completed', pageCount: pages } }, name);
    t.equal((await call('DELETE', path)).status, 200);
    return got;
  }
  const scan = async (path: string): Promise<ScanResource> => (await call('GET', path)).json as ScanResource;

  await untilListed(port, [NETWORK, VIRTUAL, TESTER]);
  // SANE tells its two one after the other.
  let names: readonly string[] = [];
  await until(async () => {
    const { json } = await call('GET', '/api/twain/scanners');
    names = (json as { scanners: readonly { name: string }[] }).scanners.map(each => each.name);
    return names.length >= 4;
  });
  t.equal(names.length, 4, names.join(', '));
  const testers = names.filter(name => name.startsWith(TESTER));
  t.equal(testers.length, 2);
  t.equal(pages % SHEETS, 0);
  const alone = new Map<string, readonly string[]>();
  for (const name of names) alone.set(name, await scanned(name));
  const together = await Promise.all(names.map(async name => ({ name, got: await scanned(name) })));
  for (const { name, got } of together) t.same(got, alone.get(name), name);
  t.same(lost, []);

  // One that is closing loses nothing: SANE's scan until one is lost. What a killed one had sent still comes.
  const since = new Map(testers.map(name => [name, Infinity]));
  let kills = 0;
  let killing: Promise<void> | undefined;
  const kill = async (): Promise<void> => {
    const helper = (await processes()).find(({ parent, command }) => parent === pid && command.includes('sane'));
    if (!helper || lost.length > 0) return;
    process.kill(helper.pid, 'SIGKILL');
    kills++;
    testers.forEach(name => since.set(name, 0));
  };
  const harm = (name: string): void => {
    since.set(name, since.get(name)! + 1);
    if ([...since.values()].every(count => count > SHEETS)) killing ??= kill().finally(() => (killing = undefined));
  };
  await Promise.all(
    names.map(async name => {
      const isHarmed = testers.includes(name);
      do {
        const got = await scanned(name, isHarmed ? () => harm(name) : undefined);
        t.same(got, alone.get(name)!.slice(0, got.length), `${name}, beside one whose helper is killed`);
      } while (isHarmed && lost.length === 0);
    }),
  );
  t.ok(lost.length <= kills && lost.every(name => testers.includes(name)), `${kills} killed; lost: ${lost.join(', ')}`);
}
