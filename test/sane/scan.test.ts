/** `platen scan` over SANE: one line per page as it arrives, and the same pages as scanimage. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needs } from '@platen/conformance';
import t from 'tap';
import { needsSane } from '../topology/saneTopology.js';
import { platen } from '../topology/platen.js';
import { plugin, readPicture, scanimage, SHEETS, TESTER, useTestBackend } from './testBackend.js';

if (needsSane(t) && needs(t, 'scanimage')) {
  t.test('SANE: ten sheets in the feeder, ten pages', async t => {
    const own = await mkdtemp(join(tmpdir(), 'platen-scan-'));
    t.teardown(() => rm(own, { recursive: true, force: true }));
    const [data, out, config] = [join(own, 'data'), join(own, 'out'), join(own, 'platen.json')];
    await mkdir(out);
    await mkdir(data, { mode: 0o700 });
    // A folder that is not empty before its first use needs the marker file.
    await writeFile(join(data, 'platen-data-folder'), '');
    await useTestBackend(data);
    await writeFile(config, JSON.stringify({ plugins: [plugin, { use: '@platen/format-png' }] }), { mode: 0o600 });
    const run = (...args: readonly string[]) =>
      platen(['scan', ...args], { env: { PLATEN_DATA_DIR: data, PLATEN_CONFIG: config }, cwd: out }).ended;

    t.match(await run('--list'), { code: 0, out: new RegExp(`^${TESTER}\t`) });
    const { code, out: names, log } = await run('--out', 'page-%02d.png', '--dpi', '75', '--size', 'A5');
    t.equal(code, 0, log);
    const wanted = Array.from({ length: SHEETS }, (_, at) => `page-${String(at + 1).padStart(2, '0')}.png`);
    t.same(names.trim().split('\n'), wanted);
    t.same((await readdir(out)).sort(), wanted);
    const lines = log.trim().split('\n');
    t.equal(lines.length, SHEETS + 1, log);
    wanted.forEach((name, at) =>
      t.match(
        lines[at],
        new RegExp(`^page ${at + 1}  front of sheet ${at + 1}  437 x 620 pixels  75 dpi  \\d+ ms  ${name}$`),
      ),
    );
    t.match(lines.at(-1), /^Success: 10 pages in \d+\.\d s$/);

    const expected = await scanimage(data, [
      '--mode',
      'Gray',
      '--depth',
      '8',
      '--resolution',
      '75',
      '-x',
      '148',
      '-y',
      '210',
    ]);
    for (const [at, name] of wanted.entries()) {
      const { samples } = await readPicture(join(out, name));
      t.ok(expected[at]?.samples.equals(samples), `the pixels of page ${at + 1}`);
    }
  });
}
