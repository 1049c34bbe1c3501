#!/usr/bin/env node
/** `platen-build-native`, in the folder of a driver's package: builds `native/binding.gyp` where a source is not as old as it was for the last build. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { whyNot } from './whyNot.mjs';

const wire = dirname(dirname(fileURLToPath(import.meta.url)));
const native = join(process.cwd(), 'native');
const build = join(native, 'build');
/** What was built for which processor, from sources of which age. */
const stamp = join(build, '.platen-built');

/** @returns {string[]} every file below, but what was built */
function filesOf(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return [path];
    return path === build ? [] : filesOf(path);
  });
}

/** A folder counts too: a file that was taken away leaves no other trace. */
function newest(sources) {
  return Math.max(...sources.map(path => statSync(path).mtimeMs));
}

function isBuilt(sources) {
  if (!existsSync(stamp)) return false;
  const { arch, age, programs } = JSON.parse(readFileSync(stamp, 'utf8'));
  return arch === process.arch && age === newest(sources) && programs.every(name => existsSync(join(build, 'Release', name)));
}

/** Without what npm's configuration would tell node-gyp about Node's headers: `nodedir` counts more than the command line. */
function environment(sources) {
  const kept = Object.entries(process.env).filter(([name]) => !/^npm_(?:package_)?config_/i.test(name) || /_python$/i.test(name));
  const env = Object.fromEntries(kept);
  const searched = Object.keys(env).find(name => name.toUpperCase() === 'PATH') ?? 'PATH';
  env[searched] = [env[searched], dirname(process.execPath)].filter(Boolean).join(delimiter);
  env.LC_ALL = 'C'; // what went wrong is read from what they say
  // gyp links with the compiler of C++, which helpers in C do not need.
  if (!sources.some(path => /\.(?:cc|cpp|cxx|mm)$/i.test(path))) env.LINK ??= env.CC ?? 'cc';
  return env;
}

function programsIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isFile() && (entry.name.endsWith('.exe') || statSync(join(folder, entry.name)).mode & 0o111))
    .map(entry => entry.name);
}

function main() {
  if (!existsSync(join(native, 'binding.gyp'))) return 'There is no native/binding.gyp here: platen-build-native runs in the folder of a driver\'s package.';
  const own = filesOf(native);
  const sources = [native, ...own, ...filesOf(join(wire, 'native')), ...filesOf(join(wire, 'bin'))];
  if (isBuilt(sources)) return undefined;
  mkdirSync(build, { recursive: true }); // which makes native/ younger
  const age = newest(sources);
  const gyp = createRequire(import.meta.url).resolve('node-gyp/bin/node-gyp.js');
  const { status, error, stdout, stderr } = spawnSync(process.execPath, [gyp, 'configure', 'build', `--nodedir=${join(wire, 'native', 'nodedir')}`],
    { cwd: native, env: environment(own), encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const output = `${error ?? ''}${stdout}${stderr}`;
  if (process.argv.includes('--verbose')) console.log(output);
  writeFileSync(join(build, 'output.txt'), output);
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  if (status !== 0) return `The native helper of ${manifest.name} was not built: ${whyNot(output, manifest.platen?.nativeNeeds)}`;
  writeFileSync(stamp, JSON.stringify({ arch: process.arch, age, programs: programsIn(join(build, 'Release')) }));
  return undefined;
}

const sentence = main();
if (sentence) {
  console.error(sentence);
  process.exitCode = 1;
}
