import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { certificate, fakeTools, type FakeTools } from './fakes.test.kit.js';
import { linuxSystemStore } from './linuxSystem.js';
import type { TrustStore } from './store.js';

const A = certificate('A');

interface Place {
  readonly dir: string;
  readonly tools: FakeTools;
  store(root: boolean): TrustStore;
  files(folder: string): string[];
}

function place(t: { testdir(): string }, answers: Parameters<typeof fakeTools>[0] = {}): Place {
  const dir = t.testdir();
  for (const each of ['etc', 'hooks']) mkdirSync(join(dir, each));
  const tools = fakeTools(answers);
  const places = { local: join(dir, 'local'), etc: join(dir, 'etc'), hooks: join(dir, 'hooks'), update: 'update' };
  return {
    dir,
    tools,
    store: root => linuxSystemStore(tools, { root, certFile: '/data/certificate/cert.pem' }, places),
    files: folder => readdirSync(join(dir, folder)),
  };
}

const posix = { skip: process.platform === 'win32' && 'links need rights here' };

t.test('Linux store: without administrator rights, changes nothing and names the commands', posix, async t => {
  const { dir, store, tools } = place(t);
  const file = join(dir, 'local', `platen-${A.sha1}.crt`);
  await t.rejects(store(false).add(A), {
    fault: 'administrator',
    message: new RegExp(
      `administrator rights. Run: sudo install -D -m 644 "/data/certificate/cert.pem" "${file}" && sudo update-ca-certificates$`,
    ),
  });
  t.equal(await store(false).remove(A), false, 'what is not there needs no rights');
  mkdirSync(join(dir, 'local'));
  writeFileSync(file, A.pem);
  await t.rejects(store(false).remove(A), {
    fault: 'administrator',
    message: /sudo rm -f .* && sudo update-ca-certificates --fresh$/,
  });
  t.same(tools.calls, []);
});

t.test('Linux store: the program is missing or fails, nothing is changed', posix, async t => {
  for (const [answer, message] of [
    [undefined, /program update is not installed.*ca-certificates.*cert\.pem/],
    [{ code: 1, said: 'no room' }, /"update" failed with code 1: no room/],
  ] as const) {
    const { store, files } = place(t, { update: answer });
    await t.rejects(store(true).add(A), { message });
    t.same(files('local'), []);
  }
});

t.test('Linux store: the added file is readable by all, also with a narrow umask', posix, async t => {
  const { dir, store, tools } = place(t);
  const umask = process.umask(0o077);
  await store(true)
    .add(A)
    .finally(() => process.umask(umask));
  const file = join(dir, 'local', `platen-${A.sha1}.crt`);
  t.equal(readFileSync(file, 'utf8'), A.pem);
  t.equal(statSync(file).mode & 0o777, 0o644);
  t.same(tools.calls, ['update']);
});

t.test('Linux store: trusted means in the bundle', posix, async t => {
  const { dir, store } = place(t);
  t.equal(await store(true).trusted(A), false, 'there is no bundle');
  writeFileSync(join(dir, 'etc', 'ca-certificates.crt'), `${certificate('B').pem}${A.pem.replaceAll('\n', '\r\n')}`);
  t.equal(await store(true).trusted(A), true);
  t.equal(await store(true).trusted(certificate('C')), false);
});

t.test('Linux store: removes every link, and runs the hooks', posix, async t => {
  const { dir, store, tools, files } = place(t);
  await store(true).add(A);
  const other = `platen-${'B'.repeat(40)}`;
  symlinkSync(join(dir, 'local', `platen-${A.sha1}.crt`), join(dir, 'etc', `platen-${A.sha1}.pem`));
  symlinkSync(`platen-${A.sha1}.pem`, join(dir, 'etc', '2f528955.0'));
  symlinkSync(`${other}.pem`, join(dir, 'etc', '2f528955.1'));
  for (const name of ['keystore', 'keystore.dpkg-old']) writeFileSync(join(dir, 'hooks', name), '');
  t.equal(await store(true).remove(A), true);
  t.same(files('local'), []);
  t.same(files('etc'), ['2f528955.1']);
  const link = join(dir, 'etc', `platen-${A.sha1}.pem`);
  t.same(tools.calls, ['update', 'update', `${join(dir, 'hooks', 'keystore')} < ${JSON.stringify(`-${link}\n`)}`]);
  t.equal(await store(true).remove(A), false);
});
