/** The compilers of the prebuilt programs, with the flags that make programs run everywhere and the same bytes each time. */
import { spawnSync } from 'node:child_process';
import { root } from '../step.mjs';
import { onPath } from '../systemPackages.mjs';
import { sysroot } from './sysroot.mjs';

/** No path of this computer and no random name in a program. */
const repeatable = [`-ffile-prefix-map=${root}/=`, '-frandom-seed=platen'];

/**
 * @typedef {object} Toolchain
 * @property {string} c the C compiler
 * @property {string} cxx the C++ compiler
 * @property {string} [rc] the compiler of Windows' resources
 * @property {() => Promise<string[]>} flags
 */

const linux = (triple, architecture, prefix) => ({
  c: `${prefix}gcc`,
  cxx: `${prefix}g++`,
  async flags() {
    const from = await sysroot(architecture);
    const folders = [`${from}/usr/lib/${triple}`, `${from}/lib/${triple}`];
    return [
      `--sysroot=${from}`,
      // A cross compiler looks into its own, newer, C library first.
      ...folders.flatMap(folder => [`-B${folder}`, `-L${folder}`]),
      ...['-O2', '-pthread', '-fPIE', '-pie', '-fstack-protector-strong', '-D_FORTIFY_SOURCE=2'],
      // The linker is never needed after the start: see the driver kit's README.
      ...['-static-libgcc', '-s', '-Wl,-z,now', '-Wl,-z,relro', '-Wl,--build-id=none'],
      `-ffile-prefix-map=${from}/=`,
    ];
  },
});

const windows = prefix => ({
  c: `${prefix}-gcc-posix`,
  cxx: `${prefix}-g++-posix`,
  rc: `${prefix}-windres`,
  flags: async () => ['-O2', '-static', '-s', '-Wl,--no-insert-timestamp', '-Wl,--dynamicbase', '-Wl,--nxcompat'],
});

/** @type {Record<string, Toolchain>} */
export const toolchains = {
  'linux-x64': linux('x86_64-linux-gnu', 'amd64', 'x86_64-linux-gnu-'),
  'linux-arm64': linux('aarch64-linux-gnu', 'arm64', 'aarch64-linux-gnu-'),
  'win32-x64': windows('x86_64-w64-mingw32'),
  'win32-ia32': windows('i686-w64-mingw32'),
  darwin: {
    c: 'clang',
    cxx: 'clang++',
    flags: async () => ['-O2', '-arch', 'x86_64', '-arch', 'arm64', '-mmacosx-version-min=12.0', '-Wl,-x'],
  },
};

/** @returns {string | undefined} why this computer cannot build for it */
export function missing(name) {
  const toolchain = toolchains[name];
  if (!toolchain) return `there is no toolchain "${name}"; there are ${Object.keys(toolchains).join(', ')}`;
  if (name === 'darwin' && process.platform !== 'darwin') return 'a program for macOS is built on a Mac';
  return onPath(toolchain.c) ? undefined : `the compiler ${toolchain.c} is not installed`;
}

/** @returns {Promise<string[]>} the flags before a program's own */
export async function flagsOf(name) {
  return [...(await toolchains[name].flags()), ...repeatable];
}

/** @returns {string} the compiler's version, in full */
export function versionOf(name) {
  return spawnSync(toolchains[name].c, ['--version'], { encoding: 'utf8' }).stdout;
}
