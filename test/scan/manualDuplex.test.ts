/** `platen scan --manual-duplex`: both sides with a one-sided feeder, a file per page; what is refused before paper moves. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { until } from '../spec/calls.js';
import { sheets, whichSide } from '../topology/sheets.js';
import { areRefused, createInstallation, keptIn, type Installation } from './installation.js';
import { scanByHand, stack } from './manualDuplex.js';

const inksOf = async ({ out }: Installation, names: string): Promise<number[]> =>
  Promise.all(names.trim().split('\n').map(async name => (await whichSide(await readFile(join(out, name)))).ink)); // prettier-ignore

t.test('platen scan --manual-duplex: pages of both orders of the backs, each under its number', async t => {
  const its = await createInstallation(t, { A: {} });
  for (const [flag, backs] of [
    ['--manual-duplex', [6, 5, 4]],
    ['--manual-duplex=same', [4, 5, 6]],
  ] as const) {
    await its.load('A', sheets(1, 2, 3));
    const exit = await scanByHand(its, [stack(its, 'A', ...backs)], flag, '--out', 'page-%d.png', '--force');
    t.equal(exit.code, 0, exit.log);
    t.equal(exit.out, [1, 2, 3, 4, 5, 6].map(number => `page-${number}.png\n`).join(''));
    t.same(await inksOf(its, exit.out), [1, 4, 2, 5, 3, 6]);
    t.match(exit.log, /^page 5 {2}front of sheet 3 /m);
    t.match(exit.log, flag.includes('same') ? /page 2 {2}back of sheet 1 /m : /page 6 {2}back of sheet 3 .*\npage 4 /);
    t.match(exit.log, /^Success: 6 pages in /m);
  }
  t.same(await keptIn(its.data), [], 'nothing is left in the data folder');
});

t.test(
  'platen scan --manual-duplex: one sheet; --json has the sheet and the side, questions are no output',
  async t => {
    const its = await createInstallation(t, { A: {} });
    await its.load('A', sheets(1));
    const exit = await scanByHand(its, [stack(its, 'A', 2)], '--manual-duplex', '--out', 'p-%02d.jpg', '--json');
    t.equal(exit.code, 0, exit.log);
    t.match(
      exit.out
        .trim()
        .split('\n')
        .map(line => JSON.parse(line) as unknown),
      [
        { file: 'p-01.jpg', pageNumber: 1, sheet: 1, side: 'front' },
        { file: 'p-02.jpg', pageNumber: 2, sheet: 1, side: 'back' },
      ],
    );
    t.same(await inksOf(its, 'p-01.jpg\np-02.jpg'), [1, 2]);
  },
);

t.test('platen scan --manual-duplex: nobody can press Enter, or flags make no sense; no paper moves', async t => {
  const its = await createInstallation(t, { A: { duplex: true, flatbed: true } }, ['document-pdf']);
  await its.load('A', sheets(1));
  await areRefused(t, its.scan, [
    ['--out x.pdf --manual-duplex', /--manual-duplex waits for Enter on standard input/],
    ['--out x.pdf --manual-duplex sideways', /--manual-duplex takes one of reversed, same/],
    ['--out x.pdf --manual-duplex --duplex', /--duplex cannot be used with --manual-duplex/],
    ['--out x.pdf --manual-duplex --separate blank', /--separate cannot be used with --manual-duplex/],
    ['--out x.pdf --manual-duplex --keep-separators', /--keep-separators cannot be used/],
    ['--out x.pdf --manual-duplex --source flatbed', /--source takes Feeder/],
    ['--list --manual-duplex', /--manual-duplex cannot be used with --list/],
  ]);
  const closed = its.scanTyped('--out', 'x.pdf', '--manual-duplex');
  closed.type(null);
  t.match(await closed.ended, { code: 2, log: /--manual-duplex waits for Enter on standard input/ });
  t.equal(await its.waiting('A'), 1);
  t.same(await its.files(), []);
  const glass = await createInstallation(t, { Glass: { feeder: false, flatbed: true } });
  t.match(await scanByHand(glass, [], '--manual-duplex', '--out', 'x.png'), { code: 2, log: /--source takes Flatbed/ });
});

t.test('platen scan --manual-duplex: an empty feeder, no question and nothing kept', async t => {
  const its = await createInstallation(t, { A: {} });
  t.match(await scanByHand(its, [], '--manual-duplex', '--out', 'x.png'), { code: 8, log: /no paper in the feeder/ });
  t.same(await keptIn(its.data), []);
});

t.test('platen scan --manual-duplex: stopped before the backs, or input ends; the fronts are kept', async t => {
  const its = await createInstallation(t, { A: {} });
  for (const [stop, code] of [
    ['signal', 130],
    ['end', 130],
  ] as const) {
    await its.load('A', sheets(1, 2));
    const running = its.scanTyped('--manual-duplex', '--out', 'page-%d.png', '--dpi', '75');
    await until(async () => /Press Enter/.test(running.log()));
    if (stop === 'signal') running.signal('SIGINT');
    else running.type(null);
    const exit = await running.ended;
    t.match(exit, { code, out: '', log: /The fronts \(2 pages\) are kept in .*\/api\/scans\// }, stop);
  }
  t.equal((await keptIn(its.data)).length, 2);
  t.same(await its.files(), []);
});
