/** The doctor's first looks: the configuration, and the data folder. Nothing is made or changed. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { accessOf } from '../config/access.js';
import { dataFolderSentence } from '../config/dataFolder.js';
import { foreignFolder } from '../config/dataFolderMark.js';
import { ConfigError, systemCode } from '../config/error.js';
import { readConfig } from '../config/read.js';
import type { Facts } from './facts.js';
import { failed, ok, type Outcome } from './finding.js';

export async function configuration(facts: Facts): Promise<Outcome> {
  const { configFile, port } = facts.settings;
  // What a flag or a variable says needs no configuration.
  if (port !== undefined) facts.port = port;
  try {
    facts.config = await readConfig(configFile);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return failed('The configuration is refused.', error.message);
  }
  facts.port ??= facts.config.listen.port;
  return ok(configFile);
}

export async function dataFolder(facts: Facts): Promise<Outcome> {
  const dir = facts.settings.dataDir;
  try {
    if (!(await stat(dir)).isDirectory())
      return failed(`The data folder ${dir} is not a folder.`, 'Name another one in PLATEN_DATA_DIR.');
    const mode = await accessOf(dir);
    if (mode && !mode.own) {
      // Root may look into everybody's, and what it would make there the service could not use.
      return failed(
        `The data folder ${dir} belongs to another account.`,
        "Run this as the account that runs the service, or name that one's folder in PLATEN_DATA_DIR.",
      );
    }
    await access(dir, constants.R_OK | constants.W_OK | constants.X_OK);
    const foreign = await foreignFolder(dir);
    if (foreign !== undefined) return failed(`The data folder ${dir} is not one that the service takes.`, foreign);
    if (mode?.shared)
      return failed(
        `The data folder ${dir} is open to other accounts.`,
        `Run: chmod 700 "${dir}"; starting the service does it as well.`,
      );
  } catch (error) {
    if (systemCode(error) === 'ENOENT')
      return failed(
        `There is no data folder ${dir}.`,
        'Make it, with its certificate: platen cert install. One that lies elsewhere is named in PLATEN_DATA_DIR.',
      );
    return failed(dataFolderSentence(dir, error), 'Run this as the account that runs the service.');
  }
  facts.dataDir = dir;
  return ok(dir);
}
