/** What a plugin says of its health: a state, a sentence and facts, such as the firmware or pages that were scanned. */

/** A fact, of the plugin or of one of its scanners. */
export interface HealthFact {
  /** Lower-case letters, digits and `_`, at most 60 characters: `firmware`, `lamp_hours`, `pages_total`. */
  readonly name: string;
  /** At most 200 characters are used. */
  readonly value: string | number;
  /** The name of the scanner, as the plugin's driver lists it. Absent: the fact is the plugin's. */
  readonly device?: string;
  /**
   * Declares a number for `/metrics`, as `platen_plugin_<name>`. A `counter` only grows, and its name ends in `_total`; a
   * `gauge`'s does not. Absent: only people see the fact.
   */
  readonly metric?: 'gauge' | 'counter';
  /** For people: `Lamp hours`. Absent: the name. */
  readonly title?: string;
}

/** `warning`: it works, and will not for ever. At most 50 facts are used. */
export interface PluginHealth {
  readonly state: 'ok' | 'warning' | 'failed';
  /** For people, with the fix. At most 200 characters are used. */
  readonly sentence?: string;
  readonly facts?: readonly HealthFact[];
}

/** A question for the health of a plugin. */
export interface HealthCall {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}
