/** What a plugin finds for its own options: a person who changes settings chooses from it. */

export interface FindCall {
  /** Ended after 20 s, and when nobody waits any more. */
  readonly signal: AbortSignal;
}

export interface Found {
  /** One line for the person: `Flowscan 300 at 192.168.1.20`. */
  readonly title: string;
  /**
   * What choosing it puts into the options, by their names. What is put into a list is added to it; of all other options, it
   * is the new value. Each value must be one that `optionsSchema` allows.
   */
  readonly options: Readonly<Record<string, unknown>>;
}
