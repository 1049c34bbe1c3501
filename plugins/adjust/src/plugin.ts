/** The plugin of `@platen/adjust`. */
export {};
