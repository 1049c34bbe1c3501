/** `platen config policy`: keys of a configuration as what a company distributes to fix them. */
import { ConfigError } from '../../machine/configError.js';
import { POLICY_DOMAIN, POLICY_KEY } from '../../machine/config/fixed.js';
import { configOf } from '../../machine/config/read.js';
import { readLayer } from '../../machine/config/readLayer.js';
import { profileText, type PlistValue } from '../../machine/policies/profile.js';

export const fixingFormats = ['json', 'registry', 'profile'] as const;
export type FixingFormat = (typeof fixingFormats)[number];

type Keys = Readonly<Record<string, PlistValue>>;

/**
 * @param file absolute: the keys to fix, as a configuration has them
 * @returns the text, without the last line feed
 * @throws {ConfigError} for a file that is no configuration
 */
export async function policyText(file: string, format: FixingFormat): Promise<string> {
  const { value } = await readLayer(file);
  configOf(value, file);
  const { $schema: _, extends: base, ...keys } = value as Keys;
  if (base !== undefined)
    throw new ConfigError(`${file} extends another file, and a policy does not. Remove "extends".`, { code: 'usage' });
  if (format === 'profile')
    return profileText(
      {
        identifier: 'org.platen.policy.configuration',
        title: 'Platen',
        description: "Fixes keys of Platen's configuration.",
        settingsTitle: "Platen's configuration",
        domain: POLICY_DOMAIN,
      },
      keys,
    );
  return format === 'json' ? JSON.stringify(keys, undefined, 2) : registryText(keys, file);
}

/** What `reg import` reads. */
function registryText({ plugins = [], ...groups }: Keys, file: string): string {
  const lines = ['Windows Registry Editor Version 5.00'];
  const add = (key: string, values: readonly string[]): void =>
    void lines.push('', `[HKEY_LOCAL_MACHINE\\${key}]`, ...values);
  for (const [group, keys] of Object.entries(groups)) {
    const all = Object.entries(keys as Keys);
    add(
      `${POLICY_KEY}\\${group}`,
      all.flatMap(([key, value]) =>
        Array.isArray(value) ? [] : [`"${key}"=${dataOf(value, `${group}.${key}`, file)}`],
      ),
    );
    for (const [key, value] of all)
      if (Array.isArray(value))
        add(
          `${POLICY_KEY}\\${group}\\${key}`,
          value.map((each, at) => `"${at + 1}"="${escaped(String(each))}"`),
        );
  }
  const entries = plugins as readonly Keys[];
  for (const { use, enabled, ...rest } of entries)
    if (typeof enabled !== 'boolean' || Object.keys(rest).length > 0)
      throw new ConfigError(
        `Windows' registry fixes whether a plugin is on, and nothing else: the entry of ${String(use)} has more, or no "enabled".`,
        { code: 'usage' },
      );
  if (entries.length > 0)
    add(
      `${POLICY_KEY}\\plugins`,
      entries.map(({ use, enabled }) => `"${escaped(String(use))}"="${enabled ? 1 : 0}"`),
    );
  return [...lines, ''].join('\r\n');
}

function dataOf(value: PlistValue, path: string, file: string): string {
  if (typeof value === 'boolean') return `dword:0000000${value ? 1 : 0}`;
  if (typeof value === 'number' && Number.isInteger(value) && value <= 0xffff_ffff)
    return `dword:${value.toString(16).padStart(8, '0')}`;
  if (typeof value === 'number' || typeof value === 'string') return `"${escaped(String(value))}"`;
  throw new ConfigError(`${file}: Windows' registry cannot fix ${path}. Put it into a file of conf.d instead.`, {
    code: 'usage',
  });
}

const escaped = (text: string): string => text.replaceAll(/["\\]/g, '\\$&');
