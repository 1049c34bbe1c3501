/**
 * tap follows every promise and callback of a process, to tell to which test a stray error belongs. That costs a fifth of
 * the processor time of the tests beside the sources. Without it a stray error ends the process, and the runner says in
 * which file.
 */
import hooks from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';

const none: hooks.AsyncHook = { enable: () => none, disable: () => none };
hooks.createHook = () => none;
syncBuiltinESMExports();

export const { t: root } = await import('tap');
