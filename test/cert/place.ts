/** A home and a data folder for tests of the certificate, and the service in them. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { platen, serve, type Exit, type Platen, type PlatenOptions } from '../topology/platen.js';

export interface Place {
  readonly home: string;
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string>>;
  cert(...args: string[]): Promise<Exit>;
  /** @param more flags of Node's own, and variables */
  certOn(more: PlatenOptions, ...args: string[]): Promise<Exit>;
  thumbprint(): Promise<string>;
}

/** A home and a data folder of the test's own; what is trusted is distrusted at its end. */
export async function place(t: Test): Promise<Place> {
  const own = await mkdtemp(join(tmpdir(), 'platen-trust-'));
  const [home, dataDir] = [join(own, 'home'), join(own, 'data')];
  await mkdir(home);
  const env = {
    HOME: home,
    XDG_DATA_HOME: join(home, '.local', 'share'),
    XDG_CONFIG_HOME: join(home, '.config'),
    PLATEN_DATA_DIR: dataDir,
  };
  const certOn: Place['certOn'] = (more, ...args) =>
    platen(['cert', ...args], { ...more, env: { ...env, ...more.env } }).ended;
  const cert: Place['cert'] = (...args) => certOn({}, ...args);
  t.teardown(async () => {
    await cert('remove');
    await rm(own, { recursive: true, force: true });
  });
  return {
    home,
    dataDir,
    env,
    cert,
    certOn,
    thumbprint: async () => /\(SHA-1\): +(\w+)/.exec((await cert('status')).out)?.[1] ?? 'none',
  };
}

/** Serves without plugins until the test's end. */
export async function startService(
  t: Test,
  { home, env }: Place,
  more: PlatenOptions = {},
): Promise<Platen & { readonly url: string; readonly port: number }> {
  const config = join(home, 'platen.json');
  await writeFile(config, '{ "plugins": [] }', { mode: 0o600 });
  const running = await serve(['--config', config], { ...more, env: { ...env, ...more.env, PLATEN_PORT: '0' } });
  t.teardown(async () => {
    running.signal('SIGTERM');
    await running.ended;
  });
  return { ...running, url: `https://localhost:${running.port}/` };
}

/** @returns its address */
export const service = async (t: Test, place: Place): Promise<string> => (await startService(t, place)).url;
