/** Grants on disk: foreign, damaged and planted files, other processes, and a folder that cannot be read. */
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { openGrantFolder, type StoredGrant } from './grantFolder.js';

const A = 'https://a.example';
const B = 'https://b.example';
const grant = (origin: string): StoredGrant => ({
  origin,
  scanners: '*',
  may: ['scan'],
  until: undefined,
  by: 'page',
  at: Date.UTC(2026, 0, 1),
  passes: [],
});

function folderFor(t: Test) {
  const dataDir = t.testdir();
  const warnings: string[] = [];
  const open = () => openGrantFolder(dataDir, sentence => void warnings.push(sentence));
  return { dataDir, folder: join(dataDir, 'origins'), open, warnings };
}

t.test('folder: what is written is read, by another process too, at once', async t => {
  const { folder, open, warnings } = folderFor(t);
  const [service, command] = [open(), open()];
  t.equal(service.read().size, 0);
  for (let round = 0; round < 20; round++) {
    command.write({ ...grant(A), may: round % 2 ? [] : ['scan', 'settings'] });
    t.same(service.read().get(A)?.may, round % 2 ? [] : ['scan', 'settings']);
    t.equal(command.remove(A), true);
    t.equal(service.read().size, 0);
    t.equal(service.remove(A), false);
  }
  service.write(grant(A));
  service.write({ ...grant(B), until: Date.UTC(2027, 0, 1), passes: ['x'] });
  t.same(command.read().get(A), grant(A));
  t.same(command.read().get(B), { ...grant(B), until: Date.UTC(2027, 0, 1), passes: ['x'] });
  const names = readdirSync(folder);
  t.equal(names.length, 2, 'no draft is left');
  if (process.platform !== 'win32') {
    t.equal(statSync(folder).mode & 0o777, 0o700);
    for (const name of names) t.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
  }
  t.same(warnings, []);
});

t.test('folder: a change that leaves the folder’s time as it was, on a disk that counts in seconds', async t => {
  const { folder, open } = folderFor(t);
  const [service, command] = [open(), open()];
  command.write(grant(A));
  // Ahead, so that it is a fresh one however long this test takes.
  const coarse = new Date((Math.floor(Date.now() / 1000) + 3600) * 1000);
  utimesSync(folder, coarse, coarse);
  t.equal(service.read().size, 1);
  command.remove(A);
  utimesSync(folder, coarse, coarse);
  t.equal(service.read().size, 0, 'revoked');
});

t.test('folder: damaged, huge and foreign files are skipped, with a sentence said once', async t => {
  const { folder, open, warnings } = folderFor(t);
  const service = open();
  service.write(grant(A));
  const name = (digit: string) => join(folder, `${digit.repeat(64)}.json`);
  writeFileSync(name('0'), '{"origin":');
  writeFileSync(name('1'), ' '.repeat(65 * 1024));
  writeFileSync(name('2'), '[]');
  writeFileSync(name('3'), JSON.stringify({ origin: 'null', may: ['scan'] }));
  mkdirSync(name('4'));
  writeFileSync(join(folder, 'notes.json'), 'x');
  for (let look = 0; look < 3; look++) t.same([...service.read().keys()], [A]);
  t.equal(warnings.length, 5);
  for (const digit of '01234')
    t.ok(
      warnings.some(each => each.includes(name(digit))),
      digit,
    );
});

t.test('folder: a grant under another name would outlive its revocation, and is none', async t => {
  const { folder, open, warnings } = folderFor(t);
  const service = open();
  service.write(grant(B));
  const [file = ''] = readdirSync(folder);
  renameSync(join(folder, file), join(folder, `${'a'.repeat(64)}.json`));
  t.equal(service.read().size, 0);
  t.match(warnings, [/b\.example/]);
});

t.test('folder: links and pipes are not read', { skip: process.platform === 'win32' }, async t => {
  const { dataDir, folder, open, warnings } = folderFor(t);
  const service = open();
  service.write(grant(A));
  const [file = ''] = readdirSync(folder);
  renameSync(join(folder, file), join(dataDir, 'elsewhere.json'));
  symlinkSync(join(dataDir, 'elsewhere.json'), join(folder, file));
  execFileSync('mkfifo', [join(folder, `${'b'.repeat(64)}.json`)]);
  t.equal(service.read().size, 0);
  t.equal(warnings.length, 2);
  service.write(grant(A));
  t.equal(service.read().size, 1, 'a new answer replaces the link');
  t.match(readFileSync(join(dataDir, 'elsewhere.json'), 'utf8'), A);
});

t.test('folder: one that cannot be read allows nobody, and works when it is back', async t => {
  const { folder, open, warnings } = folderFor(t);
  const service = open();
  service.write(grant(A));
  renameSync(folder, `${folder}-away`);
  writeFileSync(folder, 'a file');
  for (let look = 0; look < 3; look++) t.equal(service.read().size, 0);
  t.equal(warnings.length, 1);
  t.throws(() => service.write(grant(B)), { code: /E/ });
  rmSync(folder);
  renameSync(`${folder}-away`, folder);
  t.same([...service.read().keys()], [A]);
});
