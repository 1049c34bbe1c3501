/** Certificates of devices, pinned on first use. */
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { createCertificatePins } from './certificatePins.js';

t.test('accepts: first use, later use, another certificate, several at once', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'pins-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const file = join(folder, 'escl', 'certificates.json');
  const pins = createCertificatePins(file);
  t.strictSame(await Promise.all([pins.accepts('a', '01'), pins.accepts('b', '02'), pins.accepts('a', '03')]), [
    true,
    true,
    false,
  ]);
  const again = createCertificatePins(file);
  t.equal(await again.accepts('a', '01'), true);
  t.equal(await again.accepts('a', '02'), false);
  t.equal(await again.accepts('__proto__', '04'), true);
  t.strictSame(JSON.parse(await readFile(file, 'utf8')).a, '01');
  t.equal((await stat(file)).mode & 0o077, 0, 'no other account may access it');
});

t.test('accepts: unreadable file, no certificate is accepted', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'pins-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const file = join(folder, 'certificates.json');
  for (const bad of ['', '[]', 'null', '{']) {
    await writeFile(file, bad);
    await t.rejects(createCertificatePins(file).accepts('a', '01'), { message: file }, JSON.stringify(bad));
  }
});
