/** Where the time of a scan goes. */

/**
 * prepare: until the device may feed. feed: waiting for the device's next page, or for the end of the stack. queue:
 * waiting for a processor. store: until the page is stored; for auto-scan also until there is room for the next one.
 */
export const stages = ['prepare', 'feed', 'queue', 'decode', 'adjust', 'recognise', 'encode', 'store'] as const;
export type Stage = (typeof stages)[number];

/** Runs a step of a scan, and records how long it took. */
export type Timed = <T>(stage: Stage, run: () => Promise<T>) => Promise<T>;

export const untimed: Timed = (_stage, run) => run();
