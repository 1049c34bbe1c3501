/** Policies as the files that browsers and systems read: JSON, a registry file of Windows, a profile of macOS. */
import { isList, type Browser, type Setting, type Settings } from './browsers.js';
import { profile } from './profile.js';

export const policyFormats = ['json', 'registry', 'profile'] as const;
export type PolicyFormat = (typeof policyFormats)[number];

/** Each text is without its last line feed. */
export const writers: Readonly<Record<PolicyFormat, (browser: Browser, settings: Settings) => string>> = {
  json: ({ engine }, settings) =>
    JSON.stringify(engine === 'firefox' ? { policies: settings } : settings, undefined, 2),
  registry: registryFile,
  profile,
};

/** What `reg import` and regedit read. ASCII, which regedit also reads: of a host, browsers know the ASCII form only. Without the last line feed. */
function registryFile({ registry }: Browser, settings: Setting): string {
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
