/** How a command asks the running service to take over its configuration: by a file in the data folder, answered by one. */
import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export const ASKED = 'reload.json';
const ANSWERED = 'reloaded.json';

/** What the service did. */
export interface ReloadAnswer {
  /** One sentence each. */
  readonly changes: readonly string[];
  /** One sentence each: what could not be taken over, and what to do. */
  readonly faults: readonly string[];
}

const POLL_MS = 50;

/** @returns undefined if the service did not answer in time: a scan may still run */
export async function askReload(dataDir: string, patienceMs: number): Promise<ReloadAnswer | undefined> {
  const id = randomUUID();
  await put(join(dataDir, ASKED), { id });
  const patience = performance.now() + patienceMs;
  for (;;) {
    const answer = await read(join(dataDir, ANSWERED));
    if (answer?.['id'] === id) return answer as unknown as ReloadAnswer;
    if (performance.now() > patience) return undefined;
    await sleep(POLL_MS);
  }
}

/** For the service. @returns the id of what was asked last; undefined if nothing was */
export async function askedReload(dataDir: string): Promise<string | undefined> {
  const id = (await read(join(dataDir, ASKED)))?.['id'];
  return typeof id === 'string' ? id : undefined;
}

/** For the service. */
export const answerReload = (dataDir: string, id: string, answer: ReloadAnswer): Promise<void> =>
  put(join(dataDir, ANSWERED), { id, ...answer });

async function read(file: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  } catch {
    // It is not there yet.
    return undefined;
  }
}

async function put(file: string, value: object): Promise<void> {
  const made = `${file}.${process.pid}`;
  await writeFile(made, `${JSON.stringify(value)}\n`, { mode: 0o600 });
  await rename(made, file);
}
