/** The desktop application as a separate process, on the data folder of a service. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from './client.js';
import { NotStarted, platen, type Platen } from './platen.js';

export interface HostOptions {
  /** The service's data folder. */
  readonly dataDir: string;
  /** Entries of its configuration's plugins. */
  readonly plugins: readonly object[];
  /** Further keys of its configuration: `channel`, `transferMode`. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** The service's end of the channel, as an entry of its plugins. */
export const desktopPlugin = { use: '@platen/driver-desktop', options: { channel: 'platen' } } as const;

/**
 * Starts `platen host` and waits until it listens; its configuration is removed after its end.
 * @throws NotStarted
 */
export async function startHost({ dataDir, plugins, config, env = {} }: HostOptions): Promise<Platen> {
  const own = await mkdtemp(join(tmpdir(), 'platen-host-'));
  const file = join(own, 'host.json');
  await writeFile(file, JSON.stringify({ plugins, ...config }), { mode: 0o600 });
  const host = platen(['host', '--config', file], { env: { PLATEN_DATA_DIR: dataDir, ...env } });
  const ended = host.ended.finally(() => rm(own, { recursive: true, force: true }));
  let look: NodeJS.Timeout | undefined;
  const listening = new Promise<undefined>(resolve => {
    look = setInterval(() => host.out().includes(' on the channel ') && resolve(undefined), 10);
  });
  const exit = await Promise.race([listening, ended]).finally(() => clearInterval(look));
  if (exit) throw new NotStarted(exit);
  return { ...host, ended };
}

/** Waits until the service has connected to it; the service dials first two seconds after its start. */
export async function untilFound(port: number): Promise<void> {
  while (!(await request(port, 'GET', '/api/twain/version')).text.includes('"desktopAppConnected":true'))
    await new Promise(resolve => setTimeout(resolve, 100));
}
