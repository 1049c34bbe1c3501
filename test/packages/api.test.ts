/** The surfaces that others program against are the recorded ones: docs/api. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import t from 'tap';
import { clone } from './clone.js';

t.test('api: as recorded; npm run api accepts a change', async t => {
  const program = join(clone, 'setup', 'api', 'main.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, '--check'], { encoding: 'utf8' });
  t.equal(status, 0, `${stdout}${stderr}`);
});
