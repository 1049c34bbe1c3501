/** The door of `@platen/driver-wire`: frames, supervised helpers, and drivers at the far end of a stream. */
export * from './frames.js';
