/** System programs that test suites need: installs Debian's packages if allowed, otherwise lists them. */
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './step.mjs';

/**
 * A suite asks for its program with `needs` or `lacking` of `@platen/conformance`, which say the form of its skip.
 * A library's header, or a program's plugin, is given as a file. Several packages are separated by spaces. What is marked
 * `long` only long tests and releases need.
 * @type {readonly { program: string, package: string, neededBy: string, long?: true }[]}
 */
export const systemPackages = [
  { program: 'certutil', package: 'libnss3-tools', neededBy: 'trust stores' },
  { program: 'chromium', package: 'chromium', neededBy: 'browsers' },
  { program: 'chromium-headless-shell', package: 'chromium-headless-shell', neededBy: 'browsers' },
  { program: 'firefox-esr', package: 'firefox-esr', neededBy: 'browsers', long: true },
  { program: 'curl', package: 'curl', neededBy: 'trust stores' },
  { program: 'openssl', package: 'openssl', neededBy: 'trust stores' },
  { program: 'update-ca-certificates', package: 'ca-certificates', neededBy: 'trust stores' },
  { program: 'identify', package: 'imagemagick', neededBy: 'image files' },
  { program: 'compare', package: 'imagemagick', neededBy: 'image files' },
  { program: 'convert', package: 'imagemagick', neededBy: 'image files' },
  { program: 'pngcheck', package: 'pngcheck', neededBy: 'image files' },
  { program: 'tiffinfo', package: 'libtiff-tools', neededBy: 'image files' },
  { program: 'qpdf', package: 'qpdf', neededBy: 'PDF documents' },
  { program: 'pdftotext', package: 'poppler-utils', neededBy: 'PDF documents' },
  { program: 'pdfimages', package: 'poppler-utils', neededBy: 'PDF documents' },
  { program: 'pdfinfo', package: 'poppler-utils', neededBy: 'PDF documents' },
  { program: 'pdftoppm', package: 'poppler-utils', neededBy: 'PDF documents' },
  { program: 'img2pdf', package: 'img2pdf', neededBy: 'PDF documents' },
  { program: 'cc', package: 'gcc libc6-dev', neededBy: 'native helpers' },
  { program: 'gcc', package: 'gcc libc6-dev', neededBy: 'native helpers' },
  { program: 'c++', package: 'g++', neededBy: 'native helpers' },
  { program: 'g++', package: 'g++', neededBy: 'native helpers' },
  { program: 'clang-14', package: 'clang-14', neededBy: 'the encoder of PNG' },
  { program: 'wasm-ld-14', package: 'lld-14', neededBy: 'the encoder of PNG' },
  { program: 'clang', package: 'clang libclang-rt-14-dev', neededBy: 'fuzzing with libFuzzer' },
  { program: 'make', package: 'make', neededBy: 'native helpers' },
  { program: 'python3', package: 'python3', neededBy: 'native helpers' },
  { program: 'ps', package: 'procps', neededBy: 'processes' },
  { program: 'ip', package: 'iproute2', neededBy: 'the shipped configuration' },
  { program: 'unshare', package: 'util-linux', neededBy: 'the shipped configuration' },
  { program: 'prlimit', package: 'util-linux', neededBy: 'descriptors that run out' },
  { program: 'scanimage', package: 'sane-utils', neededBy: 'SANE' },
  { program: 'avahi-daemon', package: 'avahi-daemon', neededBy: 'network scanners' },
  { program: 'dbus-daemon', package: 'dbus', neededBy: 'network scanners' },
  { program: '/etc/sane.d/airscan.conf', package: 'sane-airscan', neededBy: 'network scanners' },
  { program: 'wine', package: 'wine wine64', neededBy: 'TWAIN' },
  { program: 'x86_64-w64-mingw32-g++-posix', package: 'g++-mingw-w64-x86-64-posix', neededBy: 'TWAIN' },
  { program: 'i686-w64-mingw32-g++-posix', package: 'g++-mingw-w64-i686-posix', neededBy: 'TWAIN' },
  { program: 'aarch64-linux-gnu-gcc', package: 'gcc-aarch64-linux-gnu', neededBy: 'prebuilt helpers', long: true },
  { program: 'qemu-aarch64-static', package: 'qemu-user-static', neededBy: 'prebuilt helpers', long: true },
  { program: 'msibuild', package: 'msitools', neededBy: 'installers', long: true },
  { program: 'gcab', package: 'gcab', neededBy: 'installers', long: true },
  { program: 'gnustep-config', package: 'gobjc libgnustep-base-dev', neededBy: 'ImageCaptureCore' },
  { program: 'faketime', package: 'faketime', neededBy: 'a clock that is set back' },
  { program: 'tesseract', package: 'tesseract-ocr', neededBy: 'text recognition' },
  { program: 'mmdebstrap', package: 'mmdebstrap', neededBy: 'installers for Linux', long: true },
  { program: 'rpmbuild', package: 'rpm', neededBy: 'installers for Linux', long: true },
  { program: 'lintian', package: 'lintian', neededBy: 'installers for Linux', long: true },
];

/**
 * @param {{ long: boolean, beside?: boolean }} options whether also what only long tests need; whether other steps run
 * and print meanwhile
 */
export async function installSystemPackages({ long, beside = false }) {
  const missing = systemPackages.filter(each => (long || !each.long) && !onPath(each.program));
  if (missing.length === 0) return;
  const packages = [...new Set(missing.flatMap(each => each.package.split(' ')))];
  if (!isDebian() || process.getuid?.() !== 0) {
    const list = key => [...new Set(missing.map(each => each[key]))].join(', ');
    console.log(`Tests of these are skipped: ${list('neededBy')}. They need ${list('program')}.`);
    console.log(
      isDebian()
        ? `  sudo apt-get install -y --no-install-recommends ${packages.join(' ')}`
        : `  Debian's packages of these programs: ${packages.join(' ')}`,
    );
    return;
  }
  console.log(`System packages to install: ${packages.join(' ')}`);
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, beside };
  await run('Reading the list of system packages', ['apt-get', 'update', '-q'], options);
  const install = ['apt-get', 'install', '-y', '-q', '--no-install-recommends', ...packages];
  await run('Installing the system packages', install, options);
}

export function onPath(program) {
  if (program.startsWith('/')) return existsSync(program);
  const endings = process.platform === 'win32' ? ['.exe', '.cmd'] : [''];
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.some(folder => folder !== '' && endings.some(ending => existsSync(join(folder, program + ending))));
}

function isDebian() {
  if (!existsSync('/usr/bin/apt-get') || !existsSync('/etc/os-release')) return false;
  return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(readFileSync('/etc/os-release', 'utf8'));
}
