import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { cert } from './cert.js';
import { exitCodeOf } from './exitCodes.js';
import type { Io } from './io.js';

const root = await mkdtemp(join(tmpdir(), 'platen-cert-cli-'));
t.teardown(() => rm(root, { recursive: true, force: true }));

async function run(data: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const io: Io = { out: line => void out.push(line), err: line => void err.push(line), env: { PLATEN_DATA_DIR: data }, cwd: root };
  try {
    return { code: await cert(args, io), out: out.join('\n'), err: err.join('\n') };
  } catch (error) {
    return { code: exitCodeOf(error), out: out.join('\n'), err: (error as Error).message };
  }
}

t.test('wrong usage is 2', async t => {
  t.match(await run('a'), { code: 2, err: /platen cert install/ });
  t.match(await run('a', 'renew'), { code: 2 });
  t.match(await run('a', 'install', 'twice'), { code: 2 });
  t.match(await run('a', 'install', '--trust'), { code: 2 });
  t.match(await run('a', 'status', '--no-trust'), { code: 2, err: /belongs to "platen cert install"/ });
  t.match(await run('a', 'toString'), { code: 2 });
});

t.test('--help is 0 and documents the exit codes', async t => {
  t.match(await run('a', '--help'), { code: 0, out: /4 {2}the certificate is missing or not valid/ });
  t.match(await run('a', 'status', '--help'), { code: 0, out: /platen cert status/ });
});

t.test('without a certificate', async t => {
  t.match(await run('none', 'status'), { code: 4, err: /platen cert install/ });
  t.match(await run('none', 'remove'), { code: 0, out: 'There was no certificate.' });
});

t.test('a data folder that cannot be used is 3', async t => {
  await writeFile(join(root, 'file'), '');
  t.match(await run('file', 'install', '--no-trust'), { code: 3, err: /is not a folder/ });
});

t.test('install, status, install again, remove', async t => {
  const made = await run('data', 'install', '--no-trust');
  t.match(made, { code: 0, out: /A certificate was made.*\nThumbprint \(SHA-1\): +[0-9A-F]{40}\n.*[0-9A-F]{64}\nExpires: +\d{4}-\S+Z \(823 days left\)$/ });
  t.notMatch(made.out, /trust/);
  const thumbprint = /[0-9A-F]{64}/.exec(made.out)?.[0] ?? 'none';
  t.match(await run('data', 'status'), { code: 0, out: thumbprint });
  t.match(await run('data', 'install'), { code: 0, out: /There is a valid certificate already[^]*does not touch trust stores yet/ });
  t.match((await run('data', 'status')).out, thumbprint, 'the same one');
  t.match(await run('data', 'remove'), { code: 0, out: /was removed/ });
  t.match(await run('data', 'status'), { code: 4 });
});
