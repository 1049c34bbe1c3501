/**
 * Loaded into the service by NODE_OPTIONS: at SIGUSR2 the process collects its garbage and writes what it holds to a
 * file in the folder SOAK_PROBES. Otherwise it does nothing.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** What a process says of itself. */
export interface Probed {
  /** Bytes. */
  readonly heapUsed: number;
  /** Bytes of buffers and native objects. */
  readonly external: number;
  /** What keeps its event loop busy, by kind, as Node names it: `Timeout`, `TCPSocketWrap`. */
  readonly resources: Readonly<Record<string, number>>;
}

const folder = process.env['SOAK_PROBES'];
if (isMainThread && folder !== undefined) {
  const file = `${folder}/${process.pid}`;
  const tell = async (): Promise<void> => {
    const { Session } = await import('node:inspector/promises');
    const session = new Session();
    session.connect();
    // Twice: what finalizers of the first one let go.
    for (let turn = 0; turn < 2; turn++) await session.post('HeapProfiler.collectGarbage');
    session.disconnect();
    const { heapUsed, external } = process.memoryUsage();
    const resources: Record<string, number> = {};
    for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1;
    const probed: Probed = { heapUsed, external, resources };
    writeFileSync(`${file}.tmp`, JSON.stringify(probed));
    renameSync(`${file}.tmp`, `${file}.json`);
  };
  process.on('SIGUSR2', () => void tell());
  writeFileSync(`${file}.ready`, '');
}
