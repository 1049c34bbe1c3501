/** What this process has open: the cases compare it before and after a plugin worked. */
import { childrenNamed } from './children.js';

/** That end by themselves, and are no resource of a plugin: requests that are under way, and the process's own output. */
const passing = /^(Immediate|TickObject|CloseReq|TTYWrap|.*ReqWrap|FSReq.*|WriteWrap|ShutdownWrap|Microtask)$/;

/** Kinds of what keeps this process alive, each as often as it is there, and the processes that it started. */
export function open(): string[] {
  const resources = process.getActiveResourcesInfo().filter(each => !passing.test(each));
  return [...resources, ...childrenNamed('').map(pid => `process ${pid}`)];
}

/** What is there now, and was not before. */
export function beyond(now: readonly string[], before: readonly string[]): string[] {
  const left = [...now];
  for (const each of before) if (left.includes(each)) left.splice(left.indexOf(each), 1);
  return left;
}
