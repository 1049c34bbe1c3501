/** Wrong usage of `platen`: exit code 2, and what is right. What it gives itself. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { platen, unitMemory } from '../topology/platen.js';

t.test('command line: missing configuration and wrong usage, refused', async t => {
  const dir = await mkdtemp(join(tmpdir(), 'platen-usage-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const run = async (...args: string[]) =>
    platen(args, { cwd: dir, env: { PLATEN_DATA_DIR: join(dir, 'data') } }).ended;
  t.match(await run('serve', '--config', 'nowhere.json'), { code: 3, log: /nowhere\.json/ });
  t.match(await run('serve', '--port', 'http'), { code: 2, log: /--port takes a port number/ });
  t.match(await run('frobnicate'), { code: 2, log: /no command "frobnicate"/ });
  t.match(await run(), { code: 2, log: /serve/ });
  t.match(await run('--help'), { code: 0, out: /serve/ });
  t.match(await run('serve', '--help'), { code: 0, out: /Exit codes:/ });
  const badPort = await platen(['serve'], { env: { PLATEN_DATA_DIR: join(dir, 'data'), PLATEN_PORT: '-1' } }).ended;
  t.match(badPort, { code: 3, log: /PLATEN_PORT takes a port number/ });
});

const skip = !(process.platform === 'linux' && 'execve' in process) && 'this Node cannot start itself anew';
t.test('command line: typed by somebody, it gives glibc what a unit of systemd does', { skip }, async t => {
  const says = `data:text/javascript,process.on('exit', () => console.error(process.env.GLIBC_TUNABLES))`;
  const { log } = await platen(['--version'], { node: ['--import', says], asPublished: true }).ended;
  t.equal(log.trim(), unitMemory['GLIBC_TUNABLES']);
});
