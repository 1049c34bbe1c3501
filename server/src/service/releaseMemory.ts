/** Returns memory that loading the service, and each burst of scans, took to the operating system. */
import { giveBackMemory } from '@platen/core';

/** Late enough for the first pages of a client that waited for the service, and for the next scan of a burst. */
const SETTLED_MS = 5000;

export interface MemoryRelease {
  /** Releases it 5 s after the last call. */
  soon(): void;
  /** Calls it off, for good. */
  stop(): void;
}

/**
 * Loading leaves 30 MB of free space in V8's heap, and a scan its encoded pages, which an idle service would keep: V8
 * collects and shrinks its heap only while it allocates. The inspector's command does in 0.1 s what V8 does when memory
 * runs low; it opens no port. Nothing waits for this, and a Node without an inspector keeps the memory. Idle threads, whose
 * heaps that does not reach, are ended.
 */
export function createMemoryRelease(settledMs = SETTLED_MS, release = giveBack): MemoryRelease {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  return {
    soon() {
      if (isStopped) return;
      timer = timer?.refresh() ?? setTimeout(() => void release().catch(() => undefined), settledMs).unref();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

async function giveBack(): Promise<void> {
  giveBackMemory();
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  try {
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    session.disconnect();
  }
}
