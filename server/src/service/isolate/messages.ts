/** The messages between the service and a plugin's process, beside the stream that serves its drivers. */
import type { Log, PluginEntry, PluginReport } from '@platen/core';

/** The only message to the process. It is not on the command line, because options may hold passwords. */
export interface SetUp {
  readonly entry: PluginEntry;
  readonly folders: readonly string[];
  readonly dataDir: string;
}

/** The process's file descriptor for the stream of its drivers; the service's end is the same entry of `stdio`. */
export const DRIVERS_FD = 3;

export type Level = keyof Log;
const levels: readonly unknown[] = ['debug', 'info', 'warn', 'error'] satisfies Level[];

export type ChildMessage =
  | { readonly log: Level; readonly message: string }
  /** `driver` is the id of the driver that it serves. */
  | { readonly report: PluginReport; readonly driver: string }
  /** Why it ends, to follow "it". */
  | { readonly fatal: string };

/** @returns undefined for any other message: the plugin may send its own */
export function readMessage(message: unknown): ChildMessage | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const fields = message as Readonly<Record<string, unknown>>;
  if (levels.includes(fields['log']) && typeof fields['message'] === 'string') return message as ChildMessage;
  if (typeof fields['report'] === 'object' && fields['report'] !== null && typeof fields['driver'] === 'string')
    return message as ChildMessage;
  return typeof fields['fatal'] === 'string' ? (message as ChildMessage) : undefined;
}
