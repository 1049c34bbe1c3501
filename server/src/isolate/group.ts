/** A process that leads a group, ended with all that it started. */

/** @returns false where there is no such group: it is gone, or this is Windows, which has none */
export function killGroup(leader: number): boolean {
  try {
    return process.kill(-leader, 'SIGKILL');
  } catch {
    return false;
  }
}
