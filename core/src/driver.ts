/** The door for authors of drivers, besides the contract: sessions, openings, turns, waits, and the values that the interface knows. */
export { checkDriverOptions, takesValue } from './checks/optionFields.js';
export {
  type DriverOptionValue,
  type DriverOptionValues,
  type HardwareControl,
  levelRange,
  type OptionControl,
  type PageControl,
  type ScanControls,
  thresholdRange,
} from './contract/controls.js';
export { asDriverError, driverCodes } from './contract/errors.js';
export { adjustmentParameters, colorModes, millimetres, pageSizes, scanPageSizes } from './contract/words.js';
export { mimeTypeOf } from './images/imageFacts.js';
export { assertPixels } from './pixels/assertPixels.js';
export { type Clock, systemClock } from './time/clock.js';
export { createNotifier } from './time/notifier.js';
export { deferred, delay, eitherSignal, forever } from './time/wait.js';
export { type DeviceScan, deviceSession } from './work/deviceSession.js';
export { type Alias, isTraced, onDeviceLine, traceDevice } from './work/deviceTrace.js';
export { endable } from './work/endable.js';
export { oneScan } from './work/oneScan.js';
export { createOpenings, type Opening, type Openings } from './work/openings.js';
export { pageMemory } from './work/pageMemory.js';
export { createMutex, createSemaphore } from './work/semaphore.js';
export { streamLines } from './work/streamLines.js';
