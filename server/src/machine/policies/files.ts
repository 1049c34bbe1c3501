/** Policies in JSON files: Chromium's folders on Linux, and Firefox's `policies.json` on every system. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '@platen/core';
import { systemCode } from '../configError.js';
import { parseJson } from '../json.js';
import type { Browser } from './browsers.js';
import { besideFirefox } from './place.js';
import { isRecord, type PolicySource, type PolicySurroundings } from './source.js';

/** Where Linux distributions install Firefox. */
const firefoxFolders = ['/usr/lib/firefox-esr', '/usr/lib/firefox', '/usr/lib64/firefox', '/opt/firefox'];

/**
 * In the order in which Chromium reads them: of two that set a policy, the later one counts.
 * @param policies the folder of the browser's policies
 */
export async function chromiumFiles(
  browser: Browser,
  policies: string,
  { root }: PolicySurroundings,
): Promise<PolicySource[]> {
  const sources: PolicySource[] = [];
  // A recommended policy counts until a person decides, or a managed one does.
  for (const kind of ['recommended', 'managed']) {
    const folder = join(root, policies, kind);
    let names: string[];
    try {
      names = (await readdir(folder)).sort();
    } catch (error) {
      if (!isMissing(error)) sources.push({ browser, place: folder, damage: messageOf(error) });
      continue;
    }
    for (const name of names) sources.push(...(await sourceOf(browser, join(folder, name), lenient)));
  }
  return sources;
}

/** A Firefox reads the system's file, else the one beside the program, of which Linux may have several. */
export async function firefoxFiles(browser: Browser, given: PolicySurroundings): Promise<PolicySource[]> {
  const { root, platform } = given;
  const read = (file: string): Promise<PolicySource[]> => sourceOf(browser, join(root, file), text => text);
  const beside = besideFirefox[platform];
  if (beside !== undefined) return read(beside);
  const own = await read(`${browser.folder}/policies.json`);
  if (own.length > 0) return own;
  return (await Promise.all(firefoxFolders.map(folder => read(`${folder}/distribution/policies.json`)))).flat();
}

/** @param prepare makes JSON of what this browser accepts */
async function sourceOf(browser: Browser, place: string, prepare: (text: string) => string): Promise<PolicySource[]> {
  try {
    const whole = parseJson(prepare(await readFile(place, 'utf8')));
    const settings = browser.engine === 'firefox' && isRecord(whole) ? whole['policies'] : whole;
    return [isRecord(settings) ? { browser, place, settings } : { browser, place, damage: 'it holds no policies' }];
  } catch (error) {
    // A folder is not a file of policies.
    return isMissing(error) || systemCode(error) === 'EISDIR' ? [] : [{ browser, place, damage: messageOf(error) }];
  }
}

const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '');

/** Chromium takes comments, and a comma after the last entry. */
function lenient(text: string): string {
  const keepTexts =
    (inner: string) =>
    (found: string): string =>
      found.startsWith('"') ? found : inner;
  return text
    .replaceAll(/"(?:\\.|[^"\\])*"|\/\/[^\n]*|\/\*[^]*?\*\//g, keepTexts(' '))
    .replaceAll(/"(?:\\.|[^"\\])*"|,(?=\s*[}\]])/g, keepTexts(''));
}
