#!/usr/bin/env node
/**
 * `platen-pack-native`, in the folder of a driver's package: the tarball with its prebuilt programs. It copies those that
 * were built here to prebuilt/PLATFORM/bin, and packs all that are there, with their SHA-256 in the packed package.json.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { platform } from '../dist/platform.js';

const here = `${platform}-${process.arch}`;
/** `win32-x64` */
const isKey = name => /^[a-z0-9]+-[a-z0-9]+$/.test(name);
const isWindows = key => key.startsWith('win32-');
/** libacme.so.1: a program finds those of its folder. */
const isLibrary = name => /\.(?:dll|dylib|so(?:\.\d+)*)$/.test(name);
const fileOf = (program, key) => (isWindows(key) ? `${program}.exe` : program);

/** Says what is wrong, and how to fix it. */
class Refusal extends Error {}

/** npm's settings for its scripts describe the package that runs this, not the copy that is packed. */
const inherited = /^npm_(package_|lifecycle_|config_(dry_run|json|workspaces?|prefix|local_prefix|pack_destination)$)/i;

/** @returns {string} what it prints to stdout */
function npm(cwd, ...args) {
  const script = process.env.npm_execpath ?? '';
  const isScript = script.endsWith('npm-cli.js');
  const { status, error, stdout } = spawnSync(
    isScript ? process.execPath : 'npm',
    isScript ? [script, ...args] : args,
    {
      cwd,
      env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !inherited.test(name))),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      maxBuffer: 64 * 1024 * 1024,
      shell: !isScript && platform === 'win32', // a batch file there
    },
  );
  if (error) throw new Refusal(`npm was not started: ${error.message}.`);
  if (status !== 0) throw new Refusal(`npm ${args[0]} failed.`);
  return stdout;
}

function readManifest() {
  if (!existsSync('package.json'))
    throw new Refusal("There is no package.json here. Run platen-pack-native in the folder of a driver's package.");
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  const programs = manifest.platen?.programs;
  if (!Array.isArray(programs) || programs.length === 0 || programs.some(name => !/^[\w.-]+$/.test(name)))
    throw new Refusal(
      '"platen.programs" of package.json names no programs: it takes targets of native/binding.gyp, such as ["acme-helper"].',
    );
  return { manifest, programs };
}

/** Replaces those of an earlier build. Libraries that binding.gyp copies beside the programs go with them. */
function copyBuilt(programs) {
  const [built, bin] = ['native/build/Release', join('prebuilt', here, 'bin')];
  const files = programs.map(program => fileOf(program, here));
  const missing = files.find(file => !existsSync(join(built, file)));
  if (missing)
    throw new Refusal(`${built}/${missing} is missing: run platen-build-native, or correct "platen.programs".`);
  rmSync(dirname(bin), { recursive: true, force: true });
  mkdirSync(bin, { recursive: true });
  for (const file of [...files, ...readdirSync(built).filter(isLibrary)])
    copyFileSync(join(built, file), join(bin, file));
}

/** @returns {Record<string, { sha256: Record<string, string> }>} by platform: what helperProgram reads */
function entries(programs) {
  const keys = readdirSync('prebuilt').filter(isKey).sort();
  // Modes of files get lost in archives of CI, and Windows has none.
  if (platform === 'win32' && !keys.every(isWindows))
    throw new Refusal(
      'prebuilt/ has programs for other systems: pack on Linux or macOS, which can make them executable.',
    );
  return Object.fromEntries(
    keys.map(key => {
      const hashes = programs.map(program => {
        const file = fileOf(program, key);
        const path = join('prebuilt', key, 'bin', file);
        if (!existsSync(path))
          throw new Refusal(
            `${path.replaceAll('\\', '/')} is missing: copy it there from that system, or remove prebuilt/${key}.`,
          );
        chmodSync(path, 0o755);
        return [file, createHash('sha256').update(readFileSync(path)).digest('hex')];
      });
      return [key, { sha256: Object.fromEntries(hashes) }];
    }),
  );
}

/** Copies what npm packs, with another package.json, and packs the copy. @returns {string} the file's name */
function pack(manifest, keys) {
  const [{ files }] = Object.values(
    JSON.parse(npm('.', 'pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error')),
  );
  const paths = files.map(({ path }) => path.replaceAll('\\', '/'));
  const left = keys.find(key => !paths.some(path => path.startsWith(`prebuilt/${key}/bin/`)));
  if (left) throw new Refusal(`npm does not pack prebuilt/${left}: add "prebuilt" to "files" of package.json.`);
  const copy = mkdtempSync(join(tmpdir(), 'platen-pack-'));
  try {
    for (const path of paths) {
      mkdirSync(dirname(join(copy, path)), { recursive: true });
      copyFileSync(path, join(copy, path)); // with its mode
    }
    writeFileSync(join(copy, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    const file = npm(copy, 'pack', '--ignore-scripts').trim().split('\n').at(-1) ?? '';
    copyFileSync(join(copy, file), file);
    return file;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

try {
  const { manifest, programs } = readManifest();
  copyBuilt(programs);
  const prebuilt = entries(programs);
  const keys = Object.keys(prebuilt);
  const file = pack({ ...manifest, platen: { ...manifest.platen, prebuilt } }, keys);
  console.log(`${file}, with programs for ${keys.join(', ')}`);
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
