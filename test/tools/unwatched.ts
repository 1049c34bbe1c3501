/** tap without its watch of promises. */
import hooks from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';

const none: hooks.AsyncHook = { enable: () => none, disable: () => none };

/**
 * Call it before tap is loaded, which follows every promise and callback of a process to tell to which test a stray error
 * belongs. That costs a fifth of the processor time of a test. Without it a stray error ends the process, and the runner
 * says in which file.
 */
export function unwatch(): void {
  hooks.createHook = () => none;
  syncBuiltinESMExports();
}
