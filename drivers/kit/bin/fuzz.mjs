#!/usr/bin/env node
/** `platen-fuzz`, in the folder of a driver's package: builds `native/fuzz.c` with sanitizers and runs it on mutated requests. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const kit = join(dirname(dirname(fileURLToPath(import.meta.url))), 'native');
const usage = `platen-fuzz [--minutes N | --seconds N | --runs N] [--seed N] [--compiler gcc|clang] [INPUT…]
  Without INPUT, it runs mutations of native/corpus for 1 minute. INPUT: runs these files once.`;
const sources = ['native/fuzz.c', 'native/fuzz.cc', 'native/fuzz.cpp'];
const sanitizers = 'address,undefined,float-cast-overflow';
/** As libFuzzer and platen_fuzz_main.h print it. */
const written = /Test unit written to (.+)/;

/** A mistake of the person at the terminal. */
class UsageError extends Error {}

function options() {
  const number = (name, value) => {
    if (!/^\d+(?:\.\d+)?$/.test(value)) throw new UsageError(`--${name} "${value}" is not a number.`);
    return Number(value);
  };
  let parsed;
  try {
    parsed = parseArgs({
      allowPositionals: true,
      options: {
        minutes: { type: 'string' },
        seconds: { type: 'string' },
        runs: { type: 'string' },
        seed: { type: 'string' },
        compiler: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError(error.message);
  }
  const { values, positionals } = parsed;
  const durations = Object.entries({ minutes: 60, seconds: 1, runs: 1 }).filter(([name]) => values[name] !== undefined);
  if (durations.length > 1) throw new UsageError('--minutes, --seconds and --runs: give one of them.');
  const [[unit, factor]] = [...durations, ['minutes', 60]];
  const amount = Math.max(1, Math.ceil(number(unit, values[unit] ?? '1') * factor));
  const duration = unit === 'runs' ? { runs: amount } : { seconds: amount };
  const seed =
    values.seed === undefined ? 1 + Math.floor(Math.random() * 0xffff_fffe) : Math.floor(number('seed', values.seed));
  return { ...duration, seed, compiler: values.compiler, inputs: positionals };
}

/** @returns what to build, of package.json: `"platen": { "fuzz": { "source": "native/fuzz.c", "flags": ["-Inative/sdk", "-lacme"] } }`, and `"compiler"` if only one builds it */
function target() {
  const settings = existsSync('package.json')
    ? JSON.parse(readFileSync('package.json', 'utf8')).platen?.fuzz
    : undefined;
  const source = settings?.source ?? sources.find(path => existsSync(path));
  if (source === undefined || !existsSync(source))
    throw new UsageError(
      `There is no ${source ?? sources[0]} here. Run platen-fuzz in the folder of a driver's package; native/platen_fuzz.h of @platen/driver-kit says what the file contains.`,
    );
  return { source, flags: settings?.flags ?? [], compiler: settings?.compiler };
}

function compiled(command, args, input) {
  const { status, error, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', input });
  return { ok: status === 0, output: error ? error.message : stdout + stderr };
}

/** Apple's clang and some packages of clang come without libFuzzer. */
function hasLibFuzzer(clang) {
  const probe = '#include <stddef.h>\nint LLVMFuzzerTestOneInput(const char *a, size_t b) { return a && b ? 0 : 0; }\n';
  return compiled(clang, ['-fsanitize=fuzzer', '-x', 'c', '-', '-o', '/dev/null'], probe).ok;
}

/** @returns {{ program: string, libFuzzer: boolean, with: string }} */
function build({ source, flags, compiler }, asked, folder) {
  const wanted = asked ?? compiler;
  const isCpp = /\.(cc|cpp)$/.test(source);
  const clang = isCpp ? 'clang++' : 'clang';
  const libFuzzer = wanted !== 'gcc' && hasLibFuzzer(clang);
  if (wanted === 'clang' && !libFuzzer)
    throw new UsageError(
      'clang with libFuzzer is missing (Debian, Ubuntu: apt-get install clang libclang-rt-14-dev). Without --compiler, the C compiler is enough.',
    );
  const command = libFuzzer ? clang : wanted === 'gcc' ? (isCpp ? 'g++' : 'gcc') : isCpp ? 'c++' : 'cc';
  const own = libFuzzer ? [`-fsanitize=fuzzer,${sanitizers}`] : ['-DPLATEN_FUZZ_MAIN', `-fsanitize=${sanitizers}`];
  const program = join(folder, `${basename(source).replace(/\.\w+$/, '')}-${libFuzzer ? 'libfuzzer' : 'own'}`);
  const common = ['-g', '-O1', '-fno-omit-frame-pointer', '-fno-sanitize-recover=all', '-pthread', '-I', kit];
  const { ok, output } = compiled(command, [...common, ...own, source, ...flags, '-o', program]);
  if (!ok) throw new UsageError(`${source} was not built by ${command}:\n${output}`);
  return { program, libFuzzer, with: libFuzzer ? "clang's libFuzzer" : command };
}

/** @returns {Promise<{ ok: boolean, output: string }>} */
function run(program, args) {
  return new Promise((done, fail) => {
    const symbols = 'allow_addr2line=1:handle_abort=1';
    const given = process.env.ASAN_OPTIONS;
    const env = { ...process.env, ASAN_OPTIONS: given ? `${symbols}:${given}` : symbols };
    const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let output = '';
    child.stderr.on('data', text => (output = (output + text).slice(-400_000)));
    child.on('error', fail);
    child.on('close', status => done({ ok: status === 0, output: output.replace(/^INFO: .*\n/gm, '') }));
  });
}

/** libFuzzer adds what it finds interesting to the first folder. */
function corpora(folder, source) {
  const grown = join(folder, 'corpus');
  mkdirSync(grown, { recursive: true });
  const own = join(dirname(source), 'corpus');
  return [grown, join(kit, 'fuzz', 'corpus'), own].filter(
    (path, at, all) => existsSync(path) && all.findIndex(each => resolve(each) === resolve(path)) === at,
  );
}

async function main() {
  const { seconds, runs, seed, compiler, inputs } = options();
  if (compiler !== undefined && compiler !== 'gcc' && compiler !== 'clang')
    throw new UsageError(`--compiler "${compiler}" is not one of gcc, clang.`);
  const missing = inputs.find(path => !existsSync(path));
  if (missing) throw new UsageError(`There is no file ${missing}.`);
  const what = target();
  const folder = join('native', 'build', 'fuzz');
  mkdirSync(folder, { recursive: true });
  const built = build(what, compiler, folder);
  if (inputs.length > 0) {
    const { ok, output } = await run(resolve(built.program), [`-artifact_prefix=${folder}/`, ...inputs]);
    console.log(
      ok ? `${inputs.length === 1 ? 'The input runs' : `${inputs.length} inputs run`} without a fault.` : output,
    );
    return ok;
  }
  const duration = seconds === undefined ? `${runs} inputs` : `for ${seconds} s`;
  console.log(`Fuzzing ${what.source} with ${built.with}, seed ${seed}, ${duration}.`);
  const folders = corpora(folder, what.source);
  const limits = ['-max_len=73728', '-timeout=20', '-rss_limit_mb=2048', '-close_fd_mask=3', '-print_final_stats=1'];
  const { ok, output } = await run(resolve(built.program), [
    seconds === undefined ? `-runs=${runs}` : `-max_total_time=${seconds}`,
    `-seed=${seed}`,
    `-artifact_prefix=${folder}/`,
    ...limits,
    ...(built.libFuzzer ? folders : folders.slice(1)),
  ]);
  if (ok) {
    const count = /Done (\d+) runs/.exec(output)?.[1] ?? 0;
    console.log(`${count} inputs, no fault.`);
    return true;
  }
  const input = written.exec(output)?.[1];
  // libFuzzer closes stderr while it mutates, and with it what the helper says.
  const repeats = built.libFuzzer && input !== undefined;
  console.log(repeats ? (await run(resolve(built.program), [`-artifact_prefix=${folder}/`, input])).output : output);
  console.log(`Found with seed ${seed}.`);
  if (input !== undefined)
    console.log(
      `The input is ${relative('.', input)}. To repeat it: npx platen-fuzz ${relative('.', input)}\nKeep it in ${join(dirname(what.source), 'corpus')} when it is fixed.`,
    );
  return false;
}

try {
  if (process.argv.includes('--help')) console.log(usage);
  else process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
