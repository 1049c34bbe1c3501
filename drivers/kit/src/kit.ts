/** The entry point of `@platen/driver-kit`: frames, supervised helpers, and the shared parts of drivers with a helper. */
export * from './device/deviceDriver.js';
export * from './device/deviceList.js';
export * from './device/meaning.js';
export * from './device/pageBuffer.js';
export * from './device/quarantine.js';
export * from './device/rowsOfArea.js';
export * from './frames/bytes.js';
export {
  encodeFrame,
  frameLimits,
  readFrames,
  type Frame,
  type FrameLimits,
  type FrameOptions,
} from './frames/frames.js';
export * from './frames/pooledReader.js';
export * from './frames/readExactly.js';
export * from './helper/boundHelper.js';
export * from './helper/helper.js';
export * from './helper/helperError.js';
export * from './helper/helperFailure.js';
export * from './helper/helperPath.js';
export * from './helper/helperProgram.js';
export type { Helper, HelperCall, HelperOptions, HelperTrace } from './helper/helperTypes.js';
export { endLeftovers } from './helper/leftovers.js';
export * from './helper/replayedHelpers.js';
export * from './helper/withHelpers.js';
export * from './logs.js';
export { platform } from './platform.js';
