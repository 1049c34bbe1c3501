/** `platen scan` as a script runs it: its own process over virtual scanners, judged by its files and output. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import { until } from '../spec/calls.js';
import { request } from '../topology/client.js';
import { sheets, whichSide, type Ink } from '../topology/sheets.js';
import { createInstallation, isPlain, orders } from './installation.js';

const inkOf = async (file: string): Promise<Ink> => (await whichSide(await readFile(file))).ink;

t.test('platen scan: the same picture as from the service', async t => {
  const { scan, serve, out } = await createInstallation(t, { Glass: { feeder: false, flatbed: true } });
  const flags = ['--dpi', '150', '--color', 'color', '--size', 'a5'];
  t.match(await scan('--out', 'glass.png', ...flags).ended, { code: 0, out: 'glass.png\n' });
  const parameters = { resolution: 150, colorMode: 'Color', pageSize: 'A5' };
  const { json } = await request((await serve()).port, 'POST', '/api/twain/scan', {
    body: { scannerName: 'Glass', parameters },
  });
  const [image] = (json as { images: { base64Data: string }[] }).images;
  t.ok(Buffer.from(image?.base64Data ?? '', 'base64').equals(await readFile(join(out, 'glass.png'))));
});

t.test('platen scan: another one has the data folder, without a service', async t => {
  const { scan, load, data } = await createInstallation(t, { A: { faults: [{ sheet: 2, fault: 'hang' }] }, Glass: {} });
  await load('A', sheets(1, 2));
  const first = scan('--scanner', 'A', '--out', 'a-%d.png', '--dpi', '75');
  await until(async () => first.log().includes('page 1 '));
  const second = await scan('--scanner', 'Glass', '--out', 'glass.png').ended;
  t.match(second, {
    code: 6,
    out: '',
    log: `The data folder ${data} is in use by another scan (process ${first.pid})`,
  });
  first.signal('SIGKILL');
  await first.ended;
});

t.test(
  'platen scan: a duplex stack, both sides of every sheet, in order, one line each; a second scan follows',
  async t => {
    const { scan, load, out, files } = await createInstallation(t, { A: { duplex: true } });
    await load('A', [
      { front: 1, back: 2 },
      { front: 3, back: 4 },
    ]);
    const first = await scan('--out', 'page-%d.png', '--dpi', '100', '--color', 'Color', '--duplex').ended;
    t.equal(first.code, 0, first.log);
    const lines = first.log.trimEnd().split('\n');
    t.equal(lines.length, 5, first.log);
    ['front of sheet 1', 'back of sheet 1', 'front of sheet 2', 'back of sheet 2'].forEach((side, at) => {
      t.match(
        lines[at],
        new RegExp(`^page ${at + 1}  ${side}  850 x 1100 pixels  100 dpi  \\d+ ms  page-${at + 1}\\.png$`),
      );
    });
    t.match(lines[4], /^Success: 4 pages in \d+\.\d s$/);
    t.same(
      await Promise.all(
        first.out
          .trim()
          .split('\n')
          .map(name => inkOf(join(out, name))),
      ),
      [1, 2, 3, 4],
    );

    await load('A', sheets(5));
    t.match(await scan('--out', 'page-%d.png', '--dpi', '75', '--color', 'Color', '--force').ended, {
      code: 0,
      out: 'page-1.png\n',
    });
    t.equal(await inkOf(join(out, 'page-1.png')), 5);
    t.same(await files(), ['page-1.png', 'page-2.png', 'page-3.png', 'page-4.png']);
  },
);

t.test('platen scan: the format, by extension or --format; missing plugins are named; --json', async t => {
  const { scan, out } = await createInstallation(t, { Glass: { feeder: false, flatbed: true } });
  t.match(await scan('--out', 'c.tif', '--dpi', '75').ended, { code: 0, out: 'c.tif\n' });
  t.match(await sharp(join(out, 'c.tif')).metadata(), { format: 'tiff', density: 75 });
  const {
    code,
    out: said,
    log,
  } = await scan(
    '--out',
    'page',
    '--format',
    'jpeg',
    '--quality',
    '50',
    '--dpi',
    '75',
    '--barcodes',
    '--ocr',
    '--auto-deskew',
    '--json',
  ).ended;
  t.equal(code, 0);
  t.match(JSON.parse(said), {
    file: 'page',
    format: 'Jpeg',
    pageNumber: 1,
    sheet: 1,
    side: 'front',
    resolution: 75,
    barcodes: [],
    ocrText: '',
  });
  t.match(
    (JSON.parse(said) as { report: { parameter: string }[] }).report.find(
      ({ parameter }) => parameter === 'autoDeskew',
    ),
    { requested: true, result: 'ignored' },
  );
  t.match(log, /^Barcodes were not read: /m);
  t.match(log, /^Text was not read: /m);
  t.match(log, /^--auto-deskew was ignored: /m);
});

t.test(
  'a scanner whose name has orders for a terminal in it: they are no part of its name, and what was typed is spelt out',
  async t => {
    const { scan } = await createInstallation(t, {
      [orders.given]: { tray: 'missing' },
      Glass: { feeder: false, flatbed: true },
    });
    const list = await scan('--list', '--verbose').ended;
    t.equal(list.code, 0);
    t.equal(list.out.split('\n').length, 3);
    t.ok(list.out.startsWith(`${orders.name}\t`));
    const typed = await scan('--out', 'x.png', '--scanner', orders.given).ended;
    t.equal(typed.code, 7);
    t.match(typed.log, /A\\u001b]0;title\\u0007/);
    for (const exit of [list, typed]) isPlain(t, exit);
  },
);
