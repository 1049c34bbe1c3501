/** `platen scan` through a service whose local programs need a token. */
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { needs } from '@platen/conformance';
import t from 'tap';
import { until } from '../spec/calls.js';
import { request } from '../topology/client.js';
import { sheets } from '../topology/sheets.js';
import { createInstallation } from './installation.js';

t.test('platen scan: sends the token to the service, and prints a command that does', async t => {
  if (!needs(t, 'curl')) return;
  const { config, scan, serve, load, out, files } = await createInstallation(t, { A: { msPerPage: 300 } }, [
    'document-pdf',
  ]);
  const written = JSON.parse(await readFile(config, 'utf8')) as object;
  await writeFile(config, JSON.stringify({ ...written, security: { localPrograms: 'token' } }), { mode: 0o600 });
  const service = await serve();
  t.equal((await request(service.port, 'GET', '/api/twain/scanners')).status, 401);
  t.match(await scan('--list').ended, { code: 0, out: /^A/m });
  await load('A', sheets(1, 2));
  t.match(await scan('--out', 'page-%d.png', '--dpi', '75').ended, { code: 0 });
  await load('A', sheets(1));
  t.match(await scan('--out', 'letter.pdf', '--dpi', '75').ended, { code: 0 });
  t.same(await files(), ['letter.pdf', 'page-1.png', 'page-2.png']);

  await load('A', sheets(1, 2, 3, 4, 5, 6));
  await mkdir(join(out, 'gone'));
  const running = scan('--out', 'gone/page-%d.png', '--dpi', '75');
  await until(async () => running.log().includes('page 1 '));
  await rm(join(out, 'gone'), { recursive: true });
  const { code, log } = await running.ended;
  t.equal(code, 1, log);
  const command = /curl .* -o FILE/.exec(log)?.[0] ?? '';
  t.notMatch(log, /Bearer [\w-]{43}/, 'the secret is not printed');
  const file = join(out, 'fetched.png');
  execFileSync('sh', ['-c', command.replace('FILE', `'${file}'`).replace('curl', 'curl --fail')], { stdio: 'ignore' });
  t.same((await readFile(file)).subarray(1, 4), Buffer.from('PNG'));
});
