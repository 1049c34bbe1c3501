/** A SANE backend that crashes in its search, in a service: the other scanners work, log and doctor name the backend. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { logged } from '../spec/calls.js';
import { installCertificate } from '../topology/certificate.js';
import { request } from '../topology/client.js';
import { platen, serve } from '../topology/platen.js';
import { needsSane } from '../topology/saneTopology.js';
import { plugin, SHEETS, TESTER, useTestBackend } from './testBackend.js';

if (needsSane(t)) {
  t.test('a backend that crashes in the search: the others are listed online and scan; it is named', async t => {
    const own = await mkdtemp(join(tmpdir(), 'platen-bad-'));
    t.teardown(() => rm(own, { recursive: true, force: true }));
    const [dataDir, config] = [join(own, 'data'), join(own, 'platen.json')];
    await mkdir(dataDir, { mode: 0o700 });
    await installCertificate(dataDir, 'valid');
    await useTestBackend(dataDir);
    await writeFile(join(dataDir, 'sane', 'dll.conf'), 'test\nbad\n');
    await writeFile(join(own, 'breaks'), 'crash');
    await writeFile(config, JSON.stringify({ plugins: [plugin, { use: '@platen/format-png' }] }), { mode: 0o600 });
    const source = new URL('fixtures/bad.c', import.meta.resolve('@platen/driver-sane/package.json'));
    execFileSync('cc', ['-shared', '-fPIC', '-o', join(own, 'libsane-bad.so.1'), fileURLToPath(source)]);
    const env = { PLATEN_DATA_DIR: dataDir, PLATEN_PORT: '0', LD_LIBRARY_PATH: own, BAD_FOLDER: own, HOME: own };
    const service = await serve(['--config', config], { env });
    t.teardown(async () => {
      service.signal('SIGTERM');
      await service.ended;
    });

    interface Listed {
      readonly scanners: readonly { readonly name: string; readonly isOnline: boolean }[];
    }
    const list = async () => ((await request(service.port, 'GET', '/api/twain/scanners')).json as Listed).scanners;
    while (!(await list()).some(({ isOnline }) => isOnline)) await pause(50);
    t.match(await list(), [{ name: TESTER, isOnline: true }]);
    const { status, json } = await request(service.port, 'POST', '/api/twain/scan', {
      body: { scannerName: TESTER, parameters: { resolution: 75 } },
    });
    t.match({ status, json }, { status: 200, json: { imageCount: SHEETS } });
    t.match(await list(), [{ name: TESTER, isOnline: true }]);
    t.ok(await logged(service, /backend \\"bad\\"/));

    const args = ['doctor', '--config', config, '--json', '--port', String(service.port)];
    const { findings } = JSON.parse((await platen(args, { env }).ended).out) as {
      findings: { id: string; state: string; sentence: string; remedy?: string }[];
    };
    const found = findings.find(({ id }) => id === 'scanners');
    t.match(found, { state: 'failed', sentence: `"sane"`, remedy: `"bad"` });
    t.match(found?.sentence, TESTER);
  });
}
