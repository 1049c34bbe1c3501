/** Has the running service take over its configuration, and says what it did. */
import { dataFolderHolder } from '../../machine/dataFolder/lock.js';
import { askReload } from '../../machine/dataFolder/reloadRequest.js';
import type { Settings } from '../../machine/config/settings.js';
import { exitCodes } from '../../machine/exitCodes.js';
import type { Io } from '../../machine/io.js';
import { printableLines } from '../../machine/printable.js';
import { becomeOwner } from './asOwner.js';

/** The longest scan of a scanner whose driver changes may take longer: the service goes on with it. */
const PATIENCE_MS = 60_000;

/** @returns 3 if something could not be taken over */
export async function reload(settings: Pick<Settings, 'dataDir'>, io: Io): Promise<number> {
  if (!(await isServed(settings)))
    throw new Error(
      `No service uses the data folder ${settings.dataDir}: there is nothing to reload. It reads its configuration when it starts.`,
    );
  return tellReload(settings, io);
}

/** Whether a service uses the data folder. */
export async function isServed({ dataDir }: Pick<Settings, 'dataDir'>): Promise<boolean> {
  const holder = await dataFolderHolder(dataDir).catch(() => undefined);
  return holder?.alive === true && holder.use?.use === 'service';
}

/** @returns 3 if something could not be taken over */
export async function tellReload({ dataDir }: Pick<Settings, 'dataDir'>, io: Io): Promise<number> {
  becomeOwner(dataDir, io.env);
  const answer = await askReload(dataDir, PATIENCE_MS);
  if (!answer) {
    io.out('The service takes the change over when the running scan has ended.');
    return exitCodes.ok;
  }
  for (const each of answer.changes) io.out(printableLines(each));
  for (const each of answer.faults) io.err(printableLines(each));
  if (answer.changes.length === 0 && answer.faults.length === 0) io.out('Nothing was changed.');
  return answer.faults.length === 0 ? exitCodes.ok : exitCodes.configuration;
}
