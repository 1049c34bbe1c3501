/** Returns the memory that loading the service took to the operating system. */

/** Late enough for the first pages of a client that waited for the service. */
const SETTLED_MS = 5000;

/**
 * Loading leaves 30 MB of free space in V8's heap, which an idle service would keep: V8 shrinks it only while it
 * allocates. The inspector's command does in 0.1 s what V8 does when memory runs low; it opens no port. Nothing waits
 * for this, and a Node without an inspector keeps the memory.
 * @returns a function that calls it off
 */
export function releaseMemorySoon(): () => void {
  const timer = setTimeout(() => void release().catch(() => undefined), SETTLED_MS);
  timer.unref();
  return () => clearTimeout(timer);
}

async function release(): Promise<void> {
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  try {
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    session.disconnect();
  }
}
