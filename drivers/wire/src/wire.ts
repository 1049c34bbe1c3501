/** The door of `@platen/driver-wire`: frames, supervised helpers, and drivers at the far end of a stream. */
export { encodeFrame, frameLimits, readFrames, type Frame, type FrameLimits, type FrameOptions } from './frames.js';
export * from './helper.js';
export * from './helperError.js';
export * from './helperPath.js';
export * from './merged/mergeDrivers.js';
export * from './remote/remoteDriver.js';
export * from './remote/serveDriver.js';
