/** The door of the BMP plugin. */
export {};
