/** `platen scan` through the running service; one that ends or cannot be used: serviceEnds.long.test.ts. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { until } from '../spec/calls.js';
import { installCertificate } from '../topology/certificate.js';
import { request } from '../topology/client.js';
import { platen } from '../topology/platen.js';
import { sheets } from '../topology/sheets.js';
import { createInstallation, scansOf } from './installation.js';

t.test('platen scan through the service: a jam, the pages before it are written, the scan goes', async t => {
  const jams = { faults: [{ sheet: 3, fault: 'paper-jam' }], duplex: true };
  const { scan, serve, load, files, waiting } = await createInstallation(t, { Jams: jams, Glass: {} });
  const service = await serve();
  await load('Jams', [{ front: 1, back: 2 }, { front: 3, back: 4 }, ...sheets(5, 6)]);
  t.match(await scan('--out', 'x.png').ended, { code: 2, log: /one of "Jams", "Glass"/ });
  const wrong = await scan('--scanner', 'Jams', '--out', 'x.png', '--dpi', '77').ended;
  t.match(wrong, { code: 2, out: '', log: /--dpi takes / }, 'in the words of the flags');
  const { code, out, log } = await scan('--scanner', 'Jams', '--out', 'p-%d.png', '--dpi', '75', '--duplex').ended;
  t.equal(code, 7, log);
  t.match(log, /^PaperJam: 4 pages/m);
  const written = [1, 2, 3, 4].map(number => `p-${number}.png`);
  t.same(await files(), written);
  t.same(out.trim().split('\n'), written);
  t.ok((await waiting('Jams')) >= 1);
  t.same(await scansOf(service), [], 'nothing is left in the service');
});

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

t.test('platen scan through the service: a scanner in use, --list says so and --wait waits its turn', async t => {
  const { scan, serve } = await createInstallation(t, { Desk: { feeder: true, flatbed: true } });
  const { port } = await serve();
  const call = (path: string, body: object) =>
    request(port, 'POST', `/api/twain/autoscan/${path}`, { body, headers: { origin: 'https://a.example' } });
  t.match(await call('enable', { scannerName: 'Desk' }), { status: 200 });
  t.match(await scan('--list').ended, { code: 0, out: 'Desk\tPlaten Virtual scanner\tfeeder, flatbed\tin use\n' });
  t.match(await scan('--out', 'x.png').ended, { code: 7, log: /^platen scan: .*Desk/m });
  const first = scan('--out', 'x.png', '--wait', '3600');
  await until(async () => first.log().includes('Place in line: 1.'));
  const left = scan('--out', 'y.png', '--wait', '3600');
  await until(async () => left.log().includes('Place in line: 2.'));
  left.signal('SIGINT');
  t.match(await left.ended, { code: 130, out: '' });
  await call('disable', {});
  t.match(await first.ended, { code: 0, out: 'x.png\n' });
  t.match(await scan('--out', 'z.png', '--wait', 'long').ended, { code: 2, log: '--wait takes a whole number' });
});
