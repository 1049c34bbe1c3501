/** `platen scan` through a service that is stopped, killed or not trusted, and pages that cannot be written. */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { get } from 'node:https';
import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import { until } from '../spec/calls.js';
import { installCertificate } from '../topology/certificate.js';
import { request } from '../topology/client.js';
import { sheets } from '../topology/sheets.js';
import { createInstallation, digest, scansOf, type ScanJson } from './installation.js';

t.test('platen scan through the service: Ctrl-C, finishes the current sheet and writes its pages', async t => {
  const { scan, serve, load, files, waiting } = await createInstallation(t, { A: { msPerPage: 400, duplex: true } });
  const service = await serve();
  const all = 12;
  const loaded = Array.from({ length: all }, () => ({ front: 1 as const, back: 2 as const }));
  await load('A', loaded);
  const running = scan('--out', 'page-%02d.jpg', '--dpi', '75', '--duplex', 'long');
  await until(async () => running.log().includes('page 1 '));
  running.signal('SIGINT');
  const { code, out, log } = await running.ended;
  t.equal(code, 130, log);
  t.match(log, /^Stopping after the current sheet/m);
  t.match(log, /^Cancelled: \d+ pages in .*\nplaten scan: The scan was stopped\.\n$/m);
  const fed = all - (await waiting('A'));
  t.ok(fed >= 1 && fed < all, `${fed} of ${all} sheets were fed`);
  const written = Array.from({ length: 2 * fed }, (_, at) => `page-${String(at + 1).padStart(2, '0')}.jpg`);
  t.same(await files(), written, 'both sides of every scanned sheet');
  t.same(out.trim().split('\n'), written);
  t.same(await scansOf(service), []);
});

t.test('platen scan through the service: Ctrl-C twice, ends at once; the service keeps the pages', async t => {
  const { scan, serve, load } = await createInstallation(t, { A: { faults: [{ sheet: 2, fault: 'hang' }] } });
  const service = await serve();
  await load('A', sheets(1, 2));
  const running = scan('--out', 'page-%d.png', '--dpi', '75');
  await until(async () => running.log().includes('page 1 '));
  running.signal('SIGINT');
  await until(async () => running.log().includes('Stopping'));
  running.signal('SIGINT');
  t.match(await running.ended, { code: 1, out: 'page-1.png\n' });
  await until(async () => (await scansOf(service))[0]?.state === 'cancelled');
  t.match(await scansOf(service), [{ pageCount: 1 }]);
});

t.test('platen scan through the service: two at once, the second is busy', async t => {
  const { scan, serve, load, files } = await createInstallation(t, { A: { faults: [{ sheet: 2, fault: 'hang' }] } });
  await serve();
  await load('A', sheets(1, 2));
  const first = scan('--out', 'a-%d.png', '--dpi', '75');
  await until(async () => first.log().includes('page 1 '));
  t.match(await scan('--out', 'b-%d.png', '--dpi', '75').ended, { code: 7, out: '', log: /^Busy: 0 pages/ });
  first.signal('SIGKILL');
  await first.ended;
  t.same(await files(), ['a-1.png']);
});

t.test('platen scan through the service: a page cannot be written, it waits in the service', async t => {
  const { scan, serve, load, out, waiting } = await createInstallation(t, { A: { msPerPage: 500 } });
  const service = await serve();
  await load('A', sheets(1, 2, 3, 4, 5, 6, 1, 2));
  await mkdir(join(out, 'gone'));
  const running = scan('--out', 'gone/page-%d.png', '--dpi', '75');
  await until(async () => running.log().includes('page 1 '));
  await rm(join(out, 'gone'), { recursive: true });
  const { code, log } = await running.ended;
  t.equal(code, 1, log);
  t.match(log, /^StorageFailed: \d+ pages? in/m);
  t.ok((await waiting('A')) > 0, 'feeding stopped');
  const [kept] = await scansOf(service);
  t.match(kept, { state: 'cancelled' });
  // As the message says, with the certificate of the data folder.
  const command = /curl --cacert (".*") (https:\/\/\S+) -o FILE/.exec(log) ?? [];
  const page = await fetchAs(command[2] ?? '', await readFile(JSON.parse(command[1] ?? '""') as string, 'utf8'));
  t.match(await sharp(page).metadata(), { format: 'png', density: 75 });
});

t.test('platen scan through the service: the service is killed; its pages are all there after a restart', async t => {
  const { scan, serve, load, out, files } = await createInstallation(t, { A: { msPerPage: 300 } });
  const killed = await serve();
  await load('A', sheets(1, 2, 3, 4, 5, 6, 1, 2, 3, 4));
  const running = scan('--out', 'page-%d.png', '--dpi', '75', '--color', 'color');
  await until(async () => running.log().includes('page 2 '));
  killed.signal('SIGKILL');
  const { code, log, out: said } = await running.ended;
  t.equal(code, 7, log);
  t.match(log, /^ServiceEnded: \d+ pages in .*\nplaten scan: .*\/api\/scans\/\S+\n$/ms);
  const written = await files();
  t.same(said.trim().split('\n'), written, 'what was said is there, and no part of a file');
  const service = await serve();
  const [kept] = await scansOf(service);
  t.match(kept, { state: 'interrupted' });
  const { pages } = (await request(service.port, 'GET', `/api/scans/${kept?.id}`)).json as ScanJson;
  t.ok(pages.length >= written.length);
  t.same(
    await Promise.all(written.map(name => digest(join(out, name)))),
    pages.slice(0, written.length).map(({ sha256 }) => sha256),
  );
});

t.test(
  'platen scan through the service: the service is restarted, on another port; the pages that it kept are written',
  async t => {
    const { scan, serve, load, files, waiting } = await createInstallation(t, { A: { msPerPage: 300 } });
    const killed = await serve();
    await load('A', sheets(1, 2, 3, 4, 5, 6, 1, 2, 3, 4));
    const running = scan('--out', 'page-%02d.png', '--dpi', '75');
    await until(async () => running.log().includes('page 2 '));
    killed.signal('SIGKILL');
    await killed.ended;
    const service = await serve();
    t.not(service.port, killed.port);
    const { code, log } = await running.ended;
    t.equal(code, 7, log);
    t.match(log, /^ServiceEnded: \d+ pages in .*\nplaten scan: /m);
    const { length } = await files();
    t.ok(length >= 2 && length < 10);
    // The sheet in the path when the service was killed may have left the tray.
    t.ok(10 - (await waiting('A')) - length <= 2);
    t.same(await scansOf(service), []);
  },
);

t.test('platen scan through the service: another certificate than the service has, nothing moves', async t => {
  const { scan, serve, load, data, waiting } = await createInstallation(t, { A: {} });
  await serve();
  await load('A', sheets(1));
  const folder = join(data, 'certificate');
  await rm(folder, { recursive: true });
  t.match(await scan('--out', 'x.png').ended, { code: 4, out: '' });
  await mkdir(folder, { mode: 0o700 });
  await installCertificate(data, 'expiring');
  const { code, log } = await scan('--out', 'x.png').ended;
  t.equal(code, 4, log);
  t.match(log, folder);
  t.equal(await waiting('A'), 1);
});

/** A GET that trusts this certificate only. */
async function fetchAs(url: string, ca: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    get(url, { ca, agent: false }, response => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part)).on('error', reject);
      response.on('end', () => resolve(Buffer.concat(parts)));
    }).on('error', reject);
  });
}
