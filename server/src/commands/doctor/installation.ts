/** The doctor's first checks: the configuration and the data folder. They change nothing. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { accessOf } from '../../machine/rights/access.js';
import { dataFolderSentence } from '../../machine/dataFolder/dataFolder.js';
import { asOwner, foreignFolder } from '../../machine/dataFolder/dataFolderMark.js';
import { ConfigError, systemCode } from '../../machine/configError.js';
import { DATA, hasService } from '../../machine/linuxService.js';
import { isRoot, platform } from '../../machine/platform.js';
import { readConfig } from '../../machine/config/read.js';
import { checkedOnWindows } from '../../machine/dataFolder/windowsDataFolder.js';
import type { Facts } from './facts.js';
import { failed, ok, type Outcome } from './finding.js';

export async function configuration(facts: Facts): Promise<Outcome> {
  const { configFile, dataDir, port } = facts.settings;
  // A flag or a variable works even if the configuration is invalid.
  if (port !== undefined) facts.port = port;
  try {
    facts.config = await readConfig(configFile, dataDir);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return failed('The configuration was rejected.', error.message);
  }
  facts.port ??= facts.config.listen.port;
  return ok(configFile);
}

export async function dataFolder(facts: Facts): Promise<Outcome> {
  const dir = facts.settings.dataDir;
  try {
    if (!(await stat(dir)).isDirectory())
      return failed(`The data folder ${dir} is not a folder.`, 'Set PLATEN_DATA_DIR to another folder.');
    const mode = await accessOf(dir);
    if (mode && !mode.own) {
      return failed(`The data folder ${dir} belongs to another account.`, asOwner(dir));
    }
    await access(dir, constants.R_OK | constants.W_OK | constants.X_OK);
    const foreign =
      (await foreignFolder(dir)) ?? (platform === 'win32' ? await checkedOnWindows(dir, () => undefined) : undefined);
    if (foreign !== undefined) return failed(`The service would reject the data folder ${dir}.`, foreign);
    if (mode?.shared)
      return failed(
        `The data folder ${dir} is open to other accounts.`,
        `Run: chmod 700 "${dir}". (Starting the service does this too.)`,
      );
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return failed(`The data folder ${dir} does not exist.`, missingFix(facts.env));
    return failed(dataFolderSentence(dir, error), 'Run this as the account that runs the service.');
  }
  facts.dataDir = dir;
  return ok(dir);
}

/** A data folder that is made beside that of the service would be a second one, with a certificate of its own. */
function missingFix(env: NodeJS.ProcessEnv): string {
  if (isRoot()) {
    const person = env['SUDO_USER'];
    if (person && person !== 'root')
      return 'Run this as the account that runs the service: without sudo, if it is yours.';
  } else if (hasService())
    return `The service of this computer has ${DATA}: sudo platen doctor. For a service of your own: platen cert install.`;
  return 'Create it and its certificate: platen cert install. If yours is elsewhere, set PLATEN_DATA_DIR.';
}
