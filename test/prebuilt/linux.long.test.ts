/** SANE's helper for Linux: runs with glibc 2.31, on both processors, and is built the same each time. */
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { needs } from '@platen/conformance';
import { nullLog } from '@platen/core/plugin';
import { createHelper, helperProgram, type HelperOptions } from '@platen/driver-kit';
import t, { type Test } from 'tap';
import { build, clone, compilerOf, helpers, needsLinux, printed } from './prebuilt.test.kit.js';

const names = ['driver-sane-linux-x64', 'driver-sane-linux-arm64'];
const driver = dirname(fileURLToPath(import.meta.resolve('@platen/driver-sane/package.json')));
const programOf = (name: string): string => join(helpers.helpersFolder, name, 'bin', 'platen-sane-helper');
const call = { deadlineMs: 30_000 };

/** libsane over one simulated flatbed: the backend of drivers/sane, under libsane's own names. */
async function simulatedLibrary(folder: string, toolchain: string): Promise<void> {
  const { compiler, flags } = await compilerOf(toolchain);
  const source = join(driver, 'native', 'simulation', 'platen.c');
  const functions = new Set(readFileSync(source, 'utf8').match(/\bsane_platen_\w+/g));
  writeFileSync(join(folder, 'status.c'), 'const char *sane_strstatus(int status) { return status ? "no" : "yes"; }');
  execFileSync(compiler, [
    ...flags.filter(flag => !/pie$/i.test(flag)),
    ...[...functions].map(name => `-D${name}=${name.replace('platen_', '')}`),
    ...['-std=gnu11', '-fPIC', '-shared', '-o', join(folder, 'libsane.so.1')],
    ...[source, join(folder, 'status.c')],
    ...['-ldl', '-lpthread'],
  ]);
  mkdirSync(join(folder, 'body'));
  writeFileSync(join(folder, 'body', 'is'), 'flatbed grey');
}

/** A page of a device: its bytes, and those that the backend announced. */
async function scan(t: Test, options: Pick<HelperOptions, 'command' | 'args' | 'env'>, device: string) {
  const helper = createHelper({ name: 'sane', log: nullLog, ...options });
  t.teardown(() => helper.close());
  await helper.call('init', {}, call);
  await helper.call('open', { device }, call);
  await helper.call('start', {}, call);
  const { header } = await helper.call('parameters', {}, call);
  let got = 0;
  await helper.call('read', {}, { ...call, onMore: ({ data }) => void (got += data.length) });
  return { got, wanted: Number(header['bytesPerLine']) * Number(header['lines']) };
}

t.test('Linux: no symbol is newer than glibc 2.31, and nothing but the C library is needed', async t => {
  if (!needsLinux(t)) return;
  await build(helpers.helpersFolder, names);
  for (const name of names) {
    const symbols = await printed('aarch64-linux-gnu-objdump', ['-T', programOf(name)]);
    const versions = [...symbols.matchAll(/GLIBC_(\d+)\.(\d+)/g)].map(
      ([, major, minor]) => [+major!, +minor!] as const,
    );
    t.ok(versions.length > 20, `${name}: ${versions.length} symbols`);
    t.same(
      versions.filter(([major, minor]) => major > 2 || minor > 31),
      [],
      name,
    );
    const dynamic = await printed('readelf', ['--dynamic', '--wide', programOf(name)]);
    const needed = [...dynamic.matchAll(/NEEDED.*\[(.+)\]/g)].map(([, library]) => library);
    t.same(
      needed.filter(library => !/^(?:libc|libdl|libpthread|ld-linux-aarch64)\.so\.\d$/.test(library!)),
      [],
      `${name}: ${needed.join(' ')}`,
    );
    // Backends' readers, and the thread that ends the helper: see cancel.c and the kit's README.
    t.match(symbols, /\.text\s.*\spthread_setcanceltype$/m, `${name} replaces pthread_setcanceltype`);
    t.match(dynamic, /FLAGS_1.*\bNOW\b/, `${name} binds at its start`);
  }
});

t.test('Linux: built again, the same bytes, without a path of this computer', async t => {
  if (!needsLinux(t)) return;
  const again = t.testdir({});
  await build(again, names);
  for (const name of names) {
    const bytes = readFileSync(programOf(name));
    t.ok(bytes.equals(readFileSync(join(again, name, 'bin', 'platen-sane-helper'))), name);
    t.notOk(bytes.includes(clone.replace(/\/$/, '')), name);
  }
});

t.test('Linux: x64, installed beside its driver, scans a page of SANE’s test backend', async t => {
  if (!needsLinux(t) || !needs(t, 'scanimage')) return;
  if (process.arch !== 'x64') return t.comment(`a program for x64 does not run on ${process.arch}`);
  const folder = t.testdir({ 'dll.conf': 'test\n', 'test.conf': '' });
  const modules = join(folder, 'node_modules', '@platen');
  const manifest = JSON.parse(readFileSync(join(driver, 'package.json'), 'utf8')) as { platen: object };
  const sha256 = createHash('sha256')
    .update(readFileSync(programOf(names[0]!)))
    .digest('hex');
  const prebuilt = { 'linux-x64': { package: `@platen/${names[0]}`, sha256: { 'platen-sane-helper': sha256 } } };
  mkdirSync(join(modules, 'driver-sane'), { recursive: true });
  const platen = { ...manifest.platen, prebuilt };
  writeFileSync(join(modules, 'driver-sane', 'package.json'), JSON.stringify({ ...manifest, platen }));
  cpSync(join(helpers.helpersFolder, names[0]!), join(modules, names[0]!), { recursive: true });
  writeFileSync(join(modules, names[0]!, 'package.json'), '{}');
  const url = pathToFileURL(`${join(modules, 'driver-sane')}/`);
  const program = helperProgram(url, 'platen-sane-helper', 'linux-x64');
  t.same(program, { command: join(modules, names[0]!, 'bin', 'platen-sane-helper') });
  const env = { ...process.env, NODE_OPTIONS: '', SANE_CONFIG_DIR: folder };
  const { got, wanted } = await scan(t, { ...program, env }, 'test:0');
  t.ok(got > 0 && got === wanted, `${got} of ${wanted} bytes`);
});

t.test('Linux: arm64, scans a page of a simulated libsane; without libsane it names the package', async t => {
  if (!needsLinux(t) || !needs(t, 'qemu-aarch64-static')) return;
  const folder = t.testdir({});
  await simulatedLibrary(folder, 'linux-arm64');
  const { flags } = await compilerOf('linux-arm64');
  const sysroot = flags.find(flag => flag.startsWith('--sysroot='))!.slice('--sysroot='.length);
  const emulated = { command: 'qemu-aarch64-static', args: ['-L', sysroot, programOf(names[1]!)] };
  const env = { ...process.env, NODE_OPTIONS: '' };
  const { got, wanted } = await scan(
    t,
    { ...emulated, env: { ...env, LD_LIBRARY_PATH: folder, SANE_CONFIG_DIR: folder } },
    '0',
  );
  t.ok(got > 0 && got === wanted, `${got} of ${wanted} bytes`);
  const helper = createHelper({ name: 'sane', log: nullLog, ...emulated, env });
  t.teardown(() => helper.close());
  const failure: unknown = await helper.call('init', {}, call).catch((error: unknown) => error);
  t.match(failure, { code: 'driver-failed', isMissing: true, message: /libsane1/ });
});
