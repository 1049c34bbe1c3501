/** The secrets of an installation, which no file for others may have. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Files in the data folder whose content is a secret. */
const secretFiles = ['local.token', 'settings.token', 'channel.secret', 'platen-data-folder'];

export async function secretsIn(dataDir: string): Promise<string[]> {
  const texts = await Promise.all(secretFiles.map(each => readFile(join(dataDir, each), 'utf8').catch(() => '')));
  return texts.flatMap(text => text.trim().split('\n').slice(-1));
}
