/** `platen scan` flags: more invalid ones, and the name of a scanner in everything that is printed. */
import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import t from 'tap';
import { sheets } from '../topology/sheets.js';
import { areRefused, createInstallation, isPlain, orders } from './installation.js';

t.test('platen scan: each invalid flag is named in the message, and no paper moves', async t => {
  const { scan, load, files, waiting } = await createInstallation(t, {
    A: { resolutions: [75, 150] },
    B: { duplex: true },
  });
  await load('A', sheets(1));
  await areRefused(t, scan, [
    ['--out x.png --sauce glass', /--sauce/],
    ['--out x.png --scanner A --source flatbed', /--source takes Feeder or Auto on this scanner/],
    ['--out x.png --scanner A --area 200,0,50x50', /--area takes x \+ width of at most 215\.9 mm/],
    ['--out x.png --scanner A --brightness -101', /--brightness takes an integer from -100 to 100/],
    ['--out x.png --scanner A --option backing=green', /--option backing takes one of white, black/],
    ['--out x.png --scanner A --profile x', /--profile takes nothing/],
  ]);
  t.match(await scan('--out', 'x.png', '--scanner', 'C').ended, {
    code: 7,
    log: /^platen scan: There is no scanner named "C"\. This computer has "A", "B"\.$/m,
  });
  t.equal(await waiting('A'), 1);
  t.same(await files(), []);
});

t.test('a scanner whose name has orders for a terminal in it: JSON, the choice of scanners, a failure', async t => {
  const { scan } = await createInstallation(t, {
    [orders.given]: { tray: 'missing' },
    Glass: { feeder: false, flatbed: true },
  });
  const json = await scan('--list', '--json').ended;
  t.same(
    json.out
      .trim()
      .split('\n')
      .map(line => (JSON.parse(line) as { name: string }).name),
    [orders.name, 'Glass'],
  );
  const which = await scan('--out', 'x.png').ended;
  const offline = await scan('--out', 'x.png', '--scanner', orders.name).ended;
  t.match([which.code, offline.code], [2, 7]);
  for (const exit of [json, which, offline]) isPlain(t, exit);
});

t.test('platen scan: BMP by its extension', async t => {
  const { scan, out } = await createInstallation(t, { Glass: { feeder: false, flatbed: true } });
  t.match(await scan('--out', 'd.bmp', '--dpi', '75').ended, { code: 0 });
  t.equal((await readFile(join(out, 'd.bmp'))).toString('latin1', 0, 2), 'BM');
});
