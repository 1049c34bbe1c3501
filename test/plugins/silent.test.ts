/**
 * A driver that never finishes its discovery, in the service and isolated: other drivers' scanners are listed; the log
 * and the doctor name it.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { get, scan, until, type ScanJson } from '../spec/calls.js';
import { start } from '../spec/specTest.js';
import { platen } from '../topology/platen.js';
import { sheets } from '../topology/sheets.js';
import { virtualTopology as topology } from '../topology/virtualTopology.js';

const silent = fileURLToPath(new URL('../../plugins/fixtures/silent-driver', import.meta.url));
const virtual = { use: '@platen/driver-virtual', options: { scanners: [{ name: 'Slow feeder', tray: 'trays/slow' }] } };

for (const isolate of [false, true]) {
  t.test(
    `driver that never answers, ${isolate ? 'isolated' : 'in the service'}: named in the log, and the other scanners work`,
    async t => {
      const fixture = await start(t, topology, {
        config: { plugins: [{ use: silent, isolate }, virtual, { use: '@platen/format-png' }] },
      });
      const list = await get<{ scanners: { name: string; isOnline: boolean }[] }>(fixture, '/api/twain/scanners');
      t.same(
        list.json.scanners.map(({ name, isOnline }) => [name, isOnline]),
        [['Slow feeder', true]],
      );
      const named = () => fixture.log().includes('acme-silent');
      // The log names it after 3 s of that search; only the test's time limit ends the wait.
      await until(async () => named());
      t.match((await get<{ scannerStatus: object }>(fixture, '/api/twain/status')).json.scannerStatus, {
        isOnline: true,
      });
      await fixture.load('slow', sheets(1));
      const { status, json } = await scan(fixture, 'slow', { resolution: 75 });
      t.match([status, (json as ScanJson).status, json.imageCount], [200, 'Success', 1]);

      // It asks the service, whichever process has the driver.
      if (isolate) return;
      const folder = await mkdtemp(join(tmpdir(), 'platen-silent-'));
      t.teardown(() => rm(folder, { recursive: true, force: true }));
      const file = join(folder, 'platen.json');
      await writeFile(file, JSON.stringify({ plugins: [] }), { mode: 0o600 });
      const { out } = await platen(['doctor', '--config', file, '--json', '--port', String(fixture.port)], {
        env: { PLATEN_DATA_DIR: fixture.dataDir, HOME: folder },
      }).ended;
      const { findings } = JSON.parse(out) as { findings: { id: string; state: string; sentence: string }[] };
      t.match(
        findings.find(({ id }) => id === 'scanners'),
        { state: 'failed', sentence: /acme-silent/ },
      );
    },
  );
}
