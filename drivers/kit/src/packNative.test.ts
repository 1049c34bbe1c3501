/** `platen-pack-native`: the tarball has the programs of each platform and their hashes, and a refusal says how to fix it. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';
import { helperProgram } from './helper/helperProgram.js';

const script = fileURLToPath(new URL('../bin/packNative.mjs', import.meta.url));
const here = `${process.platform}-${process.arch}`;
const ending = process.platform === 'win32' ? '.exe' : '';
const manifest = {
  name: '@acme/driver',
  version: '1.2.3',
  files: ['dist', 'prebuilt'],
  scripts: { prepack: 'exit 7' },
  platen: { programs: ['acme-helper'], nativeNeeds: {} },
};
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A package whose program was built. */
function driver(t: Test, change: object = {}) {
  const folder = t.testdir({ dist: { 'plugin.js': '' }, 'secret.key': '' });
  const put = (file: string, text: string): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  put('package.json', JSON.stringify({ ...manifest, ...change }));
  put(`native/build/Release/acme-helper${ending}`, 'built');
  const run = () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' });
    return { status, stdout, stderr };
  };
  return { folder, put, run };
}

void t.test('pack: the programs of this platform and of others, with their hashes', async t => {
  const { folder, put, run } = driver(t);
  const other = process.platform === 'win32' ? 'win32-ia32' : 'win32-arm';
  put(`prebuilt/${other}/bin/acme-helper.exe`, 'from there');
  put(`prebuilt/${here}/bin/acme-helper${ending}`, 'of an earlier build');
  put(`prebuilt/${here}/bin/left-over`, '');
  put('prebuilt/.DS_Store', '');
  for (const library of ['libacme.so.1', 'acme.dll', 'acme.lib']) put(`native/build/Release/${library}`, library);
  const { status, stdout, stderr } = run();
  t.equal(status, 0, stderr);
  t.match(stdout, /^acme-driver-1\.2\.3\.tgz, with programs for /);
  const to = join(folder, 'unpacked');
  mkdirSync(to);
  t.equal(spawnSync('tar', ['-xzf', join('..', 'acme-driver-1.2.3.tgz')], { cwd: to }).status, 0);
  const read = (file: string): string => readFileSync(join(to, 'package', file), 'utf8');
  const packed = JSON.parse(read('package.json')) as object;
  t.match(packed, {
    ...manifest,
    platen: {
      ...manifest.platen,
      prebuilt: {
        [here]: { sha256: { [`acme-helper${ending}`]: sha256('built') } },
        [other]: { sha256: { 'acme-helper.exe': sha256('from there') } },
      },
    },
  });
  t.equal(read(`prebuilt/${here}/bin/acme-helper${ending}`), 'built');
  t.notOk(existsSync(join(to, 'package', 'prebuilt', here, 'bin', 'left-over')), 'of an earlier build');
  t.notOk(existsSync(join(to, 'package', 'secret.key')));
  for (const library of ['libacme.so.1', 'acme.dll']) t.equal(read(`prebuilt/${here}/bin/${library}`), library);
  t.notOk(existsSync(join(to, 'package', 'prebuilt', here, 'bin', 'acme.lib')), 'what only a linker needs');
  const { command, refused } = helperProgram(pathToFileURL(`${join(to, 'package')}/`), 'acme-helper');
  t.same([command, refused], [join(to, 'package', 'prebuilt', here, 'bin', `acme-helper${ending}`), undefined]);
  if (process.platform !== 'win32') t.equal(statSync(command).mode & 0o111, 0o111, 'it can be executed');
  t.same(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')), manifest, 'the own package.json stays');
});

const refusals: [title: string, change: object, spoil: (folder: string) => void, sentence: RegExp][] = [
  ['no programs', { platen: {} }, () => undefined, /"platen\.programs"/],
  ['a path as program', { platen: { programs: ['../a'] } }, () => undefined, /"platen\.programs"/],
  [
    'nothing built',
    {},
    folder => rmSync(join(folder, 'native'), { recursive: true }),
    /native\/build\/Release\/acme-helper.* is missing: run platen-build-native/,
  ],
  [
    'a platform without the program',
    {},
    folder => mkdirSync(join(folder, 'prebuilt', 'win32-arm'), { recursive: true }),
    /prebuilt\/win32-arm\/bin\/acme-helper\.exe is missing/,
  ],
  ['prebuilt is not packed', { files: ['dist'] }, () => undefined, /add "prebuilt" to "files"/],
  ['no package', {}, folder => rmSync(join(folder, 'package.json')), /no package\.json/],
];

for (const [title, change, spoil, sentence] of refusals) {
  void t.test(`pack: ${title}, refused with one sentence`, async t => {
    const { folder, run } = driver(t, change);
    spoil(folder);
    const { status, stderr } = run();
    t.equal(status, 1);
    t.match(stderr, sentence);
    t.equal(stderr.trim().split('\n').length, 1);
    t.notOk(existsSync(join(folder, 'acme-driver-1.2.3.tgz')));
  });
}
