/** A vendor of a premium plugin, at a computer with a network: makes its bundles and a customer's licence. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { platen } from '../topology/platen.js';

/** The plugin: a recogniser of tick boxes, `ticks`; from version 1.1.0 on, one of stamps, too. */
export const TICKS = '@acme/ticks';

export interface Vendor {
  /** Packs a version. @returns the bundle's path */
  bundle(version: '1.0.0' | '1.1.0'): Promise<string>;
  /** The path of a licence for 30 days. */
  readonly licence: string;
}

/** @param folder for its files, existing */
export async function createVendor(folder: string): Promise<Vendor> {
  const env = { PLATEN_DATA_DIR: join(folder, 'vendor') };
  const run = async (...args: string[]): Promise<string> => {
    const { code, out, log } = await platen(args, { env, cwd: folder }).ended;
    if (code !== 0) throw new Error(`platen ${args.join(' ')} ended with ${code}:\n${out}${log}`);
    return out;
  };
  const key = join(folder, 'vendor.key');
  const publicKey = /`([^`]+)`/.exec(await run('licence', 'keys', '--out', key))?.[1] ?? '';
  const licence = join(folder, 'acme.licence');
  const claims = ['--plugin', TICKS, '--customer', 'Acme Clinic', '--days', '30'];
  await run('licence', 'sign', '--key', key, ...claims, '--out', licence);
  return {
    licence,
    async bundle(version) {
      const source = join(folder, `ticks-${version}`);
      await mkdir(source);
      const kinds = version === '1.0.0' ? ['ticks'] : ['ticks', 'stamps'];
      await writeFile(join(source, 'index.js'), code(publicKey, kinds));
      await writeFile(
        join(source, 'package.json'),
        JSON.stringify({
          name: TICKS,
          version,
          type: 'module',
          exports: { '.': './index.js', './package.json': './package.json' },
          // The installation's own is used.
          peerDependencies: { '@platen/core': '*' },
        }),
      );
      const bundle = join(folder, `acme-${version}.bundle.tgz`);
      await run('plugins', 'pack', source, '--out', bundle, '--platform', 'linux-x64,win32-x64');
      return bundle;
    },
  };
}

const code = (
  publicKey: string,
  kinds: readonly string[],
): string => `import { definePlugin } from '@platen/core/plugin';

const kinds = ${JSON.stringify(kinds)};
export default definePlugin({
  name: '${TICKS}',
  api: 1,
  premium: { publicKey: ${JSON.stringify(publicKey)}, provides: kinds.map(id => ({ kind: 'recogniser', id })) },
  setup: () => ({ recognisers: kinds.map(kind => ({ kind, wishes: {}, read: async () => [kind] })) }),
});
`;
