/** Policies in Windows' registry, read with Windows' own `reg`. */
import { win32 } from 'node:path';
import type { Browser } from './browsers.js';
import type { PolicySource, PolicySurroundings } from './source.js';

/** The later one counts: what is set for the computer. */
const hives = ['HKEY_CURRENT_USER', 'HKEY_LOCAL_MACHINE'] as const;

export async function registryPolicies(browser: Browser, { env, run }: PolicySurroundings): Promise<PolicySource[]> {
  const reg = win32.join(env['SystemRoot'] || 'C:\\Windows', 'System32', 'reg.exe');
  const sources: PolicySource[] = [];
  for (const hive of hives) {
    const place = `${hive}\\${browser.registry}`;
    const answer = await run(reg, ['query', place, '/s']);
    // Without the key, reg ends with 1.
    if (answer?.code === 0) sources.push({ browser, place, settings: settingsOf(answer.said, place) });
  }
  return sources;
}

type Tree = { [name: string]: Tree | string | boolean };

/** A line without an indent is a key; the values of that key follow: name, type and data, four spaces between them. */
function settingsOf(said: string, base: string): Readonly<Record<string, unknown>> {
  const root: Tree = {};
  let at: Tree = root;
  for (const line of said.split(/\r?\n/)) {
    if (/^HKEY_/i.test(line)) {
      at = root;
      for (const name of line.slice(base.length).split('\\').filter(Boolean)) at = below(at, name);
      continue;
    }
    const [, name = '', type, data = ''] = /^ {4}(.+?) {4}REG_(SZ|DWORD)(?: {4}(.*))?$/.exec(line) ?? [];
    if (type !== undefined) at[name] = type === 'SZ' ? data : Number(data) !== 0;
  }
  return listsIn(root) as Readonly<Record<string, unknown>>;
}

function below(tree: Tree, name: string): Tree {
  const found = Object.hasOwn(tree, name) ? tree[name] : undefined;
  if (typeof found === 'object') return found;
  return (tree[name] = {});
}

/** A key whose values are numbered is a list. */
function listsIn(value: Tree | string | boolean): unknown {
  if (typeof value !== 'object') return value;
  const names = Object.keys(value);
  if (names.length > 0 && names.every(name => /^\d+$/.test(name))) return Object.values(value);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, listsIn(inner)]));
}
