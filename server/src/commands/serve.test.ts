import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { createCertificate, readCertificate, readPublicParts } from '../machine/tls/certificate.js';
import { platenArgs } from '../machine/program.test.kit.js';

const DAY = 24 * 60 * 60 * 1000;
const root = await mkdtemp(join(tmpdir(), 'platen-serve-'));
t.teardown(() => rm(root, { recursive: true, force: true }));
const config = join(root, 'platen.json');
await writeFile(config, '{ "plugins": [] }', { mode: 0o600 });

/** A data folder with a certificate of this age in days; it is valid for 824. */
async function dataFolder(name: string, daysAgo?: number): Promise<string> {
  const dir = join(root, name);
  await mkdir(dir, { mode: 0o700 });
  if (daysAgo !== undefined) await createCertificate(dir, new Date(Date.now() - daysAgo * DAY));
  return dir;
}

/** Records each certificate as trusted by a store. */
async function trustedSomewhere(dir: string): Promise<void> {
  const parts = await readPublicParts(dir);
  const record = parts.map(({ cert, thumbprintSha1 }) => ({ store: 'one', pem: cert, sha1: thumbprintSha1 }));
  await writeFile(join(dir, 'trust.json'), JSON.stringify(record), { mode: 0o600 });
}

/** Serves until it listens, then stops. */
async function serve(dataDir: string): Promise<{ code: number | null; out: string; log: string }> {
  const env = { ...process.env, PLATEN_DATA_DIR: dataDir, PLATEN_PORT: '0', PLATEN_CONFIG: config };
  const child: ChildProcess = spawn(process.execPath, [...platenArgs, 'serve'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  let [out, log] = ['', ''];
  const look = (): void => {
    // The warning about origins is the last line of a start.
    if (!child.killed && out.includes('listens on') && log.includes('security.origins')) child.kill('SIGTERM');
  };
  child.stdout?.on('data', text => {
    out += String(text);
    look();
  });
  child.stderr?.on('data', text => {
    log += String(text);
    look();
  });
  const code = await new Promise<number | null>(resolve => child.on('close', resolve));
  return { code, out, log };
}

t.test('serve: no certificate, does not start and prints the fix', async t => {
  const { code, out, log } = await serve(await dataFolder('missing'));
  t.equal(code, 4);
  t.equal(out, '');
  t.match(
    log,
    /^platen serve: There is no certificate: .*cert\.pem is missing\. Run: platen cert install\. Then: platen serve\.\n$/,
  );
});

t.test('serve: an expired certificate, does not start and prints the fix', async t => {
  const { code, out, log } = await serve(await dataFolder('expired', 824));
  t.equal(code, 4);
  t.equal(out, '');
  t.match(
    log,
    /^platen serve: The certificate .* expired on \d{4}-\S+Z; replace it with administrator rights: platen cert remove, then: platen cert install, then restart the service\.\n$/,
  );
});

t.test('serve: logs both thumbprints and the expiry date, without a warning before the last 90 days', async t => {
  const dir = await dataFolder('fresh', 824 - 92);
  const { thumbprintSha1, thumbprintSha256, expires, daysLeft } = await readCertificate(dir);
  t.equal(daysLeft, 91);
  const { code, log } = await serve(dir);
  t.equal(code, 0);
  for (const each of [thumbprintSha1, thumbprintSha256, expires.toISOString()]) t.ok(log.includes(each), each);
  t.notMatch(log, /certificate expires in/);
});

t.test('serve: an expired certificate with a successor, serves that one', async t => {
  const dir = await dataFolder('successor');
  await createCertificate(dir, new Date(Date.now() - 830 * DAY), { count: 2 });
  await trustedSomewhere(dir);
  const { thumbprintSha1, daysLeft } = await readCertificate(dir);
  t.equal(daysLeft, 757);
  const { code, log } = await serve(dir);
  t.equal(code, 0);
  t.ok(log.includes(thumbprintSha1));
});

t.test("serve: the last certificate's last 90 days, a warning with the fix", async t => {
  const dir = await dataFolder('old', 824 - 90);
  t.equal((await readCertificate(dir)).daysLeft, 89);
  const { code, log } = await serve(dir);
  t.equal(code, 0);
  t.match(log, /expires in 89 days.*run \\"platen cert install\\" with administrator rights/);
});
