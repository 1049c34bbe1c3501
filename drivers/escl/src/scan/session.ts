/** A session with a network scanner: its status and its scans. */
import { deviceSession, type DeviceScan } from '@platen/core/driver';
import {
  ScanError,
  unlessAborted,
  type Device,
  type EncodedPage,
  type Log,
  type ScanOrder,
  type Session,
  type Status,
} from '@platen/core/plugin';
import { detectedOf } from '../protocol/adfStates.js';
import { capabilitiesOf } from '../protocol/capabilities.js';
import type { EsclClient } from '../http/esclClient.js';
import { EsclError } from '../http/esclError.js';
import { asScanError, feederFault } from '../http/httpStatuses.js';
import type { Deadlines } from '../options.js';
import { createPaperSensor, type SensorHistory } from './paperSensor.js';
import { prepare } from './prepare.js';
import type { Quirks } from '../protocol/quirkTable.js';
import { scan } from './scan.js';
import type { ScannerCapabilities } from '../protocol/scannerCapabilities.js';

export interface SessionParts {
  readonly device: Device;
  readonly capabilities: ScannerCapabilities;
  readonly quirks: Quirks;
  readonly client: EsclClient;
  readonly deadlines: Deadlines;
  /** Of one scan. */
  readonly mostPages: number;
  /** Of the device's paper sensor; outlives the session. */
  readonly sensorHistory: SensorHistory;
  readonly log: Log;
  /** The device does not answer. */
  onOffline(): void;
  onClose(): Promise<void>;
}

export function createSession({
  device,
  capabilities,
  quirks,
  client,
  deadlines,
  mostPages,
  sensorHistory,
  log,
  onOffline,
  onClose,
}: SessionParts): Session {
  const { name } = device;
  const offered = capabilitiesOf(capabilities, device.feeding === 'perSheet');
  const sensor = createPaperSensor(sensorHistory, { name, hasFeeder: offered.feeder !== undefined, quirks, log });
  /** The status request of the running scan, before anything moves. */
  let checking: Promise<void> | undefined;

  /** @throws ScanError that says why the feeder cannot be used, before anything moves */
  async function checkFeeder({ ended, paper, seePaper }: DeviceScan): Promise<void> {
    // A device that does not answer this may scan nevertheless.
    const status = await client.status(ended).catch(() => undefined);
    ended.throwIfAborted();
    if (status) seePaper(sensor.paperOf(status));
    if (paper() === 'empty' && quirks.trustsFeeder)
      throw new ScanError('no-paper', `"${name}" has no paper in its feeder.`);
    const fault = feederFault(status?.adf ?? '', name);
    if (fault?.code === 'paper-jam' && quirks.trustsFeeder) throw fault;
    if (fault)
      log.debug(`${fault.message} The scan is tried nevertheless: some devices report this until the next scan.`);
  }

  async function* begin(order: ScanOrder, call: DeviceScan): AsyncGenerator<EncodedPage, void, undefined> {
    const { source } = order;
    const { stop, ended, paper, onEmpty } = call;
    checking = source === 'feeder' ? checkFeeder(call) : undefined;
    await checking;
    const prepared = prepare(capabilities, source, order, name);
    const paperBefore = paper();
    let isFirst = true;
    try {
      const pages = scan({
        client,
        name,
        capabilities,
        quirks,
        deadlines,
        mostPages,
        source,
        prepared,
        stop,
        ended,
        onEmpty,
        maxPixels: order.maxPixels,
        sheets: order.sheets ?? Infinity,
        isContinuous: device.feeding === 'continuous',
      });
      for await (const page of pages) {
        if (source === 'feeder' && isFirst) sensor.seePage(paperBefore);
        isFirst = false;
        yield page;
      }
    } catch (error) {
      ended.throwIfAborted();
      const failure = asScanError(error, name);
      if (failure.code === 'device-offline') onOffline();
      if (source === 'feeder' && failure.code === 'no-paper') sensor.seeEmpty(paperBefore);
      throw failure;
    }
  }

  /** Asked twice: one lost response does not make a device offline. */
  async function askStatus(signal: AbortSignal, paper: Status['paper']): Promise<Status> {
    for (let isLast = false; ; isLast = true) {
      try {
        const status = await client.status(signal);
        if (!status) return { online: true, paper };
        const detected = detectedOf(status.adf);
        const paperNow = sensor.paperOf(status);
        const paperByTrial = sensor.isIgnored && { paperByTrial: true as const };
        return { online: status.state !== 'Down', paper: paperNow, ...paperByTrial, ...(detected && { detected }) };
      } catch (error) {
        signal.throwIfAborted();
        // A device that answers something else is online.
        if (error instanceof EsclError && (error.kind === 'malformed' || error.kind === 'bad request'))
          return { online: true, paper: 'unknown' };
        if (!isLast) continue;
        log.debug(`"${name}" does not report its status: ${asScanError(error, name).message}`);
        onOffline();
        return { online: false, paper: 'unknown' };
      }
    }
  }

  return deviceSession<EncodedPage>({
    device,
    log,
    explain: error => asScanError(error, name),
    known: () => offered,
    capabilities: async () => offered,
    status: ({ signal }, paper) => askStatus(signal, paper()),
    async statusWhileScanning({ signal }, paper) {
      await unlessAborted(
        Promise.resolve(checking).catch(() => undefined),
        signal,
      );
      return { online: true, paper: paper() };
    },
    scan: begin,
    onClose,
  });
}
