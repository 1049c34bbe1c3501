/** Builds the helper against the simulated ImageCaptureCore, for tests: `node build.mjs [sanitised]` prints its path. The normal build never uses it. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const native = dirname(dirname(fileURLToPath(import.meta.url)));
/** Has sheet.h. */
const sheets = fileURLToPath(new URL('../../../sane/native/simulation', import.meta.url));
const isSanitised = process.argv[2] === 'sanitised';
const build = join(native, 'build', isSanitised ? 'simulation-sanitised' : 'simulation');
const program = join(build, 'Release', 'platen-ica-helper');
const stamp = join(build, '.built');
const lock = `${build}.lock`;

function filesOf(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return path === join(native, 'build') ? [] : filesOf(path);
    return [path];
  });
}

function age() {
  const wire = dirname(createRequire(import.meta.url).resolve('@platen/driver-kit/package.json'));
  return String(Math.max(...[...filesOf(native), ...filesOf(join(wire, 'native')), ...filesOf(sheets)].map(path => statSync(path).mtimeMs)));
}

const isBuilt = () => existsSync(program) && existsSync(stamp) && readFileSync(stamp, 'utf8') === age();

function run(command, args, cwd) {
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', env: { ...process.env, LINK: 'gcc', LC_ALL: 'C' } });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? ''}${stdout}${stderr}`);
}

/** Runs gyp directly: node-gyp has only one build folder, and the normal build uses it. */
function make() {
  const gyp = join(dirname(createRequire(import.meta.url).resolve('node-gyp/package.json')), 'gyp', 'gyp_main.py');
  const defines = ['-Dplaten_simulation=1', `-Dplaten_sanitize=${isSanitised ? 1 : 0}`];
  run('python3', [gyp, 'binding.gyp', '-f', 'make', '--depth=.', `--generator-output=${build}`, '-Goutput_dir=.', ...defines], native);
  run('make', ['-C', build, '-j2', 'BUILDTYPE=Release'], native);
  writeFileSync(stamp, age());
}

/** Test files run side by side: one of them builds, the others wait. */
function alone(work) {
  mkdirSync(build, { recursive: true });
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      // The holder has crashed: no build takes minutes.
      if (Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > 180_000) rmSync(lock, { recursive: true, force: true });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    }
  }
  try {
    if (!isBuilt()) work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

if (!isBuilt()) alone(make);
process.stdout.write(program);
