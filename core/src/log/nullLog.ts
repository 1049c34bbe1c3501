/** A log that drops everything. */
import type { Log } from '../contract/plugin.js';

export const nullLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
