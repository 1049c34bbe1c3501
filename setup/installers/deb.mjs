/** The package for Debian, Ubuntu and their relatives. */
import { cpSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root, run } from '../step.mjs';
import { layOut, script, template } from './linux/layout.mjs';
import { settle } from './settle.mjs';

const architectures = { x64: 'amd64', arm64: 'arm64' };

/**
 * @param {object} options
 * @param {string} options.out folder for the file
 * @param {string} options.work an empty folder
 * @param {'x64' | 'arm64'} options.arch
 * @param {string} options.version
 * @param {string} options.maintainer
 * @param {string} options.homepage
 * @param {number} options.epoch seconds since 1970
 * @param {boolean} options.quick compress little: for tests
 * @param {(options: { out: string, platform: NodeJS.Platform, arch: string }) => Promise<void>} options.makeTree
 * @returns {Promise<string>} the file
 */
export async function buildDeb({ out, work, arch, version, maintainer, homepage, epoch, quick, makeTree }) {
  const folder = join(work, 'deb');
  await layOut({
    folder,
    epoch,
    config: template,
    makeTree: tree => makeTree({ out: tree, platform: 'linux', arch }),
  });
  const overrides = join(folder, 'usr', 'share', 'lintian', 'overrides');
  mkdirSync(overrides, { recursive: true });
  cpSync(new URL('linux/deb/lintian-overrides', import.meta.url), join(overrides, 'platen'));
  writeDocuments(join(folder, 'usr', 'share', 'doc', 'platen'), { version, maintainer, homepage, epoch });

  const control = join(folder, 'DEBIAN');
  mkdirSync(control);
  const write = (name, text, mode = 0o644) => writeFileSync(join(control, name), text, { mode });
  const description = { version, architecture: architectures[arch], maintainer, homepage, folder };
  write('control', controlOf(description));
  for (const name of ['preinst', 'postinst', 'prerm', 'postrm']) write(name, script(`deb/${name}.sh`), 0o755);
  settle(folder, epoch);

  const file = join(out, `platen_${version}_${architectures[arch]}.deb`);
  // zstd would be faster; dpkg of Debian 11 and Ubuntu 18.04 reads xz only.
  const compression = quick ? ['-Zgzip', '-z1'] : ['-Zxz', '-z6'];
  await run(`Building ${file}`, ['dpkg-deb', '--root-owner-group', ...compression, '--build', folder, file], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(epoch) },
  });
  rmSync(folder, { recursive: true, force: true });
  return file;
}

/**
 * libsane1 is a dependency and not a recommendation: it makes the group that may use scanners, before the account joins
 * it. update-ca-certificates makes the certificate trusted. util-linux has setpriv since 2.33.
 */
function controlOf({ version, architecture, maintainer, homepage, folder }) {
  return `Package: platen
Version: ${version}
Architecture: ${architecture}
Maintainer: ${maintainer}
Installed-Size: ${Math.ceil(sizeOf(folder) / 1024)}
Depends: ca-certificates, init-system-helpers (>= 1.54), libc6 (>= 2.28), libgcc-s1 | libgcc1, libsane1 (>= 1.0.27), libstdc++6 (>= 8), passwd, util-linux (>= 2.33)
Suggests: libnss3-tools, tesseract-ocr
Section: graphics
Priority: optional
Homepage: ${homepage}
Description: local scanner service for web applications
 A web page asks https://localhost:53052, and the document scanner on this
 computer scans: SANE's scanners and those in the network (eSCL), as images and
 as searchable PDF, with barcodes and text recognition.
 .
 The package has a Node.js of its own.
`;
}

function writeDocuments(folder, { version, maintainer, homepage, epoch }) {
  cpSync(join(root, 'LICENSE'), join(folder, 'copyright'));
  const date = new Date(epoch * 1000).toUTCString().replace('GMT', '+0000');
  const changes = `platen (${version}) stable; urgency=medium\n\n  * ${homepage} lists the changes.\n\n -- ${maintainer} <>  ${date}\n`;
  // Level 9 without a name or a time in it, as Debian's policy has it.
  writeFileSync(join(folder, 'changelog.gz'), gzipSync(changes, { level: 9 }));
}

/** Bytes of all files below the folder. */
function sizeOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
