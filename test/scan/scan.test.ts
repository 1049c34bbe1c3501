/** `platen scan` as a script runs it: a process of its own over virtual scanners, known by its files, its lines and its exit code. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import { until } from '../spec/calls.js';
import { installCertificate } from '../topology/certificate.js';
import { request } from '../topology/client.js';
import { platen, serve } from '../topology/platen.js';
import { sheets, whichSide, type Ink } from '../topology/sheets.js';
import { desk } from './desk.js';

const inkOf = async (file: string): Promise<Ink> => (await whichSide(await readFile(file))).ink;

t.test('a jam: the pages before it are kept, and the last line is the reason', async t => {
  const { scan, load, files, waiting } = await desk(t, { A: { faults: [{ sheet: 3, fault: 'paper-jam' }] } });
  await load('A', sheets(1, 2, 3, 4));
  const { code, out, log } = await scan('--out', 'page-%d.png', '--dpi', '75').ended;
  t.equal(code, 7);
  t.equal(out, 'page-1.png\npage-2.png\n');
  t.match(log.split('\n').slice(-3), [/^PaperJam: 2 pages in \d+\.\d s$/, /^platen scan: .*Sheet 3.*jam/i, '']);
  t.same(await files(), ['page-1.png', 'page-2.png']);
  t.equal(await waiting('A'), 2);
});

t.test('an empty feeder, and no scanner at all', async t => {
  const one = await desk(t, { A: {} });
  t.match(await one.scan('--out', 'x.png').ended, { code: 8, out: '', log: /NoPaper: 0 pages.*\nplaten scan: / });
  const none = await desk(t, {});
  await writeFile(none.config, JSON.stringify({ plugins: [{ use: '@platen/format-png' }] }), { mode: 0o600 });
  t.match(await none.scan('--out', 'x.png').ended, { code: 7, log: /^platen scan: This computer has no scanner/ });
  t.match(await none.scan('--list').ended, { code: 0, out: '', log: /^This computer has no scanner/ });
  t.same([...(await one.files()), ...(await none.files())], []);
});

t.test('what is wrong with the flags is said by their names, and nothing moves', async t => {
  const { scan, load, files, waiting, out } = await desk(t, { A: { resolutions: [75, 150] }, B: { duplex: true } });
  await load('A', sheets(1));
  await writeFile(join(out, 'old-2.png'), 'old');
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['', /^platen scan: --out is missing/],
    ['--out old.png --scanner A', /--out: old-2\.png exists already/],
    ['--out x.png', /--scanner takes the name of one of the scanners: "A", "B"\.$/m],
    ['--out x.png --scanner A --dpi 100', /--dpi takes one of 75, 150 on this scanner\.$/m],
    ['--out x.png --scanner A --duplex', /--duplex takes simplex on this scanner: it scans one side only\.$/m],
    ['--out x.png --scanner A --source glass', /--source/],
    ['--list --dpi 75', /--dpi means nothing with --list\.$/m],
  ];
  for (const [flags, sentence] of wrong) {
    const { code, log, out: said } = await scan(...flags.split(' ').filter(each => each !== '')).ended;
    t.equal(code, 2, flags);
    t.match(log, sentence);
    t.equal(said, '');
  }
  t.match(await scan('--out', 'x.png', '--scanner', 'C').ended, { code: 7, log: /^platen scan: There is no scanner named "C"\. This computer has "A", "B"\.$/m });
  t.match(await scan('--out', 'x.png', '--config', 'nowhere.json').ended, { code: 3 });
  t.equal(await waiting('A'), 1);
  t.same(await files(), ['old-2.png']);
});

t.test('Ctrl-C finishes the sheet in hand and keeps what came through', async t => {
  const { scan, load, files, waiting } = await desk(t, { A: { msPerPage: 400, duplex: true } });
  const all = 12;
  await load('A', Array.from({ length: all }, () => ({ front: 1 as const, back: 2 as const })));
  const running = scan('--out', 'page-%02d.jpg', '--dpi', '75', '--duplex', 'long');
  await until(async () => running.log().includes('page 1 '));
  running.signal('SIGINT');
  const { code, out, log } = await running.ended;
  t.equal(code, 130);
  t.match(log, /^Stopping after the sheet in hand/m);
  t.match(log, /^Cancelled: \d+ pages in .*\nplaten scan: The scan was stopped\.\n$/m);
  const fed = all - (await waiting('A'));
  t.ok(fed >= 1 && fed < all, `${fed} of ${all} sheets were fed`);
  const written = Array.from({ length: 2 * fed }, (_, at) => `page-${String(at + 1).padStart(2, '0')}.jpg`);
  t.same(await files(), written, 'both sides of every sheet that went through');
  t.same(out.trim().split('\n'), written);
});

t.test('a scanner that hangs is given up when the deadline has passed', async t => {
  const { scan, load, files } = await desk(t, { A: { faults: [{ sheet: 2, fault: 'hang' }] } });
  await load('A', sheets(1, 2));
  t.match(await scan('--out', 'page-%d.png', '--dpi', '75', '--timeout', '1').ended, { code: 7, log: /^Timeout: 1 page in .*\nplaten scan: The scan took longer than the 1 s/m });
  t.same(await files(), ['page-1.png']);
});

t.test('whoever reads the names may leave', async t => {
  const { scanUnread, load, files } = await desk(t, { A: {} });
  await load('A', sheets(1, 2, 3));
  t.equal(await scanUnread('--out', 'page-%d.png', '--dpi', '75'), 0);
  t.same(await files(), ['page-1.png', 'page-2.png', 'page-3.png']);
});

t.test('while a service runs on the data folder: what helps; and then the same picture as it had', async t => {
  const { scan, env, out } = await desk(t, { Glass: { feeder: false, flatbed: true } });
  await installCertificate(env['PLATEN_DATA_DIR'] ?? '', 'valid');
  const service = await serve([], { env });
  const port = '53999';
  const refused = await platen(['scan', '--out', 'x.png'], { env: { ...env, PLATEN_PORT: port }, cwd: out }).ended;
  t.match(refused, { code: 6, out: '', log: new RegExp(`^platen scan: The data folder .* is in use by another service \\(process ${service.pid}\\); .*PLATEN_DATA_DIR\\. Or scan with the service that runs: POST https://localhost:${port}/api/twain/scan\\.\n$`) });
  const parameters = { resolution: 150, colorMode: 'Color', pageSize: 'A5' };
  const { json } = await request(service.port, 'POST', '/api/twain/scan', { body: { scannerName: 'Glass', parameters } });
  service.signal('SIGTERM');
  t.match(await service.ended, { code: 0 });
  t.match(await scan('--out', 'glass.png', '--dpi', '150', '--color', 'color', '--size', 'a5').ended, { code: 0, out: 'glass.png\n' });
  const [image] = (json as { images: { base64Data: string }[] }).images;
  t.ok(Buffer.from(image?.base64Data ?? '', 'base64').equals(await readFile(join(out, 'glass.png'))));
});

t.test('both sides of every sheet, in order, with a line each; a second scan follows', async t => {
  const { scan, load, out, files } = await desk(t, { A: { duplex: true } });
  await load('A', [{ front: 1, back: 2 }, { front: 3, back: 4 }]);
  const first = await scan('--out', 'page-%d.png', '--dpi', '100', '--color', 'Color', '--duplex').ended;
  t.equal(first.code, 0, first.log);
  const lines = first.log.trimEnd().split('\n');
  t.equal(lines.length, 5, first.log);
  ['front of sheet 1', 'back of sheet 1', 'front of sheet 2', 'back of sheet 2'].forEach((side, at) => {
    t.match(lines[at], new RegExp(`^page ${at + 1}  ${side}  850 x 1100 pixels  100 dpi  \\d+ ms  page-${at + 1}\\.png$`));
  });
  t.match(lines[4], /^Success: 4 pages in \d+\.\d s$/);
  t.same(await Promise.all(first.out.trim().split('\n').map(name => inkOf(join(out, name)))), [1, 2, 3, 4]);

  await load('A', sheets(5));
  t.match(await scan('--out', 'page-%d.png', '--dpi', '75').ended, { code: 2, log: /page-1\.png exists already/ });
  t.match(await scan('--out', 'page-%d.png', '--dpi', '75', '--color', 'Color', '--force').ended, { code: 0, out: 'page-1.png\n' });
  t.equal(await inkOf(join(out, 'page-1.png')), 5);
  t.same(await files(), ['page-1.png', 'page-2.png', 'page-3.png', 'page-4.png']);
});

t.test('each format by its ending, or by --format; what is not installed is said; --json', async t => {
  const { scan, out } = await desk(t, { Glass: { feeder: false, flatbed: true } });
  for (const [name, format] of [['a.png', 'png'], ['b.JPG', 'jpeg'], ['c.tif', 'tiff']] as const) {
    t.match(await scan('--out', name, '--dpi', '75').ended, { code: 0, out: `${name}\n` });
    t.match(await sharp(join(out, name)).metadata(), { format, density: 75 }, name);
  }
  t.match(await scan('--out', 'd.bmp', '--dpi', '75').ended, { code: 0 });
  t.equal((await readFile(join(out, 'd.bmp'))).toString('latin1', 0, 2), 'BM');
  const { code, out: said, log } = await scan('--out', 'page', '--format', 'jpeg', '--quality', '50', '--dpi', '75', '--barcodes', '--ocr', '--auto-deskew', '--json').ended;
  t.equal(code, 0);
  t.match(JSON.parse(said), { file: 'page', format: 'Jpeg', pageNumber: 1, sheet: 1, side: 'front', resolution: 75, barcodes: [], ocrText: '', treatment: [{ wish: 'deskew', by: 'nobody' }] });
  t.match(log, /^Barcodes were not read: /m);
  t.match(log, /^Text was not read: /m);
  t.match(log, /^--auto-deskew was ignored: /m);
});

t.test('the list, and the help', async t => {
  const { scan } = await desk(t, { A: { duplex: true }, B: { feeder: false, flatbed: true, manufacturer: 'Acme', model: 'G1' } });
  t.match(await scan('--list').ended, { code: 0, out: 'A\tPlaten Virtual scanner\tfeeder, duplex\tonline\nB\tAcme G1\tflatbed\tonline\n' });
  const { out } = await scan('--list', '--json').ended;
  t.match(out.trim().split('\n').map(line => JSON.parse(line) as unknown), [{ name: 'A', supportsDuplex: true }, { name: 'B', manufacturer: 'Acme', hasFeeder: false }]);
  t.match(await scan('--help').ended, { code: 0, out: /--duplex \[EDGE\].*130 {2}stopped/s });
});
