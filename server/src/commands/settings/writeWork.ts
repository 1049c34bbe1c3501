/** Writes what the service asks for, and nothing else: this process may have more rights than the service. */
import { messageOf } from '@platen/core';
import { fixedPlace } from '../../machine/config/fixed.js';
import { ownEntries, ownName, writeOwn } from '../../machine/config/ownFile.js';
import { readConfig } from '../../machine/config/read.js';
import { printable } from '../../machine/printable.js';

export interface WritePlace {
  /** The only one that is written. */
  readonly file: string;
  readonly configFile: string;
  readonly dataDir: string;
}

/**
 * @param work the whole text: switches and options of plugins that the configuration has already
 * @returns why it was not written
 */
export async function writeWork(
  { text, isSecret }: { readonly text: string; readonly isSecret: boolean },
  { file, configFile, dataDir }: WritePlace,
): Promise<string | undefined> {
  try {
    const { plugins } = await readConfig(configFile, dataDir);
    const known = new Set(plugins.map(({ use }) => ownName(use, configFile)));
    for (const use of ownEntries(text, file).keys())
      if (!known.has(use))
        return printable(`The configuration has no plugin ${JSON.stringify(use)}: nothing was written.`);
    await readConfig(configFile, dataDir, fixedPlace, { file, text });
    await writeOwn(file, text, { dataDir, isSecret });
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
