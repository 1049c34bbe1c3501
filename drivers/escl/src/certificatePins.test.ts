/** Certificates that were met before. */
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { createCertificatePins } from './certificatePins.js';

t.test('first use, later use, another one, and both at once', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'pins-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const file = join(folder, 'escl', 'certificates.json');
  const pins = createCertificatePins(file);
  t.strictSame(await Promise.all([pins.accepts('a', '01'), pins.accepts('b', '02'), pins.accepts('a', '03')]), [true, true, false]);
  const again = createCertificatePins(file);
  t.equal(await again.accepts('a', '01'), true);
  t.equal(await again.accepts('a', '02'), false);
  t.equal(await again.accepts('__proto__', '04'), true);
  t.strictSame(JSON.parse(await readFile(file, 'utf8')).a, '01');
  t.equal((await stat(file)).mode & 0o077, 0, 'nobody else reads or writes it');
});

t.test('a file that is none trusts nobody', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'pins-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const file = join(folder, 'certificates.json');
  for (const bad of ['', '[]', 'null', '{']) {
    await writeFile(file, bad);
    await t.rejects(createCertificatePins(file).accepts('a', '01'), { message: file }, JSON.stringify(bad));
  }
});
