/** A system of glibc 2.31 to compile for: Debian 11's headers and C library, unpacked into node_modules/.cache. */
import { existsSync, lstatSync, mkdirSync, readdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root, run, StepError } from '../step.mjs';

/** Debian 11 is archived: its packages do not change any more. */
const glibc = '2.31-13+deb11u11';
const linux = '5.10.223-1';
/** @type {Record<string, readonly [file: string, sha256: string][]>} */
const packages = {
  amd64: [
    [`g/glibc/libc6_${glibc}_amd64.deb`, '05f7264da867b37f4c5ce49266b558ea1e81e05a9464f623152fca70f3550282'],
    [`g/glibc/libc6-dev_${glibc}_amd64.deb`, 'e7f7b45d9c5cfcf37609f0b6efd3c645272c812144703af89dfd32218fcb0fd3'],
    [`l/linux/linux-libc-dev_${linux}_amd64.deb`, 'e3be603bd12377bb90fcfb0f2048ca3a81c886e49d6f09945b82159d1c54f7b2'],
  ],
  arm64: [
    [`g/glibc/libc6_${glibc}_arm64.deb`, 'baaa9aa184e2f21738c5819055e6740cc5b22f198e3f416e33f82b40ff6933d8'],
    [`g/glibc/libc6-dev_${glibc}_arm64.deb`, '28d478134722dcd4b0bd2045a199301d18713bf95947b9fce66634e7aeacab2e'],
    [`l/linux/linux-libc-dev_${linux}_arm64.deb`, '8b6374a64412d33eac61d74f77b8f932da4b8a707ea8a614791e2a35b8917618'],
  ],
};

/** apt's program that downloads a file and checks its hash. */
const helper = '/usr/lib/apt/apt-helper';

/**
 * @param {'amd64' | 'arm64'} architecture Debian's name of the processor
 * @returns {Promise<string>} the folder for gcc's `--sysroot`
 * @throws {StepError} on a system without Debian's packages
 */
export async function sysroot(architecture) {
  const folder = join(root, 'node_modules', '.cache', 'platen-sysroot', `${glibc}-${linux}-${architecture}`);
  if (existsSync(folder)) return folder;
  const fresh = `${folder}.${process.pid}`;
  const archive = join(fresh, 'archive');
  mkdirSync(archive, { recursive: true });
  try {
    const from = await mirror();
    const files = packages[architecture].map(([path, sha256], at) => ({
      url: `${from}pool/main/${path}`,
      file: join(archive, `${at}.deb`),
      sha256,
    }));
    await run(`Fetching glibc 2.31 for ${architecture} (once)`, [
      helper,
      'download-file',
      ...files.flatMap(({ url, file, sha256 }) => [url, file, `SHA256:${sha256}`]),
    ]);
    for (const { file } of files)
      await run('Unpacking it', [
        'sh',
        '-c',
        'dpkg-deb --fsys-tarfile "$1" | tar x -C "$2" --exclude=./usr/share',
        'sh',
        file,
        fresh,
      ]);
    rmSync(archive, { recursive: true });
    makeRelative(fresh);
    // Another process may have been faster.
    if (!existsSync(folder)) renameSync(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return folder;
}

/** @returns {Promise<string>} the Debian archive that this system's packages come from, with its slash */
async function mirror() {
  if (!existsSync(helper)) throw new StepError("Compiling for glibc 2.31 takes Debian's packages: build on Debian.");
  const sources = await run("Reading the system's package sources", [
    'apt-get',
    'indextargets',
    '--format',
    '$(REPO_URI)',
  ]);
  const found = sources.split('\n').find(each => /\/debian\/?$/.test(each));
  if (!found) throw new StepError("This system has no package source of Debian, which has glibc 2.31's headers.");
  return found.replace(/\/?$/, '/');
}

/** Links to files of the system, such as /lib/x86_64-linux-gnu/libm.so.6, would leave the folder. */
function makeRelative(folder) {
  for (const each of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const link = join(folder, each);
    if (!lstatSync(link).isSymbolicLink()) continue;
    const target = readlinkSync(link);
    if (!target.startsWith('/')) continue;
    rmSync(link);
    symlinkSync(relative(dirname(link), join(folder, target)), link);
  }
}
