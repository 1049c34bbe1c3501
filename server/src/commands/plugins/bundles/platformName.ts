/** How bundles name platforms: `linux-x64`, `linuxmusl-x64` (Alpine), `win32-x64`, `darwin-arm64`. */
import { platform } from '../../../machine/platform.js';
import { usage } from '../../parts/newFile.js';

/** The bundle has nothing that is for one platform only. */
export const ANY = 'any';

const form = /^(linux|linuxmusl|win32|darwin|freebsd)-(x64|arm64|ia32|arm|ppc64|s390x|riscv64|loong64)$/;

export const isPlatformName = (text: string): boolean => text === ANY || form.test(text);

/** This process's. */
export function ownPlatform(): string {
  return `${platform}${platform === 'linux' && isMusl() ? 'musl' : ''}-${process.arch}`;
}

function isMusl(): boolean {
  // The names of connected hosts are in a report, and finding them may take seconds.
  const report = process.report as typeof process.report & { excludeNetwork?: boolean };
  report.excludeNetwork = true;
  const { header } = report.getReport() as { header: { readonly glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime === undefined;
}

/** @param given `linux-x64,win32-x64`; undefined: this computer's @throws {ConfigError} naming what is accepted */
export function platformsIn(given: string | undefined): readonly string[] {
  if (given === undefined) return [ownPlatform()];
  const names = [...new Set(given.split(',').map(each => each.trim()))].sort();
  for (const name of names)
    if (!form.test(name))
      throw usage(
        `--platform takes linux-x64, linux-arm64, linuxmusl-x64, win32-x64, darwin-arm64 and the like, separated by commas, not ${JSON.stringify(name)}.`,
      );
  return names;
}

/** npm's flags that have it install for that platform. */
export function npmFlags(name: string): readonly string[] {
  const [, os = '', cpu = ''] = form.exec(name) ?? [];
  const libc = { linux: ['--libc=glibc'], linuxmusl: ['--libc=musl'] }[os] ?? [];
  return [`--os=${os === 'linuxmusl' ? 'linux' : os}`, `--cpu=${cpu}`, ...libc];
}
