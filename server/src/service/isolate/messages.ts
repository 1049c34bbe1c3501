/** The messages between the service and a plugin's process, beside the stream that serves its drivers. */
import type { Contributions, Log, PluginEntry, PluginReport } from '@platen/core';

/** The first message to the process. It is not on the command line, because options may hold passwords. */
export interface SetUp {
  readonly entry: PluginEntry;
  readonly folders: readonly string[];
  readonly dataDir: string;
}

/** What its plugin may have beside drivers, and is called in the process. */
export type Facet = keyof Pick<Contributions, 'health' | 'follow'>;

/** The other messages to the process. */
export type Question =
  /** @param argument of `follow`, the event */
  | { readonly call: Facet; readonly number: number; readonly argument?: unknown }
  /** Nobody waits for the answer any more. */
  | { readonly giveUp: number };

/** To the question with that number. */
export type Answer = { readonly answer: number } & ({ readonly result: unknown } | { readonly fault: string });

/** What the process says once its plugin is loaded. `driver` is the id of the driver that it serves. */
export interface Ready {
  readonly report: PluginReport;
  readonly driver: string;
  readonly facets: readonly Facet[];
}

/** The process's file descriptor for the stream of its drivers; the service's end is the same entry of `stdio`. */
export const DRIVERS_FD = 3;

export type Level = keyof Log;
const levels: readonly unknown[] = ['debug', 'info', 'warn', 'error'] satisfies Level[];

export type ChildMessage =
  | { readonly log: Level; readonly message: string }
  | Ready
  | Answer
  /** Why it ends, to follow "it". */
  | { readonly fatal: string };

/** @returns undefined for any other message: the plugin may send its own */
export function readMessage(message: unknown): ChildMessage | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const fields = message as Readonly<Record<string, unknown>>;
  if (levels.includes(fields['log']) && typeof fields['message'] === 'string') return message as ChildMessage;
  if (typeof fields['report'] === 'object' && fields['report'] !== null && typeof fields['driver'] === 'string')
    return message as ChildMessage;
  if (typeof fields['answer'] === 'number' && ('result' in fields || typeof fields['fault'] === 'string'))
    return message as ChildMessage;
  return typeof fields['fatal'] === 'string' ? (message as ChildMessage) : undefined;
}
