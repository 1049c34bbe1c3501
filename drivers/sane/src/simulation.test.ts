/** The simulated backend itself: with prepick, each page is of its own sheet. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { lacking, simulated } from './rig.test.kit.js';

t.test('simulation: with prepick, the pages are the sheets in their order', { skip: lacking() }, async t => {
  const body = await simulated('feeder');
  const folder = mkdtempSync(join(tmpdir(), 'sane-pages-'));
  t.teardown(async () => {
    rmSync(folder, { recursive: true });
    await body.dispose();
  });
  const inks = [10, 90, 170];
  for (const ink of inks) await body.load(1, `size 100 100\nfront ${ink} ${ink} ${ink}\n`);
  const args = ['-d', body.deviceId, '--prepick', 'On', '--mode', 'Gray', '--resolution', '75', '-x', '90', '-y', '90'];
  const run = () =>
    execFileSync('scanimage', [...args, '--format=pnm', `--batch=${join(folder, '%d.pnm')}`], {
      env: body.env,
      stdio: 'pipe',
    });
  try {
    run();
  } catch {
    // Some versions report the end of the paper as a failure.
  }
  const pages = readdirSync(folder).sort();
  t.strictSame(
    pages.map(name => readFileSync(join(folder, name)).at(-1)),
    inks,
  );
  t.equal(await body.remaining(), 0);
});
