/** What a plugin's package exports by default. A plugin returns what it contributes; it calls no host. */
import type { Driver } from './driver.js';
import type { Format } from './format.js';
import type { Processor } from './processor.js';
import type { Recogniser } from './recogniser.js';

/**
 * The version of these types; a plugin made for another one is refused with a sentence. What is added within a version
 * leaves older plugins at work:
 *  - `ScanOrder.source` is required: every order names its source. It was absent where a scanner had one source only; a
 *    driver that still has an answer for that never needs it.
 */
export const pluginApi = 1;

export interface Log {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export interface PluginContext<Options> {
  /** The configuration's `options`, checked against `optionsSchema` and with its defaults filled in. */
  readonly options: Options;
  /** Never log what was recognised on a page. */
  readonly log: Log;
  /** The service's data folder, absolute. Relative paths in options are relative to it. */
  readonly dataDir: string;
  /** Where the plugin's packages were looked for, in order: the configuration's folder, the server's installation. For data that comes as packages. */
  readonly packageFolders?: readonly string[];
}

export interface Contributions {
  readonly drivers?: readonly Driver[];
  readonly formats?: readonly Format[];
  readonly recognisers?: readonly Recogniser[];
  readonly processors?: readonly Processor[];
  /**
   * What is missing on this computer, with the repair, in a sentence: a helper that was not built, a library. The plugin is loaded all the same;
   * core says it in the log, and `platen doctor` and `platen plugins list` say it too.
   */
  readonly lacks?: string;
  /** Ends what setup began; drivers are closed by core. */
  close?(): Promise<void>;
}

/**
 * What an entitlement is checked against. A licence is a signed token (JWS, alg `EdDSA`, typ `platen-licence`) whose
 * claims are `aud`, the plugin's name or a list of names, `sub`, the customer, and `exp`, the expiry. It is checked
 * offline, when the plugin is loaded; without a good one `setup` is not called.
 */
export interface Premium {
  /** The vendor's public key: Ed25519, as SPKI in PEM (`-----BEGIN PUBLIC KEY-----`). */
  readonly publicKey: string;
}

export interface Plugin<Options = unknown> {
  /** The package's name. */
  readonly name: string;
  readonly api: typeof pluginApi;
  /** Operating systems that it runs on, as Node names them (`win32`, `darwin`, `linux`); absent: all. */
  readonly platforms?: readonly string[];
  /** Present: the plugin is set up only where the configuration has a licence for it that is signed with the vendor's key. */
  readonly premium?: Premium;
  /** A JSON Schema of the options. Absent: the plugin takes none. */
  readonly optionsSchema?: object;
  setup(context: PluginContext<Options>): Contributions | Promise<Contributions>;
}

/** Gives a plugin its type; returns it as it is. */
export function definePlugin<Options = Record<string, never>>(plugin: Plugin<Options>): Plugin<Options> {
  return plugin;
}
