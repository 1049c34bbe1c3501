/** `platen-build-native`: builds without Node's headers, skips unchanged sources, and names what is missing. */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { needs } from '@platen/conformance';
import t, { type Test } from 'tap';
import { helperPath } from './helper/helperPath.js';

const script = fileURLToPath(new URL('../bin/buildNative.mjs', import.meta.url));
const source =
  '#include "platen_helper.h"\nint main(void) { platen_start("demo", NULL); platen_serve(NULL, 0, NULL); return 0; }\n';

interface Package {
  readonly folder: string;
  build(env?: NodeJS.ProcessEnv): { status: number | null; said: string };
}

function demoPackage(t: Test, settings: object = {}, files: Record<string, string> = {}): Package {
  const folder = t.testdir({
    'package.json': JSON.stringify({ name: 'demo', platen: { nativeNeeds: { 'no/such.h': 'libno-dev' } } }),
    native: {
      'binding.gyp': JSON.stringify({
        targets: [
          {
            target_name: 'demo',
            type: 'executable',
            sources: ['demo.c'],
            cflags: ['-std=c99', '-Wall', '-Wextra', '-Werror', '-O0'],
            ...settings,
          },
        ],
      }),
      'demo.c': source,
      ...files,
    },
  });
  const build: Package['build'] = env => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [script], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '', ...env },
    });
    return { status, said: stdout + stderr };
  };
  return { folder, build };
}

const quiet = { status: 0, said: '' };
const canBuild = (t: Test): boolean => ['cc', 'make', 'python3'].every(program => needs(t, program));

void t.test('build: a target that is no executable, refused with the fix', async t => {
  if (!canBuild(t)) return;
  const { build } = demoPackage(t, { type: 'loadable_module' });
  const { status, said } = build();
  t.equal(status, 1);
  t.match(said, /demo\.node.*"type": "executable"/);
});

void t.test(
  "build: npm settings for Node's headers, ignored; the helper is built and found, and built again only if a source changed",
  async t => {
    if (!canBuild(t)) return;
    const { folder, build } = demoPackage(t);
    t.strictSame(
      build({ npm_config_nodedir: '/no/such/folder', npm_config_target: '99.0.0', npm_config_loglevel: 'silly' }),
      quiet,
    );
    const program = helperPath(pathToFileURL(`${folder}/`), 'demo');
    t.ok(existsSync(program));
    const { status, stdout } = spawnSync(program, { input: '' });
    t.equal(status, 0, 'it ends with its stdin');
    t.match(stdout.subarray(8).toString(), '{"hello":{"name":"demo","protocol":1}}');

    const age = (): number => statSync(program).mtimeMs;
    const first = age();
    const log = join(folder, 'native/build/output.txt');
    writeFileSync(log, 'no run since');
    t.strictSame(build(), quiet);
    t.equal(readFileSync(log, 'utf8'), 'no run since');
    t.equal(age(), first);

    writeFileSync(join(folder, 'native/demo.c'), source.replace('"demo"', '"other"'));
    utimesSync(join(folder, 'native/demo.c'), new Date(), new Date(Date.now() + 2_000));
    t.strictSame(build(), quiet);
    t.match(spawnSync(program, { input: '' }).stdout.toString(), '"other"');
  },
);

void t.test('build: a source in C becomes one in C++, built', async t => {
  if (!canBuild(t) || !needs(t, 'c++')) return;
  const { folder, build } = demoPackage(t, { cflags: ['-Wall', '-Wextra', '-Werror'] });
  t.strictSame(build(), quiet);
  const native = join(folder, 'native');
  renameSync(join(native, 'demo.c'), join(native, 'demo.cc'));
  const gyp = join(native, 'binding.gyp');
  writeFileSync(gyp, readFileSync(gyp, 'utf8').replace('demo.c', 'demo.cc'));
  t.strictSame(build(), quiet);
  t.equal(spawnSync(join(native, 'build', 'Release', 'demo'), { input: '' }).status, 0);
});

const failures: [title: string, settings: object, code: string, env: NodeJS.ProcessEnv, sentence: string][] = [
  [
    'python',
    {},
    source,
    { NODE_GYP_FORCE_PYTHON: '/no/such/python' },
    'python3, 3.6 or later, is missing (Debian, Ubuntu: apt-get install python3).',
  ],
  [
    'make',
    {},
    source,
    { MAKE: 'make-that-is-not-there' },
    'the compiler is missing: install a C/C++ compiler and make (Debian, Ubuntu: apt-get install build-essential; Fedora: dnf install gcc-c++ make).',
  ],
  [
    'a compiler',
    {},
    source,
    { CC: '/no/such/cc' },
    'the compiler is missing: install a C/C++ compiler and make (Debian, Ubuntu: apt-get install build-essential; Fedora: dnf install gcc-c++ make).',
  ],
  [
    'a header that the package knows',
    {},
    `#include <no/such.h>\n${source}`,
    {},
    'the header no/such.h is missing (install libno-dev).',
  ],
  [
    'a header',
    {},
    `#include <nothing/like.h>\n${source}`,
    {},
    'the header nothing/like.h is missing. Install its development package.',
  ],
  [
    'a library',
    { libraries: ['-lnothing_like_it'] },
    source,
    {},
    'the library nothing_like_it is missing. Install its development package.',
  ],
];
for (const [title, settings, code, env, sentence] of failures) {
  void t.test(`build: ${title} is missing, one sentence says so`, async t => {
    if (!canBuild(t)) return;
    const { build } = demoPackage(t, settings, { 'demo.c': code });
    t.strictSame(build(env), { status: 1, said: `The native helper of demo was not built: ${sentence}\n` });
  });
}

void t.test('build: node-gyp is not installed, one sentence says so', async t => {
  // Outside this clone, whose node_modules has it.
  const folder = mkdtempSync(join(tmpdir(), 'platen-build-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  cpSync(demoPackage(t).folder, folder, { recursive: true });
  const kit = join(folder, 'node_modules', 'kit');
  for (const part of ['bin', 'native'])
    cpSync(join(dirname(dirname(script)), part), join(kit, part), { recursive: true });
  const { status, stderr } = spawnSync(process.execPath, [join(kit, 'bin', 'buildNative.mjs')], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '', NODE_PATH: '' },
  });
  t.equal(status, 1);
  t.match(stderr, /^The native helper of demo was not built: node-gyp is missing \(.+\)\.\n$/);
});

void t.test('build: a mistake in a source, quoted; the corrected source builds', async t => {
  if (!canBuild(t)) return;
  const { folder, build } = demoPackage(t, {}, { 'demo.c': 'int main(void) { return nonsense; }\n' });
  const { status, said } = build();
  t.equal(status, 1);
  t.match(
    said,
    /^The native helper of demo was not built: .*nonsense.*; native\/build\/output\.txt has the full output\.\n$/,
  );
  writeFileSync(join(folder, 'native/demo.c'), source);
  t.strictSame(build(), quiet);
});

void t.test('build: a package for other systems, skipped without output', async t => {
  const { folder, build } = demoPackage(t);
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'demo', platen: { nativeTargets: ['elsewhere-x64', 'elsewhere-ia32'] } }),
  );
  t.strictSame(build(), quiet);
  t.notOk(existsSync(join(folder, 'native/build')));
});

void t.test('build: no native/binding.gyp, says where to run it', async t => {
  const folder = t.testdir({});
  mkdirSync(join(folder, 'native'));
  const { status, stderr } = spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' });
  t.equal(status, 1);
  t.match(stderr, /^There is no native\/binding\.gyp here\..*\.\n$/);
});
