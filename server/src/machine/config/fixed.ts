/**
 * What a company fixes on its computers: keys of the configuration that no file of it changes. A file of root, a policy of
 * Windows (HKEY_LOCAL_MACHINE), or a profile of macOS; each counts after everything else.
 */
import { existsSync } from 'node:fs';
import { win32 } from 'node:path';
import { ConfigError } from '../configError.js';
import { JsonError, parseJson } from '../json.js';
import { platform } from '../platform.js';
import { systemTools, type Tools } from '../tls/trust/tool.js';
import { readLayer, type Layer } from './readLayer.js';

export interface FixedPlace {
  readonly platform: NodeJS.Platform;
  /** Of Linux, or the preferences of macOS. */
  readonly file: string;
  readonly tools: Pick<Tools, 'run'>;
  readonly env: NodeJS.ProcessEnv;
}

export const POLICY_KEY = 'SOFTWARE\\Policies\\Platen';
/** The domain of a profile's payload. */
export const POLICY_DOMAIN = 'org.platen';

export const fixedPlace: FixedPlace = {
  platform,
  file: platform === 'darwin' ? `/Library/Managed Preferences/${POLICY_DOMAIN}.plist` : '/etc/platen/policy.json',
  tools: systemTools(process.env),
  env: process.env,
};

/** @returns undefined if nothing is fixed. @throws {ConfigError} that names the place */
export async function fixedLayer({ platform: system, file, tools, env }: FixedPlace): Promise<Layer | undefined> {
  if (system === 'win32') {
    const reg = win32.join(env['SystemRoot'] || 'C:\\Windows', 'System32', 'reg.exe');
    const place = `HKEY_LOCAL_MACHINE\\${POLICY_KEY}`;
    const answer = await tools.run(reg, ['query', place, '/s']);
    // Without the key, reg ends with 1.
    return answer?.code === 0 ? layerOf(place, valueIn(answer.said, place)) : undefined;
  }
  if (!existsSync(file)) return undefined;
  if (system !== 'darwin') return { ...(await readLayer(file)), isFixed: true };
  const answer = await tools.run('/usr/bin/plutil', ['-convert', 'json', '-o', '-', file]);
  try {
    if (answer?.code !== 0) throw new Error(answer?.said || 'plutil is missing');
    return layerOf(file, parseJson(answer.said));
  } catch (error) {
    const why = error instanceof JsonError ? error.message : String((error as Error).message);
    throw new ConfigError(`The policies ${file} cannot be read: ${why}.`, { cause: error });
  }
}

const layerOf = (file: string, value: unknown): Layer => ({ file, value, lineOf: () => undefined, isFixed: true });

type Tree = { [name: string]: Tree | string | number };

/**
 * Keys are groups, and their values the group's keys: DWORD for numbers and switches, SZ for words and large numbers. A key
 * with numbered values is a list. The values of `plugins` are the names of plugins: 0 switches one off.
 */
function valueIn(said: string, base: string): unknown {
  const root: Tree = {};
  let at: Tree = root;
  for (const line of said.split(/\r?\n/)) {
    if (/^HKEY_/i.test(line)) {
      at = root;
      for (const name of line.slice(base.length).split('\\').filter(Boolean)) {
        const found = Object.hasOwn(at, name) ? at[name] : undefined;
        at = typeof found === 'object' ? found : (at[name] = {});
      }
      continue;
    }
    const [, name = '', type, data = ''] = /^ {4}(.+?) {4}REG_(SZ|DWORD)(?: {4}(.*))?$/.exec(line) ?? [];
    if (type !== undefined && name !== '__proto__') at[name] = type === 'SZ' ? data : Number(data);
  }
  const { plugins = {}, ...groups } = root;
  const entries = Object.entries(plugins).map(([use, isOn]) => ({ use, enabled: String(isOn) !== '0' }));
  return {
    ...Object.fromEntries(Object.entries(groups).map(([name, group]) => [name, plain(group)])),
    ...(entries.length > 0 ? { plugins: entries } : {}),
  };
}

function plain(value: Tree | string | number): unknown {
  if (typeof value !== 'object') return value;
  const names = Object.keys(value);
  if (names.length > 0 && names.every(name => /^\d+$/.test(name))) return Object.values(value);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
}

/**
 * The registry and its templates have neither booleans nor fractions.
 * @param schema of the configuration
 * @returns the value with those that the schema has
 */
export function asSchemaHas(value: unknown, schema: unknown): unknown {
  const { type, properties, maximum } = (schema ?? {}) as {
    readonly type?: string;
    readonly properties?: Readonly<Record<string, unknown>>;
    readonly maximum?: number;
  };
  if (properties && typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asSchemaHas(inner, properties[key])]));
  if (type === 'boolean' && (value === 0 || value === 1)) return value === 1;
  const isNumber = maximum !== undefined && typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value);
  return isNumber ? Number(value) : value;
}
