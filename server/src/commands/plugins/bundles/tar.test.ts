/** Tar as bundles use it: what is written is read again, also by others; what is damaged is refused. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { BundleFault } from './bundleFault.js';
import { tarOf } from './bundle.test.kit.js';
import { byteReader } from './byteReader.js';
import { readTar } from './tar.js';

const run = promisify(execFile);

/** In pieces of a length that no block has. */
async function* pieces(bytes: Buffer, length = 1000): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function read(bytes: Buffer): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for await (const { path, content } of readTar(byteReader(pieces(bytes), 1e9))) {
    const parts: Buffer[] = [];
    for await (const part of content()) parts.push(part);
    files[path] = Buffer.concat(parts).toString();
  }
  return files;
}

const many = {
  'bundle.json': '{}',
  'node_modules/a/empty': '',
  'node_modules/a/block': 'x'.repeat(512),
  [`node_modules/${'long/'.repeat(24)}name`]: 'prefix',
  [`node_modules/${'b'.repeat(180)}`]: 'a name that fits nowhere',
  'node_modules/a/ä€😀': 'not ASCII',
};

t.test('what was written is read again, with long names and others', async t => {
  t.same(await read(await tarOf(many)), many);
});

t.test('the same bytes each time, which the system reads, too', async t => {
  const tar = await tarOf(many);
  t.ok(tar.equals(await tarOf(many)));
  const file = join(t.testdir(), 'a.tar');
  await writeFile(file, tar);
  const { stdout } = await run('tar', ['--quoting-style=literal', '-tf', file]).catch(() => run('tar', ['-tf', file]));
  t.equal(stdout.trim().split('\n').length, Object.keys(many).length);
  t.match(stdout, /b{180}/);
});

t.test('a tar of the system: files are read, a link is refused', async t => {
  const dir = t.testdir({ in: { 'a.txt': 'A', sub: { 'b.txt': 'B' } } });
  await run('tar', ['--format=ustar', '-cf', 'a.tar', '-C', 'in', 'a.txt', 'sub'], { cwd: dir });
  t.same(await read(await readFile(join(dir, 'a.tar'))), { 'a.txt': 'A', 'sub/b.txt': 'B' });
  await mkdir(join(dir, 'links'));
  await symlink('/etc/passwd', join(dir, 'links/l'));
  await run('tar', ['--format=ustar', '-cf', 'l.tar', '-C', 'links', 'l'], { cwd: dir });
  await t.rejects(read(await readFile(join(dir, 'l.tar'))), { name: 'BundleFault', message: /"l".*a link/ });
});

t.test('torn, or with something behind its end', async t => {
  const tar = await tarOf(many);
  for (const length of [0, 100, 512, 1030, tar.length - 1024])
    await t.rejects(read(tar.subarray(0, length)), BundleFault);
  await t.rejects(read(Buffer.concat([tar, Buffer.alloc(512, 1)])), BundleFault);
});

t.test('two thousand damaged ones: refused with a reason, or read to the end', async t => {
  const tar = await tarOf(many);
  let seed = 7;
  const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  let refused = 0;
  for (let round = 0; round < 2000; round += 1) {
    const damaged = Buffer.from(tar);
    for (let left = 1 + random(4); left > 0; left -= 1) damaged[random(damaged.length)] = random(256);
    const bytes = random(4) === 0 ? damaged.subarray(0, random(damaged.length)) : damaged;
    await read(bytes).catch((error: unknown) => {
      if (!(error instanceof BundleFault)) throw error;
      refused += 1;
    });
  }
  t.ok(refused > 500, String(refused));
});
