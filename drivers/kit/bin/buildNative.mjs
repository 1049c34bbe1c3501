#!/usr/bin/env node
/** `platen-build-native`, in the folder of a driver's package: builds `native/binding.gyp` if a source has changed since the last build. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { whyNot } from './whyNot.mjs';

const wire = dirname(dirname(fileURLToPath(import.meta.url)));
const native = join(process.cwd(), 'native');
const build = join(native, 'build');
/** For `--mingw`, which builds Windows programs on another system, for tests. */
const crosses = process.argv.includes('--mingw');
const compilers = { x64: 'x86_64-w64-mingw32', ia32: 'i686-w64-mingw32' };
/** Records the processors built for, the sources and their modification times. */
const stamp = join(build, '.platen-built');

/** @returns {string[]} every file below, except build results */
function filesOf(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return [path];
    return path === build ? [] : filesOf(path);
  });
}

/** Includes folders: a removed file leaves no other trace. */
function newest(sources) {
  return Math.max(...sources.map(path => statSync(path).mtimeMs));
}

/** @returns {Promise<string[]>} the processors to build for: this one, or those that the package names (`win32-ia32`) for this system */
async function architectures(/** @type {{ nativeTargets?: string[] }} */ { nativeTargets } = {}) {
  if (!nativeTargets) return [process.arch];
  const { platform } = await import('../dist/platform.js');
  return nativeTargets
    .filter(target => target.startsWith(`${crosses ? 'win32' : platform}-`))
    .map(target => target.split('-')[1]);
}

/** @returns {Record<string, any> | undefined} what the last build that succeeded recorded */
function lastBuild() {
  return existsSync(stamp) ? JSON.parse(readFileSync(stamp, 'utf8')) : undefined;
}

function isBuilt(built, sources, archs) {
  if (!built) return false;
  return (
    built.archs === archs.join() &&
    built.crosses === crosses &&
    built.age === newest(sources) &&
    built.programs.every(name => existsSync(join(build, 'Release', name)))
  );
}

/** @returns {string | undefined} the program of node-gyp, which is beside the kit or in the driver's package */
function nodeGyp() {
  for (const from of [import.meta.url, pathToFileURL(join(process.cwd(), 'package.json'))]) {
    try {
      return createRequire(from).resolve('node-gyp/bin/node-gyp.js');
    } catch (error) {
      if (error.code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  return undefined;
}

/** node-gyp, for one processor. @returns {{ status: number | null, output: string }} */
function gyp(program, arch, env) {
  const own = ['--jobs=max', ...(arch === process.arch && !crosses ? [] : [`--arch=${arch}`])];
  const flags = crosses ? ['--', '-DOS=mingw', '-f', 'make'] : [];
  const steps = crosses ? [['configure'], ['build']] : [['configure', 'build']];
  let output = '';
  for (const step of steps) {
    const args = [
      program,
      ...step,
      `--nodedir=${join(wire, 'native', 'nodedir')}`,
      ...own,
      ...(step.includes('configure') ? flags : []),
    ];
    const { status, error, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: native,
      env,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    output += `${error ?? ''}${stdout}${stderr}`;
    if (status !== 0) return { status, output };
  }
  return { status: 0, output };
}

/** The same, with mingw instead of this system's compiler. */
function crossing(env, arch) {
  const tool = name => `${compilers[arch]}-${name}`;
  return { ...env, CC: tool('gcc-posix'), CXX: tool('g++-posix'), AR: tool('ar'), LINK: tool('g++-posix') };
}

/** Removes npm's settings for Node's headers: its `nodedir` would override the command line. */
function environment(sources) {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^npm_(?:package_)?config_/i.test(name) || /_python$/i.test(name),
  );
  const env = Object.fromEntries(kept);
  const searched = Object.keys(env).find(name => name.toUpperCase() === 'PATH') ?? 'PATH';
  env[searched] = [env[searched], dirname(process.execPath)].filter(Boolean).join(delimiter);
  env.LC_ALL = 'C'; // their messages are parsed
  // gyp links with the C++ compiler, which helpers in C do not need.
  if (!sources.some(path => /\.(?:cc|cpp|cxx|mm)$/i.test(path))) env.LINK ??= env.CC ?? 'cc';
  return env;
}

function programsIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isFile() && (entry.name.endsWith('.exe') || statSync(join(folder, entry.name)).mode & 0o111))
    .map(entry => entry.name);
}

async function main() {
  if (!existsSync(join(native, 'binding.gyp')))
    return "There is no native/binding.gyp here. Run platen-build-native in the folder of a driver's package.";
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  const archs = await architectures(manifest.platen);
  if (archs.length === 0) return undefined;
  const own = filesOf(native);
  const sources = [native, ...own, ...filesOf(join(wire, 'native')), ...filesOf(join(wire, 'bin'))];
  const built = lastBuild();
  if (isBuilt(built, sources, archs)) return undefined;
  const program = nodeGyp();
  if (!program)
    return `The native helper of ${manifest.name} was not built: node-gyp is missing (npm install --save-dev node-gyp@12).`;
  // make goes on looking for a source that was renamed from helper.c to helper.cc.
  const names = own.map(path => relative(native, path));
  if (built?.names?.some(name => !names.includes(name))) rmSync(build, { recursive: true, force: true });
  mkdirSync(build, { recursive: true }); // changes the modification time of native/
  const age = newest(sources);
  let said = '';
  for (const arch of archs) {
    const env = environment(own);
    const { status, output } = gyp(program, arch, crosses ? crossing(env, arch) : env);
    said += output;
    writeFileSync(join(build, 'output.txt'), said);
    if (process.argv.includes('--verbose')) console.log(output);
    if (status !== 0)
      return `The native helper of ${manifest.name} was not built: ${whyNot(output, manifest.platen?.nativeNeeds)}`;
  }
  const programs = programsIn(join(build, 'Release'));
  const [addon] = programs;
  if (programs.length > 0 && programs.every(name => name.endsWith('.node')))
    return `native/binding.gyp makes ${addon}, an addon for Node and not a program: give its target "type": "executable" (in "target_defaults", it has no effect).`;
  writeFileSync(stamp, JSON.stringify({ archs: archs.join(), crosses, age, names, programs }));
  return undefined;
}

const sentence = await main();
if (sentence) {
  console.error(sentence);
  process.exitCode = 1;
}
