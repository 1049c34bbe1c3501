/** `platen scan` through the running service; every case: service.long.test.ts. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { until } from '../spec/calls.js';
import { installCertificate } from '../topology/certificate.js';
import { platen } from '../topology/platen.js';
import { createInstallation } from './installation.js';
import { cases, tryCases } from './throughService.js';

/** Scanned and printed, failed in the middle, refused. */
const usual = ['JSON, with what this installation cannot do', 'a jam', 'several scanners'];

t.test('platen scan through the service: the same files, lines and exit codes', t =>
  tryCases(
    t,
    cases.filter(({ title }) => usual.includes(title)),
  ),
);

t.test("platen scan through the service: --verbose says so; --config is the service's or none", async t => {
  const { scan, serve, config, out } = await createInstallation(t, { Glass: { feeder: false, flatbed: true } });
  const { port, pid } = await serve();
  const verbose = await scan('--list', '--verbose').ended;
  t.match(verbose, { code: 0, log: `(process ${pid}) at https://localhost:${port}` });
  const other = join(out, 'other.json');
  await writeFile(other, await readFile(config), { mode: 0o600 });
  const refused = await scan('--config', other, '--out', 'x.png').ended;
  t.match(refused, { code: 2, out: '', log: config });
  t.match(await scan('--config', config, '--out', 'x.png').ended, { code: 0, out: 'x.png\n' });
});

t.test('platen scan through the service: one that is starting is waited for', async t => {
  const { scan, data, env } = await createInstallation(t, { Glass: { feeder: false, flatbed: true } });
  await installCertificate(data, 'valid');
  const service = platen(['serve'], { env });
  t.teardown(() => (service.signal('SIGTERM'), service.ended));
  await until(async () => existsSync(join(data, 'lock.sock')));
  const through = await scan('--out', 'x.png', '--dpi', '75', '--verbose').ended;
  t.match(through, { code: 0, out: 'x.png\n', log: `(process ${service.pid}) at https://localhost:` });
});
