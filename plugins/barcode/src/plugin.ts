/** The plugin of `@platen/barcode`. */
export {};
