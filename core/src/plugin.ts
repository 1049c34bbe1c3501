/** The door for authors of plugins: the contract, its errors, and what a plugin needs to fulfil it. */
export { type Area, type DriverOption, pixelsAt, type ReservedOption, type TransferMode } from './contract/controls.js';
export { type DocumentFormat, type DocumentOptions, type DocumentPage, type Turn, turns } from './contract/document.js';
export type {
  AreaLimits,
  Call,
  Capabilities,
  Device,
  DeviceTraits,
  Driver,
  DriverLink,
  ScanCall,
  Session,
  SourceCapabilities,
  Status,
} from './contract/driver.js';
export { codeOf, type DriverCode, type ErrorCode, messageOf, ScanError } from './contract/errors.js';
export type { DecodedImage, Format } from './contract/format.js';
export type { FindCall, Found } from './contract/find.js';
export type { HealthCall, HealthFact, PluginHealth } from './contract/health.js';
export type { ScanOrder } from './contract/order.js';
export {
  type EncodedPage,
  type Page,
  type PageFacts,
  type PageWork,
  type Pixels,
  type RawPage,
  rowBytes,
} from './contract/page.js';
export { patchBars, patchInches } from './contract/patchBars.js';
export {
  type Contributions,
  definePlugin,
  type Log,
  type Plugin,
  type PluginContext,
  type Premium,
} from './contract/plugin.js';
export type { Adjusted, CustomProcessor, Processor, ProcessorTask, ProcessorWish } from './contract/processor.js';
export {
  type Barcode,
  type BarcodeRecogniser,
  type BarcodeWishes,
  type Blank,
  type BlankRecogniser,
  type CustomRecogniser,
  type FilterLevel,
  filterLevels,
  type NoWishes,
  type OcrRecogniser,
  type PatchCode,
  patchCodes,
  type PatchRecogniser,
  type ReadText,
  type Recogniser,
  symbologies,
  type Symbology,
  type Word,
} from './contract/recogniser.js';
export type { ScanEvent } from './contract/scanEvents.js';
export type { Adjustment, ColorMode, DuplexMode, PageSize, Source } from './contract/words.js';
export { type ImageFacts, imageFacts } from './images/imageFacts.js';
export { isFrame, segmentAt } from './images/jpegSegments.js';
export { nullLog } from './log/nullLog.js';
export { fromBilevelTiff, toBilevelTiff } from './pixels/bilevelTiff.js';
export { packedRows } from './pixels/rows.js';
export { hasSpaceBetween } from './text/spacing.js';
export { settledWithin, unlessAborted } from './time/wait.js';
export { startChild } from './work/childProcess.js';
export { lateRequire } from './work/lateRequire.js';
export { startThread, type Thread } from './work/thread.js';
export { createWorkerPool, type PoolWorker, type WorkerPool } from './work/workerPool.js';
