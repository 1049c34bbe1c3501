/** The value of `--separate`: what begins a new document within a scan. */
import { patchCodes } from '@platen/core';
import { ConfigError } from '../../machine/configError.js';
import type { Separate } from '../../service/parameters/separate.js';

type Given = Partial<Record<keyof Separate, unknown>>;

/** For `parseArgs`, and one line of help. */
export const keepSeparatorsOption = { 'keep-separators': { type: 'boolean' as const } };
export const keepSeparatorsHelp = `  ${'--keep-separators'.padEnd(26)}a separating sheet is the beginning of its document, not left out`;

const isPatchCode = (code: string): boolean => patchCodes.some(known => known === code.toUpperCase());

/** @throws {ConfigError} naming the flag and what it takes */
export function separateOf(text: string): Given {
  const [, by = '', , given] = /^([a-z]+)(:(.+))?$/is.exec(text) ?? [];
  const way = by.toLowerCase();
  if (way === 'blank' && given === undefined) return { by: way };
  if (way === 'barcode') return { by: way, ...(given === undefined ? {} : { text: given }) };
  const codes = given?.split(',') ?? [];
  if (way === 'patch' && codes.every(isPatchCode)) return { by: way, ...(given === undefined ? {} : { codes }) };
  if (way === 'count' && /^[1-9]\d{0,8}$/.test(given ?? '')) return { by: way, pages: Number(given) };
  throw new ConfigError(
    '--separate takes blank, barcode, barcode:TEXT (* stands for any characters), patch, patch:CODES (1, 2, 3, 4, 6, T) or count:N.',
    { code: 'usage' },
  );
}

/**
 * `--keep-separators`.
 * @param separate the value of `--separate`
 * @throws {ConfigError} naming the flag that is missing
 */
export function withSeparators(separate: Given | undefined): Given {
  if (separate && separate.by !== 'count') return { ...separate, keep: true };
  throw new ConfigError('--keep-separators needs --separate blank, barcode or patch.', { code: 'usage' });
}
