/** The messages between the service and a plugin's process, beside the stream on which it serves its drivers. */
import type { Log, PluginEntry, PluginReport } from '@platen/core';

/** The only message to the process. It is not on the command line: options hold passwords. */
export interface SetUp {
  readonly entry: PluginEntry;
  readonly folders: readonly string[];
  readonly dataDir: string;
}

/** The descriptor in the process on which it serves its drivers; the service's end is the same entry of `stdio`. */
export const DRIVERS_FD = 3;

export type Level = keyof Log;
const levels: readonly unknown[] = ['debug', 'info', 'warn', 'error'] satisfies Level[];

export type ChildMessage =
  | { readonly log: Level; readonly message: string }
  /** `driver` is the id of what it serves. */
  | { readonly report: PluginReport; readonly driver: string }
  /** Why it ends, to follow "it". */
  | { readonly fatal: string };

/** @returns undefined for a message that is not ours: the plugin may send messages too */
export function readMessage(message: unknown): ChildMessage | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const fields = message as Readonly<Record<string, unknown>>;
  if (levels.includes(fields['log']) && typeof fields['message'] === 'string') return message as ChildMessage;
  if (typeof fields['report'] === 'object' && fields['report'] !== null && typeof fields['driver'] === 'string')
    return message as ChildMessage;
  return typeof fields['fatal'] === 'string' ? (message as ChildMessage) : undefined;
}
