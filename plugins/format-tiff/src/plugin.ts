/** The door of the TIFF plugin. */
export {};
