/** A plugin of the configuration's list, and what became of it. */
import type { Entitlement } from './entitlement.js';

/** One entry of the configuration's list. */
export interface PluginEntry {
  readonly use: string;
  /** Operating systems on which the entry counts; absent: all. */
  readonly on?: readonly string[];
  readonly enabled: boolean;
  /** The service stops where this plugin cannot be loaded. */
  readonly required: boolean;
  /** For a premium plugin; what it looks like is the affair of `LoadSettings.entitle`. */
  readonly licence?: string;
  /** Its drivers run in a process of their own. */
  readonly isolate?: boolean;
  readonly options?: Record<string, unknown>;
}

/** What became of an entry. */
export interface PluginReport {
  readonly use: string;
  readonly state: 'loaded' | LeftOutState | 'disabled';
  readonly version?: string;
  /** Why it was not loaded, and the repair. */
  readonly sentence?: string;
  readonly provides: readonly Contribution[];
  /** Of a plugin that is loaded: what is missing on this computer, and the repair. */
  readonly lacks?: string;
  /** Of a premium plugin that is loaded. */
  readonly entitlement?: Entitlement;
}

/** What a plugin brings: `{ kind: 'driver', id: 'virtual' }`. */
export interface Contribution {
  readonly kind: 'driver' | 'format' | 'recogniser' | 'processor';
  readonly id: string;
}

/** `skipped`: it is none of this machine's business. `unlicensed`: it is premium, and has no good licence. */
export type LeftOutState = 'skipped' | 'unlicensed' | 'refused';
