/** The entry point of `@platen/driver-remote`: drivers at the far end of a stream, and the channel to the desktop application. */
export { CHANNEL_NAME } from './channel/address.js';
export * from './channel/channelError.js';
export * from './channel/dial.js';
export * from './channel/listen.js';
export * from './channel/secret.js';
export * from './merge/mergeDrivers.js';
export { ownVersion } from './rpc/handshake.js';
export * from './rpc/remoteDriver.js';
export * from './rpc/serveDriver.js';
