/** A plugin entry of the configuration, and its load result. */
import type { Entitlement } from './entitlement.js';

/** One entry of the configuration's list. */
export interface PluginEntry {
  readonly use: string;
  /** Operating systems on which the entry applies; absent: all. */
  readonly on?: readonly string[];
  readonly enabled: boolean;
  /** The service stops if this plugin cannot be loaded. */
  readonly required: boolean;
  /** For a premium plugin; `LoadSettings.entitle` defines its format. */
  readonly licence?: string;
  /** Its drivers run in their own process. */
  readonly isolate?: boolean;
  readonly options?: Record<string, unknown>;
}

/** The load result of an entry. */
export interface PluginReport {
  readonly use: string;
  readonly state: 'loaded' | LeftOutState | 'disabled';
  readonly version?: string;
  /** Why it was not loaded, and how to fix it. */
  readonly sentence?: string;
  /** For a refused plugin: the step of the loader at which it failed. */
  readonly fault?: LoadFault;
  /** What is used of it. */
  readonly provides: readonly Contribution[];
  /** For a plugin that is not loaded: what its manifest says that it provides. Absent: nothing. */
  readonly declares?: readonly Contribution[];
  /** For a loaded plugin: what is not used of it. Absent: nothing. */
  readonly unused?: readonly UnusedContribution[];
  /** For a loaded plugin: what is missing on this computer, and how to fix it. */
  readonly lacks?: string;
  /** For a loaded plugin that wants no licence and was given one: says so, with the fix. */
  readonly idleLicence?: string;
  /** For a loaded plugin: why what it is now could not be loaded, so that it goes on as it was. */
  readonly stale?: string;
  /** For a loaded premium plugin. */
  readonly entitlement?: Entitlement;
  /** A JSON Schema of its options. Absent: it takes none, or its code was not imported. */
  readonly optionsSchema?: object;
  /** Whether it looks for what its options may name. */
  readonly finds?: true;
}

/** A contribution of a plugin: `{ kind: 'driver', id: 'virtual' }`. */
export interface Contribution {
  readonly kind: 'driver' | 'format' | 'recogniser' | 'processor' | 'document';
  readonly id: string;
}

/** A contribution that is not used: another plugin has the same, or nothing could call it. */
export interface UnusedContribution extends Contribution {
  readonly fault: LoadFault;
  /** Why, and how to fix it. */
  readonly sentence: string;
}

/** `skipped`: not for this machine. `unlicensed`: premium, without a valid licence. */
export type LeftOutState = 'skipped' | 'unlicensed' | 'refused';

/**
 * `access`: other accounts may write its files; `not-a-plugin`: its default export is not a plugin; `api`: made for
 * another plugin api; `restart`: its code was changed, and cannot be loaded again while the program runs; `clash`: other plugins provide all that it does; `uncallable`: nothing could call what it provides.
 */
export type LoadFault =
  | 'access'
  | 'api'
  | 'clash'
  | 'import'
  | 'isolation'
  | 'not-a-plugin'
  | 'not-installed'
  | 'options'
  | 'restart'
  | 'setup'
  | 'uncallable';

/** Why an entry of the configuration is not loaded. */
export class LeftOut extends Error {
  readonly state: LeftOutState;
  readonly fault: LoadFault | undefined;
  constructor(state: LeftOutState, message: string, options: ErrorOptions & { readonly fault?: LoadFault } = {}) {
    super(message, options);
    this.state = state;
    this.fault = options.fault;
  }
}

/** A plugin that is refused at a step of the loader. */
export const refused = (fault: LoadFault, message: string, cause?: unknown): LeftOut =>
  new LeftOut('refused', message, { fault, cause });
