/** The plugin of `@platen/ocr`. */
export {};
