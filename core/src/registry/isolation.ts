/** Plugins in their own process: the loader asks, and its caller supplies the process. */
import type { Contributions, Log } from '../contract/plugin.js';
import type { PluginEntry, PluginReport } from './entry.js';

export interface IsolateContext {
  /** Folders that are searched for packages. */
  readonly folders: readonly string[];
  readonly dataDir: string;
  /** The plugin's log. */
  readonly log: Log;
}

/** The load result from the other process, with `contributions` if the report says `loaded`. */
export interface Isolated {
  readonly report: PluginReport;
  readonly contributions?: Contributions;
}

/**
 * Loads the entry's plugin in its own process, with every step of the loader, and logs why it was left out.
 * @throws Error whose message says why there is no process and fits into brackets: `it was ended by SIGSEGV`
 */
export type Isolate = (entry: PluginEntry, context: IsolateContext) => Promise<Isolated>;
