/** Computers of a fleet, as docs/deployment.md has them: its lines, its groups, and what a service tells pages. */
import { readFileSync } from 'node:fs';
import { TICKS } from './vendor.js';

/** Of `GET /api/features`. */
export interface Features {
  readonly barcodes: { readonly available: boolean };
  readonly text: { readonly available: boolean };
  readonly recognisers: readonly string[];
  readonly off: readonly { readonly id: string; readonly why: string }[];
}

/** Why each that is off is so, by its name. */
export const offOf = ({ off }: Features): Readonly<Record<string, string>> =>
  Object.fromEntries(off.map(({ id, why }) => [id, why]));

const guide = readFileSync(new URL('../../../docs/deployment.md', import.meta.url), 'utf8');

/** @param what the first cell of a row @returns the command of its second, for an administrator's shell */
export function lineOf(what: string): string {
  const command = guide.split('\n').find(line => line.trim().startsWith(`| ${what} | \``));
  if (command === undefined) throw new Error(`docs/deployment.md has no line for ${what}`);
  return command.split('`')[1]!.replaceAll('sudo ', '');
}

/** The small files of two groups of computers, by name: the page's front desk, and an archive with the vendor's plugin. */
export const groups = {
  '20-front-desk.json': /```json\n([^`]*"@platen\/ocr", "enabled": false[^`]*)```/.exec(guide)?.[1] ?? '',
  '20-archive.json': `{ "plugins": [{ "use": "@platen/barcode", "enabled": false }, { "use": "${TICKS}" }] }\n`,
} as const;

/** @param shown what `platen config show` prints @returns without the defaults, which no file says */
export const chosenIn = (shown: string): string =>
  shown
    .split(/\r?\n/)
    .filter(line => line !== '' && !line.endsWith('  # default'))
    .join('\n');
