/** Reading the manifest of a packed package: bounded, whatever the file unpacks to. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { packedManifest } from './packedManifest.js';

/** A file in a tar. @param size in its header, if it is not the content's */
function entry(name: string, content: string | Buffer, size = content.length): Buffer {
  const header = Buffer.alloc(512);
  header.write(name);
  header.write(size.toString(8).padStart(11, '0'), 124);
  const padded = Buffer.alloc(Math.ceil(content.length / 512) * 512);
  Buffer.from(content).copy(padded);
  return Buffer.concat([header, padded]);
}
const manifest = (fields: object): Buffer => entry('package/package.json', JSON.stringify({ name: 'a', ...fields }));
const zeros = Buffer.alloc(1024 * 1024);

t.test('the manifest after other files; nothing behind it is read', async t => {
  const file = join(t.testdir(), 'a.tgz');
  const tar = Buffer.concat([entry('package/big', zeros), manifest({ dependencies: { b: '^1', c: '2.0.0' } })]);
  const whole = gzipSync(Buffer.concat([tar, entry('package/rest', Buffer.from(String(Math.PI).repeat(20_000)))]));
  await writeFile(file, whole);
  t.same(
    [...(await packedManifest(file)).needs],
    [
      ['b', '^1'],
      ['c', '2.0.0'],
    ],
  );
  await writeFile(file, gzipSync(Buffer.concat([tar, zeros, zeros])).subarray(0, -100));
  t.equal((await packedManifest(file)).name, 'a', 'a file that is cut behind it');
});

t.test('dependencies that are in the file are not needed', async t => {
  const file = join(t.testdir(), 'a.tgz');
  const dependencies = { b: '^1', c: '2.0.0' };
  for (const [fields, needed] of [
    [{ dependencies, bundleDependencies: ['c'] }, ['b']],
    [{ dependencies, bundledDependencies: ['b', 'c'] }, []],
    [{ dependencies, bundleDependencies: true }, []],
    [{ dependencies: 7 }, []],
  ] as const) {
    await writeFile(file, gzipSync(manifest(fields)));
    t.same([...(await packedManifest(file)).needs.keys()], needed);
  }
});

t.test('a file that unpacks to more than the limit before a manifest, refused', async t => {
  const file = join(t.testdir(), 'a.tgz');
  await writeFile(file, gzipSync(Buffer.concat([entry('package/big', zeros), manifest({})])));
  await t.rejects(packedManifest(file, 1000), { message: /is not a package/ });
  await writeFile(file, gzipSync(entry('package/package.json', zeros)));
  await t.rejects(packedManifest(file), { message: /is not a package/ }, 'a manifest of a megabyte of zeros');
  await writeFile(file, gzipSync(entry('package/package.json', '{', 8 ** 11 - 1)));
  await t.rejects(packedManifest(file), { message: /is not a package/ }, 'a size that is not there');
});

t.test('a folder, a file that is missing, text, names that lead elsewhere', async t => {
  const dir = t.testdir();
  await mkdir(join(dir, 'd.tgz'));
  await t.rejects(packedManifest(join(dir, 'd.tgz')), { message: /not a regular file/ });
  await t.rejects(packedManifest(join(dir, 'none.tgz')), { message: /^There is no file/ });
  const file = join(dir, 'a.tgz');
  await writeFile(file, 'text');
  await t.rejects(packedManifest(file), { message: /is not a package/ });
  for (const name of ['../x', 7, undefined, '@platen/../x']) {
    await writeFile(file, gzipSync(manifest({ name })));
    await t.rejects(packedManifest(file), { message: /is not a package/ });
  }
});
