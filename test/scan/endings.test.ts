/** `platen scan` ends early: finished pages are kept; the exit code and the last line say why. */
import { writeFile } from 'node:fs/promises';
import t from 'tap';
import { until } from '../spec/calls.js';
import { sheets } from '../topology/sheets.js';
import { createInstallation } from './installation.js';

t.test('platen scan: a jam, the pages before it are kept, the last line is the reason', async t => {
  const { scan, load, files, waiting } = await createInstallation(t, {
    A: { faults: [{ sheet: 3, fault: 'paper-jam' }] },
  });
  await load('A', sheets(1, 2, 3, 4));
  const { code, out, log } = await scan('--out', 'page-%d.png', '--dpi', '75').ended;
  t.equal(code, 7);
  t.equal(out, 'page-1.png\npage-2.png\n');
  t.match(log.split('\n').slice(-3), [/^PaperJam: 2 pages in \d+\.\d s$/, /^platen scan: .*Sheet 3.*jam/i, '']);
  t.same(await files(), ['page-1.png', 'page-2.png']);
  t.equal(await waiting('A'), 2);
});

t.test('platen scan: an empty feeder, or no scanner, the exit code of each', async t => {
  const one = await createInstallation(t, { A: {} });
  t.match(await one.scan('--out', 'x.png').ended, { code: 8, out: '', log: /NoPaper: 0 pages.*\nplaten scan: / });
  const none = await createInstallation(t, {});
  await writeFile(none.config, JSON.stringify({ plugins: [{ use: '@platen/format-png' }] }), { mode: 0o600 });
  t.match(await none.scan('--out', 'x.png').ended, { code: 7, log: /^platen scan: No scanner found/ });
  t.same([...(await one.files()), ...(await none.files())], []);
});

t.test('platen scan: Ctrl-C, finishes the current sheet and keeps the pages', async t => {
  const { scan, load, files, waiting } = await createInstallation(t, { A: { msPerPage: 400, duplex: true } });
  const all = 12;
  await load(
    'A',
    Array.from({ length: all }, () => ({ front: 1 as const, back: 2 as const })),
  );
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
});

t.test('platen scan: a hanging scanner, times out at the deadline', async t => {
  const { scan, load, files } = await createInstallation(t, { A: { faults: [{ sheet: 2, fault: 'hang' }] } });
  await load('A', sheets(1, 2));
  t.match(await scan('--out', 'page-%d.png', '--dpi', '75', '--timeout', '12').ended, {
    code: 7,
    log: /^Timeout: 1 page in .*\nplaten scan: The scan took longer than the 12 s/m,
  });
  t.same(await files(), ['page-1.png']);
});

t.test('platen scan: the reader of stdout closes it, the scan continues', async t => {
  const { scanUnread, load, files } = await createInstallation(t, { A: {} });
  await load('A', sheets(1, 2, 3));
  t.equal(await scanUnread('--out', 'page-%d.png', '--dpi', '75'), 0);
  t.same(await files(), ['page-1.png', 'page-2.png', 'page-3.png']);
});
