/** The door of `@platen/driver-kit`: frames, supervised helpers, and what the drivers around them share. */
export * from './device/deviceSession.js';
export * from './device/openings.js';
export * from './frames/exactly.js';
export { encodeFrame, frameLimits, readFrames, type Frame, type FrameLimits, type FrameOptions } from './frames/frames.js';
export * from './frames/inflow.js';
export * from './helper/helper.js';
export * from './helper/helperError.js';
export * from './helper/helperPath.js';
export { endLeftovers } from './helper/leftovers.js';
export * from './onceLog.js';
export { platform } from './platform.js';
