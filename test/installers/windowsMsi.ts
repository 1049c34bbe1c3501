/** The MSI for tests: of the tree's version, and of a later one. */
import { execFile } from 'node:child_process';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const call = promisify(execFile);

/** @returns the file, in the folder */
export async function buildMsi(folder: string): Promise<string> {
  const script = join(root, 'setup', 'installers', 'main.mjs');
  const { stdout } = await call(process.execPath, [script, 'msi', '--quick', '--out', folder], { maxBuffer: 1 << 24 });
  return stdout.trim().split('\n').at(-1) ?? '';
}

const productCode = /(?<=^ProductCode\t)\S+/m;
export const laterNumber = '99.0.0';
/** Its ProductCode. */
export const laterCode = '{00000000-0000-4000-8000-000000000999}';

/** @returns the same files as a later version: only Windows Installer sees a difference */
export async function laterVersion(msi: string, folder: string): Promise<string> {
  const later = join(folder, 'later.msi');
  await copyFile(msi, later);
  const tables: readonly (readonly [string, (text: string) => string])[] = [
    [
      'Property',
      text => text.replace(/^ProductVersion\t.*$/m, `ProductVersion\t${laterNumber}`).replace(productCode, laterCode),
    ],
    ['Upgrade', text => text.replaceAll(/\t\d+\.\d+\.\d+\t(?=\t|1033|257|2)/g, `\t${laterNumber}\t`)],
    ['_SummaryInformation', text => text.replace(/^9\t.*$/m, `9\t${laterCode}`)],
  ];
  const imports: string[] = [];
  for (const [name, change] of tables) {
    const { stdout } = await call('msiinfo', ['export', msi, name]);
    await writeFile(join(folder, `${name}.idt`), change(stdout));
    imports.push('-i', join(folder, `${name}.idt`));
  }
  await call('msibuild', [later, ...imports]);
  return later;
}
