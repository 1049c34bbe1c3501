/** A picture could not be loaded. */
export class NotLoaded extends Error {}
