/** The installer for Windows. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StepError } from '../step.mjs';
import { writePackage } from './windows/database.mjs';
import { installedFiles } from './windows/installedFiles.mjs';
import { product } from './windows/product.mjs';
import { steps } from './windows/steps.mjs';

const programs = 'node_modules/@platen/server-win32-x64/bin';

/**
 * @param {object} options
 * @param {string} options.out gets `platen-<version>-x64.msi`
 * @param {string} options.work an empty folder
 * @param {'x64'} options.arch
 * @param {string} options.version three numbers: Windows Installer compares no more, so that a pre-release could not be updated
 * @param {boolean} options.quick without compression
 * @param {number} options.epoch the time of every file, in seconds since 1970
 * @param {string} options.homepage
 * @param {(options: { out: string, platform: NodeJS.Platform, arch: string }) => Promise<void>} options.makeTree tree.mjs
 * @returns {Promise<string>} the file
 * @throws {StepError} for a pre-release, or if a program is missing in the tree
 */
export async function buildMsi({ out, work, arch, version, quick, epoch, homepage, makeTree }) {
  if (!/^\d+\.\d+\.\d+$/.test(version))
    throw new StepError(
      `The installer for Windows cannot be built of version ${version}: Windows Installer compares three numbers, so that a pre-release and its release would be one. Build it of a release, such as 1.2.3.`,
    );
  const tree = join(work, 'tree');
  await makeTree({ out: tree, platform: 'win32', arch });
  const command = readFileSync(new URL('windows/platen.cmd', import.meta.url), 'utf8');
  writeFileSync(join(tree, 'platen.cmd'), command.replaceAll(/\r?\n/g, '\r\n'));
  const { files, tables } = installedFiles(tree);
  const named = path => {
    const found = files.find(each => each.path === path);
    if (!found)
      throw new StepError(`The installation folder has no ${path}. Its compiler: g++-mingw-w64-x86-64-posix.`);
    return found;
  };
  const service = named(`${programs}/platen-service.exe`);
  const about = product({
    version,
    website: homepage,
    service,
    desktop: named(`${programs}/platen-desktop.exe`),
    command: named('platen.cmd'),
    count: files.length,
  });
  const file = join(out, `platen-${version}-${arch}.msi`);
  const all = [...tables, ...about, ...steps(service.key).tables];
  await writePackage({ file, scratch: join(work, 'parts'), epoch, quick, tables: all, files });
  return file;
}
