/** What browsers load: the size of each script that the service serves, and of the module in an application. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { COMPONENT_KB, componentScripts } from '../componentScripts.js';
import { table, verdict } from './numbers.js';
import { kilobytes, writeSizes } from './statedSizes.js';

const client = new URL('build/', import.meta.resolve('@platen/client/package.json'));
const pages = new URL('web/build/', import.meta.resolve('@platen/server/package.json'));

/** Also writes the sizes that documents state. */
export async function browserRows(): Promise<string> {
  writeSizes();
  const rows = [
    row('`/client.js`', [readFileSync(new URL('client.js', client))]),
    row('`<platen-scan>`: scan, turn, remove, Done, in English', componentScripts(), COMPONENT_KB),
    row('`/app/`, its scripts', scriptsIn(new URL('app/', pages))),
    row('`/reference`, its script', scriptsIn(new URL('reference/', pages))),
    row("`import { PlatenError } from '@platen/client'`, bundled", [await bundled('PlatenError')]),
  ];
  return table(['scripts', 'requests', 'kB', 'kB gzipped', 'wanted, kB gzipped'], rows);
}

function row(what: string, scripts: readonly Uint8Array[], wanted?: number): string[] {
  const bytes = sum(scripts.map(each => each.byteLength));
  const gzipped = kilobytes(scripts);
  const said = wanted === undefined ? '' : verdict('≤', gzipped, wanted, 0);
  return [what, String(scripts.length), (bytes / 1000).toFixed(1), gzipped.toFixed(1), said];
}

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

const scriptsIn = (folder: URL): Buffer[] =>
  readdirSync(folder)
    .filter(name => name.endsWith('.js'))
    .map(name => readFileSync(new URL(name, folder)));

async function bundled(name: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { ${name} } from '@platen/client';`,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}
