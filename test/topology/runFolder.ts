/** What the processes of a test run share: it is made once, in the folder that the runner gives them. */
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for what all processes of a test run use, under this name in their environment. */
export const runFolder = 'PLATEN_TEST_RUN';

/**
 * A file or a folder that is made once for a run, or once for this process if no runner gives it a folder.
 *
 * @param make writes it to this path, which does not exist
 * @returns its path
 */
export async function fileOfRun(name: string, make: (path: string) => Promise<void>): Promise<string> {
  const ofRun = process.env[runFolder];
  const made = ofRun === undefined ? undefined : join(ofRun, name);
  if (made !== undefined && existsSync(made)) return made;
  const folder = await mkdtemp(join(ofRun ?? tmpdir(), 'platen-making-'));
  if (ofRun === undefined) process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  await make(join(folder, name));
  if (made === undefined) return join(folder, name);
  try {
    await rename(join(folder, name), made);
  } catch (error) {
    // Another process was first.
    if (!existsSync(made)) throw error;
  }
  return made;
}
