/** Plugins that run in a process of their own: the loader asks, and whoever runs the loader knows how processes are run. */
import type { Contributions, Log } from '../contract/plugin.js';
import type { PluginEntry, PluginReport } from './entry.js';

export interface IsolateContext {
  /** Where packages are looked for. */
  readonly folders: readonly string[];
  readonly dataDir: string;
  /** Of the plugin. */
  readonly log: Log;
}

/** What became of the entry where it was loaded; `contributions` where the report says `loaded`. */
export interface Isolated {
  readonly report: PluginReport;
  readonly contributions?: Contributions;
}

/**
 * Loads the entry's plugin in a process of its own, with every step of the loader, and logs why where it is left out.
 * @throws Error whose message says why there is no such process, fit to stand in brackets: `it was ended by SIGSEGV`
 */
export type Isolate = (entry: PluginEntry, context: IsolateContext) => Promise<Isolated>;
