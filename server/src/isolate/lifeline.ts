/**
 * A thread of a plugin's process that ends it, with all that it started, when the service is gone: also while the main
 * thread hangs. The service holds the other end of its standard input, and so does nobody else.
 */
import { Socket } from 'node:net';
import { killGroup } from './group.js';

/** The main thread sees the same end, and has so long to close what is open. */
const PATIENCE_MS = 4000;

const stdin = new Socket({ fd: 0, readable: true, writable: false });
stdin.on('error', () => undefined);
stdin.on('close', () => setTimeout(() => killGroup(process.pid) || process.kill(process.pid, 'SIGKILL'), PATIENCE_MS));
stdin.resume();
