/** The virtual scanners in the desktop application: in its own process, or in a child process. */
import { desktopPlugin, startHost } from './desktopHost.js';
import { topologyOf, type Scanners } from './fixture.js';
import type { Platen } from './platen.js';
import { roles, type DesktopApp, type Topology } from './topology.js';
import { virtualScanners } from './virtualTopology.js';

export const desktopTopology: Topology = topologyOf(
  { name: 'virtual in the desktop application', roles, faults: 'all' },
  () => desktopScanners(),
);

export const desktopIsolatedTopology: Topology = topologyOf(
  { name: 'virtual in a process of the desktop application', roles, faults: 'all' },
  () => desktopScanners({ isolate: true }),
);

/** @param entry keys of the plugin's entry in the desktop application's configuration, beside its options */
function desktopScanners(entry: object = {}): Scanners {
  const scanners = virtualScanners(entry);
  return {
    ...scanners,
    plugins: () => [desktopPlugin],
    desktop: (dataDir, faults) => desktopApp(dataDir, scanners.plugins(faults)),
  };
}

/** @param plugins of its configuration */
export function desktopApp(dataDir: string, plugins: readonly object[]): DesktopApp {
  let host: Platen | undefined;
  let log = (): string => '';
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    const its = host;
    host = undefined;
    its?.signal(signal);
    return (await its?.ended)?.code ?? null;
  };
  return {
    async start() {
      host = await startHost({ dataDir, plugins });
      ({ log } = host);
    },
    async kill() {
      await end('SIGKILL');
    },
    async stop() {
      if (!host) return;
      const code = await end('SIGTERM');
      if (code !== 0) throw new Error(`The desktop application ended with ${code}: ${log()}`);
    },
    log: () => log(),
  };
}
