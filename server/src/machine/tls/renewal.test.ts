import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { recordingLog } from '@platen/conformance';
import t, { type Test } from 'tap';
import { createCertificate, readPublicParts, type PublicPart } from './certificate.js';
import { createRenewal, startCertificate } from './renewal.js';

const DAY = 24 * 60 * 60 * 1000;
const began = new Date('2026-03-01T00:00:00Z');
const day = (days: number): Date => new Date(began.getTime() + days * DAY);

/** A service that began on a day of its first certificate. @param trusted which of them a store was given, from 0 */
async function service(t: Test, { count = 3, start = 0, trusted = [] as readonly number[] } = {}) {
  const dir = t.testdir();
  await createCertificate(dir, began, { count });
  const parts = await readPublicParts(dir, began);
  await record(
    dir,
    parts.filter((_, at) => trusted.includes(at)),
  );
  const log = recordingLog();
  const served = await startCertificate(dir, log, day(start));
  const presented: string[] = [];
  const check = createRenewal({ dir, log, served, present: ({ cert }) => void presented.push(cert) });
  /** @returns which one was presented then, by number; undefined if it did not change */
  const on = async (days: number): Promise<number | undefined> => {
    presented.length = 0;
    await check(day(days));
    const [cert] = presented;
    return cert === undefined ? undefined : parts.findIndex(each => each.cert === cert);
  };
  return { dir, parts, served, lines: log.lines, on, first: parts.findIndex(each => each.cert === served.cert) };
}

async function record(dir: string, given: readonly PublicPart[]): Promise<void> {
  if (given.length === 0) return;
  const entries = given.map(({ cert, thumbprintSha1 }) => ({ store: 'one', pem: cert, sha1: thumbprintSha1 }));
  await writeFile(join(dir, 'trust.json'), JSON.stringify(entries));
}

const fileOf = (dir: string, name: string): string => join(dir, 'certificate', name);

t.test('renewal: the successor 30 days before the end, once', async t => {
  const { first, on, dir } = await service(t, { trusted: [0, 1, 2] });
  t.equal(first, 0);
  const before = await readFile(fileOf(dir, 'cert.pem'), 'utf8');
  t.equal(await on(793), undefined);
  t.equal(await on(794), 1);
  t.equal(await on(795), undefined);
  t.equal(await on(1600), 2);
  t.equal(await readFile(fileOf(dir, 'cert.pem'), 'utf8'), before, 'the service changes no file');
});

t.test('renewal: a clock that jumps beyond all and back', async t => {
  const { on, lines } = await service(t, { trusted: [0, 1, 2] });
  t.equal(await on(20_000), undefined);
  t.ok(lines.some(line => line.includes('No other certificate can be served')));
  t.equal(await on(1000), 1);
  t.equal(await on(10), 0);
  t.equal(await on(-400), undefined, 'goes on with the one that it has');
  t.equal(await on(10), undefined);
});

t.test('renewal: an untrusted successor waits until the one before has ended', async t => {
  const { on, lines } = await service(t, { count: 2, trusted: [0] });
  t.equal(await on(823), undefined);
  t.ok(lines.some(line => /expires in 0 days.*platen cert install/.test(line)));
  t.equal(await on(824), 1);
});

t.test('renewal: a damaged successor is skipped and named', async t => {
  for (const damage of [
    (dir: string) => writeFile(fileOf(dir, 'cert-2.pem'), 'nonsense'),
    (dir: string) => writeFile(fileOf(dir, 'key-2.pem'), ''),
    (dir: string) => rm(fileOf(dir, 'key-2.pem')),
    async (dir: string) => writeFile(fileOf(dir, 'key-2.pem'), await readFile(fileOf(dir, 'key.pem'))),
    ...(process.platform === 'win32' ? [] : [(dir: string) => chmod(fileOf(dir, 'key-2.pem'), 0o644)]),
  ]) {
    const { dir, on, lines } = await service(t, { trusted: [0, 1, 2] });
    await damage(dir);
    t.equal(await on(800), undefined);
    t.ok(lines.some(line => /-2\.pem.*platen cert install/.test(line)));
    t.equal(await on(1600), 2);
    await rm(dir, { recursive: true });
  }
});

t.test('renewal: takes successors that were added since', async t => {
  const { dir, on } = await service(t, { count: 1, start: 800, trusted: [0] });
  t.equal(await on(801), undefined);
  await createCertificate(dir, day(802));
  await record(dir, await readPublicParts(dir));
  t.equal(await on(802), -1, 'another one');
});

t.test('renewal: the certificates were removed, goes on with the one that it has', async t => {
  const { dir, on, lines } = await service(t);
  await rm(join(dir, 'certificate'), { recursive: true });
  t.equal(await on(1), undefined);
  t.ok(lines.some(line => line.includes('platen cert install')));
});

t.test('renewal: expired and known to no store, a new one; the old ones stay for a clock that was wrong', async t => {
  const { on, lines, dir } = await service(t, { count: 2 });
  t.equal(await on(5000), -1);
  t.ok(lines.some(line => line.includes('a new one was made')));
  t.equal((await readPublicParts(dir)).length, 3);
  t.equal(await on(5001), undefined);
  t.equal(await on(10), 0, 'back');
});

t.test('renewal: expired but given to a store, does not make one', async t => {
  const { on, dir, served } = await service(t, { count: 1, trusted: [0] });
  t.equal(await on(5000), undefined);
  t.equal((await startCertificate(dir, recordingLog(), day(5))).cert, served.cert);
});

t.test('renewal: a service that begins with an expired certificate does not make one', async t => {
  const { dir } = await service(t, { count: 1 });
  await t.rejects(startCertificate(dir, recordingLog(), day(5000)), { code: 'certificate', fault: 'expired' });
  t.equal((await readPublicParts(dir)).length, 1);
});
