/** Loads one plugin as the service would, with a data folder of its own, and closes it again. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadPlugins, nullLog, type PluginReport } from '@platen/core';
import type { Settings } from '../config/settings.js';
import { loadSettings } from '../loading.js';

export interface TriedOut {
  readonly report: PluginReport;
  /** The file that was imported; undefined if none was. */
  readonly file: string | undefined;
}

export async function tryOut(
  use: string,
  { configFile, pluginsDir }: Pick<Settings, 'configFile' | 'pluginsDir'>,
  warn: (message: string) => void,
): Promise<TriedOut> {
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-plugin-'));
  try {
    const settings = loadSettings({ configFile, pluginsDir, dataDir, warn });
    let file: string | undefined;
    const { registry, reports } = await loadPlugins({
      ...settings,
      entries: [{ use, enabled: true, required: false }],
      log: () => nullLog,
      importing(name, files) {
        settings.importing?.(name, files);
        file = files[0];
      },
    });
    await registry.close();
    return { report: reports[0]!, file };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
