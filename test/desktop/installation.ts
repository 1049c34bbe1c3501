/** One data folder with a service that has no scanners itself, and desktop applications that come and go. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { installCertificate } from '../topology/certificate.js';
import { desktopPlugin, startHost, type HostOptions } from '../topology/desktopHost.js';
import type { Platen } from '../topology/platen.js';
import type { Fault, Fixture, FixtureOptions, Role } from '../topology/topology.js';
import { virtualScanners, virtualTopology } from '../topology/virtualTopology.js';

export interface Installation {
  /** The data folder of both programs. */
  readonly dataDir: string;
  /** The scanners of its desktop applications. */
  readonly plugins: readonly object[];
  /** Starts the service; the test fails unless it ends with code 0. */
  service(options?: Pick<FixtureOptions, 'config' | 'env'>): Promise<Fixture>;
  /** Kills the service. */
  kill(fixture: Fixture): Promise<void>;
  /** Starts a desktop application, which is killed at the end of the test. */
  host(options?: Partial<HostOptions> & { readonly faults?: Partial<Record<Role, readonly Fault[]>> }): Promise<Platen>;
}

export async function createInstallation(t: Test): Promise<Installation> {
  const own = await mkdtemp(join(tmpdir(), 'pl-'));
  t.teardown(() => rm(own, { recursive: true, force: true }));
  const dataDir = join(own, 'data');
  await mkdir(dataDir, { mode: 0o700 });
  const scanners = virtualScanners();
  const killed = new Set<number>();
  await installCertificate(dataDir, 'valid');
  await scanners.build(dataDir);
  return {
    dataDir,
    plugins: scanners.plugins({}),
    async service({ config, env = {} } = {}) {
      const fixture = await virtualTopology.start({
        dataDir,
        env,
        config: { plugins: [desktopPlugin, { use: '@platen/format-png' }], ...config },
      });
      t.teardown(async () => {
        if (!t.passing()) t.comment(`The service's log:\n${fixture.log()}`);
        const { code, log } = await fixture.stop();
        if (code !== 0 && !killed.has(fixture.pid)) throw new Error(`The service ended with ${code}: ${log}`);
      });
      return fixture;
    },
    async kill(fixture) {
      killed.add(fixture.pid);
      fixture.signal('SIGKILL');
      await fixture.ended;
    },
    async host({ faults = {}, ...options } = {}) {
      const host = await startHost({ dataDir, plugins: scanners.plugins(faults), ...options });
      t.teardown(async () => {
        if (!t.passing()) t.comment(`The desktop application's log:\n${host.log()}`);
        host.signal('SIGKILL');
        await host.ended;
      });
      return host;
    },
  };
}

/** The messages of a log: all, or only warnings and errors. */
export function messages(log: string, least: 'info' | 'warn' = 'info'): string[] {
  const lines = log
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line) as { level: number; msg: string });
  return lines.filter(({ level }) => level >= (least === 'warn' ? 40 : 30)).map(({ msg }) => msg);
}
