/**
 * A thread of a plugin's process that ends it, with all that it started, when the service is gone: also while the main
 * thread hangs. The service holds the other end of its standard input, and so does nobody else.
 */
import { Socket } from 'node:net';

/** The main thread sees the same end, and has so long to close what is open. */
const PATIENCE_MS = 4000;

const stdin = new Socket({ fd: 0, readable: true, writable: false });
stdin.on('error', () => undefined);
stdin.on('close', () => setTimeout(end, PATIENCE_MS));
stdin.resume();

/** As core's `killGroup`: this thread loads nothing that could delay it. */
function end(): void {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    process.kill(process.pid, 'SIGKILL');
  }
}
