/** A package that is loaded at its first use: an idle service does not hold it, and starts without it. */
import { createRequire } from 'node:module';

/**
 * Finds the package now, and loads it at the first call. A failed load is tried again by the next call; on Node 20, an
 * `import()` that failed once, such as for want of file descriptors, fails each time.
 * @param name of a package with a CommonJS entry; its types are `T`
 * @param from the module that uses it: its `import.meta.url`
 * @throws `MODULE_NOT_FOUND` if it is not installed; the call throws what loading it throws
 */
export function lateRequire<T>(name: string, from: string): () => T {
  const require = createRequire(from);
  const file = require.resolve(name);
  return () => require(file) as T;
}
