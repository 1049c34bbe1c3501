import { X509Certificate } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { generate } from '../generate.js';
import { certificate, fakeTools, type FakeTools } from './fakes.test.kit.js';
import { linuxSystemStore, type LinuxStore } from './linuxSystem.js';
import type { PublicCertificate } from './store.js';

const A = certificate('A');

interface Place {
  readonly dir: string;
  readonly tools: FakeTools;
  store(root: boolean, isNumbered?: boolean): LinuxStore;
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
    store: (root, isNumbered = false) => linuxSystemStore(tools, { root, isNumbered }, places),
    files: folder => readdirSync(join(dir, folder)),
  };
}

const posix = { skip: process.platform === 'win32' && 'links need rights here' };

t.test('Linux store: without administrator rights, changes nothing and names the commands', posix, async t => {
  const { dir, store, tools } = place(t);
  const file = join(dir, 'local', `platen-${A.sha1}.crt`);
  await t.rejects(store(false).add([{ ...A, file: '/data/certificate/cert.pem' }]), {
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
    await t.rejects(store(true).add([A]), { message });
    t.same(files('local'), []);
  }
});

t.test('Linux store: the added file is readable by all, also with a narrow umask', posix, async t => {
  const { dir, store, tools } = place(t);
  const umask = process.umask(0o077);
  await store(true)
    .add([A])
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
  await store(true).add([A]);
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

const DAY_MS = 24 * 60 * 60 * 1000;
function own(daysAgo = 0): PublicCertificate {
  const pem = generate(new Date(Date.now() - daysAgo * DAY_MS)).cert;
  return { pem, sha1: new X509Certificate(pem).fingerprint.replaceAll(':', '') };
}
const fileOf = ({ sha1 }: PublicCertificate): string => `platen-${sha1}.crt`;

t.test('Linux store: a new certificate, expired ones of Platen go and valid ones stay', posix, async t => {
  const { dir, store, files } = place(t);
  const [expired, other, fresh] = [own(900), own(1), own()];
  mkdirSync(join(dir, 'local'));
  // Another certificate by our name, as somebody may have copied it.
  const foreign = fileOf(certificate('F'));
  writeFileSync(join(dir, 'local', foreign), certificate('F').pem);
  for (const each of [expired, other]) writeFileSync(join(dir, 'local', fileOf(each)), each.pem);
  symlinkSync(join(dir, 'local', fileOf(expired)), join(dir, 'etc', `platen-${expired.sha1}.pem`));
  await store(true).add([fresh]);
  t.same(files('local').sort(), [foreign, fileOf(fresh), fileOf(other)].sort());
  t.same(files('etc'), []);
});

t.test("Linux store: numbered copies, the new certificates take the old ones' places", posix, async t => {
  const { dir, store, files, tools } = place(t);
  const [old, last, fresh] = [own(1), own(2), own()];
  const service = store(true, true);
  t.same(await service.held(), []);
  writeFileSync(join(dir, 'hooks', 'keystore'), '');
  await service.add([old, fresh, last]);
  t.same(files('local').sort(), ['platen-2.crt', 'platen-3.crt', 'platen.crt']);
  t.same(new Set(await service.held()), new Set([old, fresh, last]));
  await service.add([fresh]);
  t.same([files('local'), await service.held()], [['platen.crt'], [fresh]]);
  t.equal(
    tools.calls.filter(call => call.includes('keystore <')).length,
    3,
    'programs with a copy learn that they went',
  );
  t.equal(await service.remove(old), false);
  t.equal(await store(true).remove(fresh), true, 'found by its content, whatever its name is');
  t.same(files('local'), []);

  writeFileSync(join(dir, 'local', 'platen.crt'), A.pem);
  await t.rejects(service.add([fresh]), { code: 'trust', fault: 'foreign' });
  t.same(await service.held(), []);
  t.equal(readFileSync(join(dir, 'local', 'platen.crt'), 'utf8'), A.pem);
});

t.test('Linux store: several certificates, one command or one update', posix, async t => {
  const { store, tools, files } = place(t);
  const [one, two] = [own(), own()];
  await t.rejects(
    store(false).add([
      { ...one, file: '/data/1' },
      { ...two, file: '/data/2' },
    ]),
    {
      message: /Run: sudo install .*"\/data\/1" .* && sudo install .*"\/data\/2" .* && sudo update-ca-certificates$/,
    },
  );
  await store(true).add([one, two]);
  t.same(files('local').sort(), [fileOf(one), fileOf(two)].sort());
  t.same(tools.calls, ['update']);
});
