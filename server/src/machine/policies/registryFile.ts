/** Policies as a file for Windows' registry: what `reg import` and regedit read. */
import { isList, type Browser, type Setting } from './browsers.js';

/** ASCII, which regedit also reads: of a host, browsers know the ASCII form only. Without the last line feed. */
export function registryFile({ registry }: Browser, settings: Setting): string {
  const lines = [
    'Windows Registry Editor Version 5.00',
    '',
    '; A number that the key has already is replaced: number these entries after those.',
    ...keysOf(`HKEY_LOCAL_MACHINE\\${registry}`, settings),
    '',
  ];
  return lines.join('\r\n');
}

function keysOf(key: string, setting: Setting): string[] {
  if (isList(setting)) return ['', `[${key}]`, ...setting.map((text, at) => `"${at + 1}"="${escaped(text)}"`)];
  return Object.entries(setting).flatMap(([name, inner]) => keysOf(`${key}\\${name}`, inner));
}

const escaped = (text: string): string => text.replaceAll(/["\\]/g, '\\$&');
