/** Policies that macOS manages as preferences, from profiles, read with its own `plutil`. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '@platen/core';
import { parseJson } from '../json.js';
import type { Browser } from './browsers.js';
import { isRecord, type PolicySource, type PolicySurroundings } from './source.js';

const folder = '/Library/Managed Preferences';

/** First those of persons, then the computer's. */
export async function managedPreferences(browser: Browser, given: PolicySurroundings): Promise<PolicySource[]> {
  const top = join(given.root, folder);
  const wanted = `${browser.domain}.plist`;
  const entries = await readdir(top, { withFileTypes: true }).catch(() => []);
  const folders = [...entries.filter(each => each.isDirectory()).map(({ name }) => join(top, name)), top];
  const sources: PolicySource[] = [];
  for (const each of folders)
    if (existsSync(join(each, wanted))) sources.push(await sourceOf(browser, join(each, wanted), given));
  return sources;
}

async function sourceOf(browser: Browser, place: string, { run }: PolicySurroundings): Promise<PolicySource> {
  const answer = await run('/usr/bin/plutil', ['-convert', 'json', '-o', '-', place]);
  if (answer?.code !== 0) return { browser, place, damage: answer?.said || 'plutil is missing' };
  try {
    const settings = parseJson(answer.said);
    return isRecord(settings) ? { browser, place, settings } : { browser, place, damage: 'it holds no policies' };
  } catch (error) {
    return { browser, place, damage: messageOf(error) };
  }
}
