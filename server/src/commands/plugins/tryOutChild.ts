/** The process of {@link tryOut}: loads one plugin as the service would, with a data folder of its own. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadPlugins, nullLog, settledWithin } from '@platen/core';
import { loadSettings } from '../../service/loading.js';
import type { TryOutAnswer, TryOutQuestion } from './tryOut.js';

/** How long a plugin may take to close. */
const CLOSE_MS = 3000;

const send = (answer: TryOutAnswer): Promise<void> =>
  new Promise(resolve => {
    if (process.connected) process.send!(answer, () => resolve());
    else resolve();
  });

// Whoever asked has gone.
process.once('disconnect', () => process.exit());
const asked = once(process, 'message');
await send({ ready: true });
const [{ use, configFile, pluginsDir, licence }] = (await asked) as [TryOutQuestion];
const dataDir = await mkdtemp(join(tmpdir(), 'platen-plugin-'));
try {
  const settings = loadSettings({
    config: { file: configFile },
    pluginsDir,
    dataDir,
    warn: message => void send({ warning: message }),
  });
  let file: string | undefined;
  const { registry, reports } = await loadPlugins({
    ...settings,
    entries: [{ use, enabled: true, required: false, ...(licence === undefined ? {} : { licence }) }],
    log: () => nullLog,
    importing(name, files) {
      settings.importing?.(name, files);
      file = files[0];
    },
  });
  await send({ report: reports[0]!, file });
  await settledWithin(registry.close(), CLOSE_MS);
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
process.exit();
