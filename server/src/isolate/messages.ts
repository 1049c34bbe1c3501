/** What the service and a plugin's process say to each other beside the drivers, which have a link of their own. */
import type { Log, PluginEntry, PluginReport } from '@platen/core';

/** The first message to the process, and the only one. Not on its command line: options hold passwords. */
export interface SetUp {
  readonly entry: PluginEntry;
  readonly folders: readonly string[];
  readonly dataDir: string;
}

/** The descriptor of the drivers' link in the process; the service's end is the same entry of `stdio`. */
export const LINK_FD = 3;

export type Level = keyof Log;
const levels: readonly unknown[] = ['debug', 'info', 'warn', 'error'] satisfies Level[];

export type Said =
  | { readonly log: Level; readonly message: string }
  /** `driver` is the id of what it serves. */
  | { readonly report: PluginReport; readonly driver: string }
  /** Why it ends, to follow "it". */
  | { readonly fatal: string };

/** A plugin may send messages too: what is none of ours is left alone. */
export function readSaid(message: unknown): Said | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const said = message as Readonly<Record<string, unknown>>;
  if (levels.includes(said['log']) && typeof said['message'] === 'string') return message as Said;
  if (typeof said['report'] === 'object' && said['report'] !== null && typeof said['driver'] === 'string') return message as Said;
  return typeof said['fatal'] === 'string' ? (message as Said) : undefined;
}
