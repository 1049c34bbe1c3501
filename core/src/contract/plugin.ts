/** The default export of a plugin's package. A plugin returns its contributions; it calls no host. */
import type { DocumentFormat } from './document.js';
import type { Driver } from './driver.js';
import type { FindCall, Found } from './find.js';
import type { Format } from './format.js';
import type { HealthCall, PluginHealth } from './health.js';
import type { CustomProcessor, Processor } from './processor.js';
import type { CustomRecogniser, Recogniser } from './recogniser.js';
import type { ScanEvent } from './scanEvents.js';

/**
 * The version of these types; plugins for another version are rejected. Additions within a version keep older plugins
 * working:
 *  - `ScanOrder.source` is required: every order names its source. It used to be absent for scanners with one source; a
 *    driver that still handles its absence never needs to.
 *  - `ScanOrder` may have the controls and driver options that a source's capabilities name, and none that they do not.
 *  - `OcrRecogniser.read` may return words with their boxes beside the text.
 *  - Recognisers and processors may have kinds and names of their own, formats say whether they are lossless, and barcode
 *    recognisers list symbologies of their own. A plugin without those gets no call that it did not get before.
 *  - A contribution that clashes or that nothing can call is not used; the rest of its plugin is. It used to refuse the
 *    plugin.
 *  - A plugin may `follow` scans, tell its `health`, and `find` what its options may name.
 */
export const pluginApi = 1;

export interface Log {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export interface PluginContext<Options> {
  /** The configuration's `options`, checked against `optionsSchema`, with defaults filled in. */
  readonly options: Options;
  /** Never log recognised text or codes. */
  readonly log: Log;
  /** The service's data folder, absolute. Relative paths in options are relative to it. */
  readonly dataDir: string;
  /**
   * Folders in which the plugin's packages were searched, in order: the configuration's, the server's installation. For
   * data in packages.
   */
  readonly packageFolders?: readonly string[];
}

export interface Contributions {
  readonly drivers?: readonly Driver[];
  readonly formats?: readonly Format[];
  readonly recognisers?: readonly (Recogniser | CustomRecogniser)[];
  readonly processors?: readonly (Processor | CustomProcessor)[];
  readonly documents?: readonly DocumentFormat[];
  /**
   * What is missing on this computer and how to fix it, in a sentence: a helper that was not built, a library. The
   * plugin is still loaded; core logs the sentence, and `platen doctor` and `platen plugins list` show it.
   */
  readonly lacks?: string;
  /**
   * Is told of scans, to meter pages or to keep an audit: in order, one call after another, and after the scan has gone
   * on. A call that fails, or takes longer than 5 s, is logged. Events that wait are limited: see `docs/write-a-plugin.md`.
   */
  follow?(event: ScanEvent): void | Promise<void>;
  /**
   * Tells its health: at most once in 10 minutes, within 5 s, and never when one of its drivers' scanners is in use. A call
   * that fails, or takes longer, is a failed health. It moves no paper and opens no scanner that may not be at hand.
   */
  health?(call: HealthCall): PluginHealth | Promise<PluginHealth>;
  /**
   * Looks for what the plugin's options may name, such as scanners in the network, when a person who changes its settings
   * asks for it. Within 20 s; it moves no paper.
   */
  find?(call: FindCall): Promise<readonly Found[]>;
  /** Ends what setup started; core closes the drivers. */
  close?(): Promise<void>;
}

/**
 * The key for checking a licence. A licence is a signed token (JWS, alg `EdDSA`, typ `platen-licence`) with the claims
 * `aud`, the plugin's name or a list of names, `sub`, the customer, and `exp`, the expiry. It may have `nbf`, the start;
 * `machine`, ids of the computers for which it is valid; `seats`, a number that is shown and not enforced; and `trial`.
 * It is checked offline when the plugin is loaded; without a valid licence, `setup` is not called.
 */
export interface Premium {
  /**
   * The vendor's public key: Ed25519, as SPKI in PEM (`-----BEGIN PUBLIC KEY-----`). While keys change, a list of several:
   * a licence may be signed with any of them.
   */
  readonly publicKey: string | readonly string[];
  /**
   * What `setup` adds, for requests that ask for it while there is no valid licence: their answer says so. Such a
   * recogniser is skipped with a note. Absent: the answer is as if the plugin were not installed.
   */
  readonly provides?: readonly ProvidedName[];
}

/** What requests ask for by name: a recogniser by its kind; a format or document also by each alias. */
export interface ProvidedName {
  readonly kind: 'format' | 'recogniser' | 'processor' | 'document';
  readonly id: string;
}

export interface Plugin<Options = unknown> {
  /** The package's name. */
  readonly name: string;
  readonly api: typeof pluginApi;
  /** Supported operating systems, as Node names them (`win32`, `darwin`, `linux`); absent: all. */
  readonly platforms?: readonly string[];
  /** Present: the plugin needs a licence in the configuration that is signed with the vendor's key. */
  readonly premium?: Premium;
  /** A JSON Schema of the options. Absent: the plugin takes none. */
  readonly optionsSchema?: object;
  setup(context: PluginContext<Options>): Contributions | Promise<Contributions>;
}

/** Gives a plugin its type; returns it unchanged. */
export function definePlugin<Options = Record<string, never>>(plugin: Plugin<Options>): Plugin<Options> {
  return plugin;
}
