/**
 * A thread in a plugin's process that ends the process, and all that it started, when the service is gone, even if the
 * main thread hangs. Only the service holds the other end of the process's standard input.
 */
import { Socket } from 'node:net';

/** The main thread sees the same end, and has this long to close. */
const CLOSE_MS = 4000;

const stdin = new Socket({ fd: 0, readable: true, writable: false });
stdin.on('error', () => undefined);
stdin.on('close', () => setTimeout(end, CLOSE_MS));
stdin.resume();

/** Core's `killGroup` again: this thread imports nothing that could delay it. */
function end(): void {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    process.kill(process.pid, 'SIGKILL');
  }
}
