/** Memory of released pages, kept for the next pages of the same size. */

export interface PageMemoryLimits {
  readonly buffers: number;
  readonly bytes: number;
  /** Milliseconds without a released page after which everything is freed. */
  readonly keepMs: number;
}

export interface PageMemory {
  /** Keeps the buffer for `take`, or frees it. Each view of it is empty afterwards; memory of native code is left alone. */
  give(buffer: ArrayBuffer): void;
  /** An array with its own buffer of exactly this length. Not zeroed: it may hold another page's bytes. */
  take(length: number): Uint8Array<ArrayBuffer>;
}

/** One page is read, two are encoded. One page of A4 at 600 dpi in colour has 104 MB. */
const LIMITS: PageMemoryLimits = { buffers: 3, bytes: 128 * 1024 * 1024, keepMs: 5000 };

export function createPageMemory({ buffers, bytes, keepMs }: PageMemoryLimits = LIMITS): PageMemory {
  /** The oldest first. */
  const kept: ArrayBuffer[] = [];
  let size = 0;
  let timer: NodeJS.Timeout | undefined;

  function remove(at: number): ArrayBuffer | undefined {
    const [buffer] = kept.splice(at, 1);
    size -= buffer?.byteLength ?? 0;
    return buffer;
  }

  function shrinkTo(mostBuffers: number, mostBytes: number): void {
    while (kept.length > mostBuffers || size > mostBytes) free(remove(0)!);
  }

  return {
    give(buffer) {
      if (buffer.byteLength > bytes) return free(buffer);
      const own = detached(buffer);
      if (!own) return;
      kept.push(own);
      size += own.byteLength;
      shrinkTo(buffers, bytes);
      timer = timer?.refresh() ?? setTimeout(() => shrinkTo(0, 0), keepMs).unref();
    },
    take(length) {
      // The last one is the likeliest to be in the processor's cache.
      const at = kept.findLastIndex(({ byteLength }) => byteLength === length);
      return new Uint8Array((at >= 0 && remove(at)) || Buffer.allocUnsafeSlow(length).buffer);
    },
  };
}

/** The process's own: pages go through several plugins. */
export const pageMemory = createPageMemory();

/** The same memory in another buffer; undefined if native code owns it. */
function detached(buffer: ArrayBuffer): ArrayBuffer | undefined {
  try {
    return structuredClone(buffer, { transfer: [buffer] });
  } catch {
    return undefined;
  }
}

/** At once, instead of at V8's next collection. */
function free(buffer: ArrayBuffer): void {
  const { port1, port2 } = new MessageChannel();
  // A message to a closed port is dropped.
  port2.close();
  try {
    port1.postMessage(undefined, [buffer]);
  } catch {
    // Native code owns and frees it.
  }
  port1.close();
}
