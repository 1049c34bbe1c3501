/** The entry point for the server: everything that composes plugins into a service. */
export type { AutoscanLimits } from './autoscan/session.js';
export { readDevice } from './checks/deviceFields.js';
export {
  type DriverOption,
  type HardwareControl,
  hardwareControls,
  levelRange,
  optionControls,
  optionTypes,
  optionUnits,
  type ReservedOption,
  type ScanControls,
  thresholdRange,
  type TransferMode,
  transferModes,
} from './contract/controls.js';
export { type DocumentFormat, type DocumentPage, type Turn, turns } from './contract/document.js';
export type { Call, Device, Driver, Session } from './contract/driver.js';
export {
  asSentence,
  codeOf,
  type DriverCode,
  driverCodes,
  type ErrorCode,
  InvalidValue,
  messageOf,
  plainWordsOf,
  ScanError,
  serviceCodes,
} from './contract/errors.js';
export { type Format, formatNames, isLossy } from './contract/format.js';
export type { Found } from './contract/find.js';
export type { HealthFact, PluginHealth } from './contract/health.js';
export type { ScanEvent } from './contract/scanEvents.js';
export type { ScanOrder } from './contract/order.js';
export type { Page, Pixels, RawPage } from './contract/page.js';
export { type Contributions, type Log, pluginApi } from './contract/plugin.js';
export type { CustomProcessor } from './contract/processor.js';
export {
  type Barcode,
  type BarcodeRecogniser,
  type Blank,
  type CustomRecogniser,
  filterLevels,
  patchCodes,
  type Recogniser,
  symbologies,
  type Symbology,
} from './contract/recogniser.js';
export {
  type AdjustmentParameter,
  adjustmentParameters,
  colorModes,
  duplexModes,
  pageSizes,
  scanPageSizes,
} from './contract/words.js';
export { wrapDriver, wrapPages, wrapSession } from './contract/wrap.js';
export { decodedPage } from './documents/decodedPage.js';
export { documentNames } from './documents/documentNames.js';
export {
  type DocumentSource,
  findPage,
  type ListedPage,
  noSuchPage,
  pagesOfScan,
  type PagesOfScan,
  pagesOfScans,
} from './documents/documentPages.js';
export { backsOrders, interleavedPages } from './documents/interleaved.js';
export { documentsOf } from './documents/separate.js';
export {
  drawSeparatorSheet,
  MOST_SEPARATOR_TEXT,
  type SeparatorSheet,
  separatorSizes,
  usualSeparatorSheet,
} from './documents/separatorSheet.js';
export { type DocumentWishes, writeDocument } from './documents/writeDocument.js';
export { writeSeparatorSheet } from './documents/writeSeparatorSheet.js';
export type { KeptScan } from './kept/keptScan.js';
export type { KeptScans } from './kept/keptScans.js';
export { scanStates } from './kept/scanFacts.js';
export { openScanStore, type ScanStore, spoolStore } from './kept/scanStore.js';
export { atRisk, type StoredPage } from './kept/storedPage.js';
export { nullLog } from './log/nullLog.js';
export type { OutboxEvent } from './outbox/place.js';
export type { OutboxReader } from './outbox/readInTurn.js';
export { endReasons, type OutboxEnd } from './outbox/outboxEnd.js';
export type { FinishedPage } from './pipeline/finish.js';
export { noteCodes, noteOnField, type ScanNote } from './pipeline/notes.js';
export { type PlanInput, planScan, type ScanPlan } from './pipeline/plan.js';
export { requestedSources, type ScanOptions } from './pipeline/scanOptions.js';
export { type Separation, SEPARATOR_TEXT, separators } from './pipeline/separation.js';
export { type KeptBytes, openSpool, slices, type Spool, wholeOf } from './pipeline/spool.js';
export { type Stage, stages } from './pipeline/stages.js';
export { fromBilevelTiff, toBilevelTiff } from './pixels/bilevelTiff.js';
export { packedRows } from './pixels/rows.js';
export {
  customProcessors,
  finderKinds,
  processAsked,
  readersAsked,
  recogniseAsked,
  symbologiesAsked,
  symbologyNames,
} from './registry/asked.js';
export {
  createDevices,
  describeScanner,
  type DeviceMemory,
  type Devices,
  type KnownDevice,
} from './devices/devices.js';
export {
  daysLeft,
  endOf,
  type Entitle,
  type Entitlement,
  LicenceError,
  licenceWarning,
  nearEnd,
} from './registry/entitlement.js';
export type { Contribution, LoadFault, PluginEntry, PluginReport } from './registry/entry.js';
export { formatAsked, imageFormatNames, outputFormatNames } from './registry/formatNames.js';
export { knownKinds } from './contract/recogniser.js';
export { createHealth, type Health, type HealthAnswer } from './registry/health.js';
export type { Isolate } from './registry/isolation.js';
export { LOAD_DEADLINE_MS, type Loaded, loadPlugins, type LoadSettings } from './registry/load.js';
export { type Around, openPlugins, type Plugins } from './registry/plugins.js';
export {
  type ContributionSet,
  createRegistry,
  type HealthSource,
  type LiveRegistry,
  type LoadedReader,
  type Registry,
  type Withheld,
} from './registry/registry.js';
export { resolvePlugin } from './registry/resolve.js';
export { optionsFault } from './registry/validate.js';
export { noWishes } from './registry/wishes.js';
export { createFollowers, FOLLOW_DEADLINE_MS } from './scanning/followers.js';
export type { Meter } from './scanning/meter.js';
export type { OnDemandRun, ScanRequest } from './scanning/onDemand.js';
export type { ScanKind } from './scanning/scanEnd.js';
export type { ScanLimits } from './scanning/scanRun.js';
export { type StepLine, traceSession } from './scanning/traceSession.js';
export { problemSentence, type SchemaError, type SchemaProblem, schemaProblems } from './schema/problems.js';
export { createScanService, type ScannerStatus, type ScanService } from './service.js';
export { type Clock, systemClock } from './time/clock.js';
export { createNotifier } from './time/notifier.js';
export { deferred, eitherSignal, settledWithin, unlessAborted } from './time/wait.js';
export { type ChildEnd, killGroup, startChild } from './work/childProcess.js';
export { type Alias, onDeviceLine } from './work/deviceTrace.js';
export { lateRequire } from './work/lateRequire.js';
export { giveBackMemory } from './work/rest.js';
export { createSemaphore, type Semaphore } from './work/semaphore.js';
export { streamLines } from './work/streamLines.js';
