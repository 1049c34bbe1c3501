/** Random walks over kept scans in folders, with crashes in the middle of writing. */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { nullLog } from '../log/nullLog.js';
import { openSpool } from '../pipeline/spool.js';
import { testWalks } from '../walk.test.kit.js';
import { steps } from './keptSteps.test.kit.js';
import { createWalk } from './keptWalk.test.kit.js';
import type { Home } from './keptWorld.test.kit.js';
import { openScanStore, spoolStore } from './scanStore.js';

const RUNS = 15;

const work = mkdtempSync(join(tmpdir(), 'platen-walks-'));
process.once('exit', () => rmSync(work, { recursive: true, force: true }));
const spare = spoolStore(await openSpool(join(work, 'spool'), 1e9));

function onDisk(dir = mkdtempSync(join(work, 'scans-'))): Home {
  return {
    open: () => openScanStore(dir, nullLog),
    spare,
    isSlow: true,
    async delivered(id, page) {
      const isKnown = async (): Promise<boolean> =>
        !(await readdir(join(dir, id)).catch((): string[] => [])).includes(`${page}.json`);
      while (!(await isKnown())) await breathe();
    },
    crash() {
      const left = mkdtempSync(join(work, 'scans-'));
      copyFolder(dir, left);
      return onDisk(left);
    },
  };
}

/** As it is at one moment, but for what a thread of the system removes or renames meanwhile. */
function copyFolder(from: string, to: string): void {
  unlessGone(() => {
    const entries = readdirSync(from, { withFileTypes: true });
    mkdirSync(to, { recursive: true, mode: 0o700 });
    for (const entry of entries) {
      const [source, copy] = [join(from, entry.name), join(to, entry.name)];
      if (entry.isDirectory()) copyFolder(source, copy);
      else if (!entry.name.endsWith('.draft')) unlessGone(() => copyFileSync(source, copy));
    }
  });
}

function unlessGone(copy: () => void): void {
  try {
    copy();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

await testWalks(
  'kept scans on disk: random walks, no announced page is lost',
  RUNS,
  steps,
  () => createWalk(onDisk(), 1e9),
  [[660_647_815, 52]],
);
