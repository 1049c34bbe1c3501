/** `platen scan` flags: invalid ones are rejected before paper moves, more in flags.long.test.ts; the list of scanners. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import { sheets } from '../topology/sheets.js';
import { areRefused, createInstallation } from './installation.js';

t.test('platen scan: invalid flags, named in the message; no paper moves', async t => {
  const { scan, load, files, waiting, out } = await createInstallation(t, {
    A: { resolutions: [75, 150] },
    B: { duplex: true },
  });
  await load('A', sheets(1));
  await writeFile(join(out, 'old-2.png'), 'old');
  await areRefused(t, scan, [
    ['--out old.png --scanner A', /--out: old-2\.png already exists/],
    ['--out x.png', /--scanner takes a scanner's name, one of "A", "B"\.$/m],
    ['--out x.png --scanner A --dpi 100', /--dpi takes one of 75, 150 on this scanner\.$/m],
    ['--list --dpi 75', /--dpi cannot be used with --list\.$/m],
  ]);
  t.equal(await waiting('A'), 1);
  t.same(await files(), ['old-2.png']);
});

t.test('platen scan: controls, one sheet of an area; the rest stays in the feeder', async t => {
  const { scan, load, out, waiting } = await createInstallation(t, { A: {} });
  await load('A', sheets(1, 2, 3));
  const flags = '--sheets 1 --dpi 150 --area 10,20.5,50.8x25.4 --option backing=black --brightness -20 --out x.png';
  t.match(await scan(...flags.split(' ')).ended, { code: 0 });
  const { width, height } = await sharp(join(out, 'x.png')).metadata();
  t.same([width, height], [300, 150]);
  t.equal(await waiting('A'), 2);
});

t.test('platen scan: --list and --help', async t => {
  const { scan } = await createInstallation(t, {
    A: { duplex: true },
    B: { feeder: false, flatbed: true, manufacturer: 'Acme', model: 'G1' },
  });
  t.match(await scan('--list').ended, {
    code: 0,
    out: 'A\tPlaten Virtual scanner\tfeeder, duplex\tonline\nB\tAcme G1\tflatbed\tonline\n',
  });
  const { out } = await scan('--list', '--json').ended;
  t.match(
    out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as unknown),
    [
      { name: 'A', supportsDuplex: true },
      { name: 'B', manufacturer: 'Acme', hasFeeder: false },
    ],
  );
  t.match(await scan('--help').ended, { code: 0, out: /--duplex \[EDGE\].*130 {2}stopped/s });
});
