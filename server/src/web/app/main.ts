/** Puts the page together. */
export {};
