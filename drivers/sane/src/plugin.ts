/** The plugin of `@platen/sane`. */
export {};
