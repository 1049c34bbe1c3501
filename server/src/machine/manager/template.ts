/** Texts of a service manager, made from the templates in server/service. */
import { readFile } from 'node:fs/promises';
import type { ServicePlace } from './manager.js';

/** @throws Error for a word between @ without a value */
export async function filled(file: URL | string, values: Readonly<Record<string, string>>): Promise<string> {
  const text = await readFile(file, 'utf8');
  // The comments about the words in it are for whoever reads the template.
  const own = text.replace(/^# .*between @\.\n/m, '').replace(/^<!-- .*between @\. -->\n/m, '');
  return own.replaceAll(/@(\w+)@/g, (_, word: string) => {
    const value = values[word];
    if (value === undefined) throw new Error(`${String(file)} has no value for ${word}.`);
    return value;
  });
}

/** The configuration of a new installation. @param origins its `security.origins`; absent: as shipped */
export function configText({ schema }: Pick<ServicePlace, 'schema'>, origins?: 'open' | 'ask'): string {
  const security = origins === undefined ? {} : { security: { origins } };
  return `${JSON.stringify({ $schema: schema, extends: 'shipped', ...security }, undefined, 2)}\n`;
}

/** For a unit's `Environment=`: systemd.exec(5). */
export function unitWord(path: string): string {
  const escaped = path.replaceAll('%', '%%');
  return /[\s"'\\;]/.test(escaped) ? `"${escaped.replaceAll(/["\\]/g, '\\$&')}"` : escaped;
}

/** For a unit's `ExecStart=`, which also expands variables: systemd.service(5). */
export const unitArgument = (path: string): string => unitWord(path).replaceAll('$', '$$$$');

/** For text of a property list. */
export const xmlText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
