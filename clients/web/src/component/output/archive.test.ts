import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import t from 'tap';
import { archiveOf } from './archive.js';

const run = promisify(execFile);
const hasUnzip = await run('unzip', ['-v']).then(
  () => true,
  () => false,
);
const file = (name: string, content: string | Uint8Array<ArrayBuffer>) => ({
  name,
  read: async () => new Blob([content]),
  at: new Date(2026, 10, 21, 10, 30, 44),
});

/** What its directory says, by which a reader finds the files. */
function filesIn(zip: Buffer): object[] {
  const end = zip.subarray(-22);
  let at = end.readUInt32LE(16);
  return Array.from({ length: end.readUInt16LE(10) }, () => {
    const length = zip.readUInt16LE(at + 28);
    const [checksum, size] = [zip.readUInt32LE(at + 16), zip.readUInt32LE(at + 24)];
    const name = zip.toString('utf8', at + 46, at + 46 + length);
    const start = zip.readUInt32LE(at + 42) + 30 + length;
    at += 46 + length;
    return { name, size, checksum, isWhole: crc32(zip.subarray(start, start + size)) === checksum };
  });
}

t.test('archive: every file with its name, its bytes and its time, also for unzip where it is installed', async t => {
  const bytes = Uint8Array.from({ length: 70_000 }, (_, at) => (at * 31) % 256);
  const archive = await archiveOf([file('a.png', bytes), file('Größe 請求.txt', 'hello'), file('empty', '')]);
  t.equal(archive.type, 'application/zip');
  t.strictSame(filesIn(Buffer.from(await archive.arrayBuffer())), [
    { name: 'a.png', size: 70_000, checksum: crc32(bytes), isWhole: true },
    { name: 'Größe 請求.txt', size: 5, checksum: crc32('hello'), isWhole: true },
    { name: 'empty', size: 0, checksum: 0, isWhole: true },
  ]);
  if (!hasUnzip) return;
  const path = join(t.testdir(), 'pages.zip');
  await writeFile(path, new Uint8Array(await archive.arrayBuffer()));
  t.match((await run('unzip', ['-t', path])).stdout, /No errors detected/);
  const environment = { env: { ...process.env, LC_ALL: 'C.UTF-8', TZ: 'UTC' } };
  const { stdout } = await run('unzip', ['-l', path], environment);
  t.match(stdout, /70000 {2}2026-11-21 10:30 {3}a\.png/);
  t.match(stdout, /5 .*Größe 請求\.txt/);
  const { stdout: first } = await run('unzip', ['-p', path, 'a.png'], { encoding: 'buffer' });
  t.equal(Buffer.compare(first, bytes), 0);
});

t.test('archive: files are read one after the other, and a failure is the archive’s', async t => {
  let reading = 0;
  const slow = (name: string) => ({
    ...file(name, ''),
    async read() {
      t.equal(++reading, 1, name);
      await new Promise(resolve => setTimeout(resolve, 2));
      reading--;
      return new Blob([name]);
    },
  });
  await archiveOf(['a', 'b', 'c'].map(slow));
  const broken = { ...file('d', ''), read: () => Promise.reject(new Error('away')) };
  await t.rejects(archiveOf([slow('a'), broken]), { message: 'away' });
});
