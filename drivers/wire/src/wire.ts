/** The door of `@platen/driver-wire`: frames, supervised helpers, the channel to the desktop application, and drivers at the far end of a stream. */
export { CHANNEL_NAME } from './channel/address.js';
export * from './channel/channelError.js';
export * from './channel/dial.js';
export * from './channel/listen.js';
export * from './channel/onceLog.js';
export * from './channel/secret.js';
export * from './device/deviceSession.js';
export * from './device/inTurn.js';
export * from './device/openings.js';
export { encodeFrame, frameLimits, readFrames, type Frame, type FrameLimits, type FrameOptions } from './frames.js';
export * from './helper.js';
export * from './helperError.js';
export * from './helperPath.js';
export * from './merged/mergeDrivers.js';
export { ownVersion } from './remote/hello.js';
export * from './remote/remoteDriver.js';
export * from './remote/serveDriver.js';
export { stderrLines, type StderrLines } from './stderrLines.js';
