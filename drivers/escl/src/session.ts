/** An open network scanner. */
import { codeOf, oneScan, ScanError, unlessAborted, type Device, type EncodedPage, type Log, type ScanOrder, type Session, type Source, type Status } from '@platen/core/plugin';
import { detectedOf, paperAt } from './adfStates.js';
import { capabilitiesOf } from './capabilities.js';
import { EsclError } from './esclError.js';
import type { ScannerCapabilities } from './scannerCapabilities.js';
import { scan } from './scan.js';
import { prepare } from './prepare.js';
import type { Quirks } from './quirks.js';
import type { ScannerStatus } from './scannerStatus.js';
import type { Deadlines } from './options.js';
import { asScanError, feederFault } from './httpStatuses.js';
import type { EsclClient } from './esclClient.js';

export interface SessionParts {
  readonly device: Device;
  readonly capabilities: ScannerCapabilities;
  readonly quirks: Quirks;
  readonly client: EsclClient;
  readonly deadlines: Deadlines;
  /** Of one scan. */
  readonly mostPages: number;
  readonly log: Log;
  /** The device does not answer. */
  onAway(): void;
  onClose(): void;
}

export function createSession({ device, capabilities, quirks, client, deadlines, mostPages, log, onAway, onClose }: SessionParts): Session {
  const { name } = device;
  const offered = capabilitiesOf(capabilities);
  const scans = oneScan<EncodedPage>(name);
  let closing: Promise<void> | undefined;
  let paper: Status['paper'] = 'unknown';
  /** The last scan's look at the feeder, before anything moved. */
  let looking: Promise<Source> | undefined;

  /** The sensor saw paper where the feeder found none: AirSane's, which has none, always does. It is believed again when it says something else. */
  let isMistaken = false;

  function paperOf({ adf }: ScannerStatus): Status['paper'] {
    const says = offered.feeder ? paperAt(adf, quirks) : 'unknown';
    if (says !== 'loaded') isMistaken = false;
    return isMistaken ? 'unknown' : says;
  }

  /** @throws ScanError what is wrong with the feeder, where it is to be used, before anything moves */
  async function sourceOf({ source }: ScanOrder, ended: AbortSignal): Promise<Source> {
    if (!offered.feeder || source === 'flatbed') return source ?? 'flatbed';
    // A device that does not say how it is may scan all the same.
    const status = await client.status(ended).catch(() => undefined);
    ended.throwIfAborted();
    if (status) paper = paperOf(status);
    if (paper === 'empty') {
      if (source !== 'feeder' && offered.flatbed) return 'flatbed';
      if (quirks.trustsEmpty) throw new ScanError('no-paper', `"${name}" has no paper in its feeder.`);
    }
    const fault = feederFault(status?.adf ?? '', name);
    if (fault) log.debug(`${fault.message} It is tried all the same: some devices say so until the next scan.`);
    return 'feeder';
  }

  async function* begin(order: ScanOrder, stop: AbortSignal, ended: AbortSignal, before: Promise<void> | undefined): AsyncGenerator<EncodedPage, void, undefined> {
    await before;
    ended.throwIfAborted();
    if (stop.aborted) return;
    looking = sourceOf(order, ended);
    const source = await looking.catch((error: unknown) => {
      throw ended.aborted ? ended.reason : asScanError(error, name);
    });
    const prepared = prepare(capabilities, source, order, name);
    const seen = paper;
    const pages = scan({
      client, name, capabilities, quirks, deadlines, mostPages, source, prepared, stop, ended,
      maxPixels: order.maxPixels,
      sheets: order.sheets ?? Infinity,
      isContinuous: device.feeding === 'continuous',
      onEmpty() {
        if (paper !== 'unknown') paper = 'empty';
      },
    });
    try {
      yield* pages;
    } catch (error) {
      if (codeOf(error) === 'device-offline') onAway();
      if (source === 'feeder' && seen === 'loaded' && codeOf(error) === 'no-paper' && !isMistaken) {
        isMistaken = true;
        log.info(`"${name}" said that its feeder was loaded, and it was empty: its sensor is not believed until it says something else, and auto-scan waits for that.`);
      }
      throw error;
    }
  }

  /** One answer that is lost in the network is no device that is gone. */
  async function ask(signal: AbortSignal): Promise<Status> {
    for (let last = false; ; last = true) {
      try {
        const status = await client.status(signal);
        if (!status) return { online: true, paper };
        paper = paperOf(status);
        const detected = detectedOf(status.adf);
        return { online: status.state !== 'Down', paper, ...(detected && { detected }) };
      } catch (error) {
        signal.throwIfAborted();
        // It answers, but not as it should: that is no device that is away.
        if (error instanceof EsclError && (error.kind === 'malformed' || error.kind === 'bad request')) return { online: true, paper: 'unknown' };
        if (!last) continue;
        log.debug(`"${name}" does not say how it is: ${asScanError(error, name).message}`);
        onAway();
        return { online: false, paper: 'unknown' };
      }
    }
  }

  return {
    device,
    async capabilities({ signal }) {
      signal.throwIfAborted();
      return offered;
    },
    async status({ signal }) {
      signal.throwIfAborted();
      if (closing) return { online: false, paper: 'unknown' };
      if (!scans.running) return ask(signal);
      if (looking) await unlessAborted(looking.catch(() => undefined), signal);
      return { online: true, paper };
    },
    scan(order, { signal, stop }) {
      return scans.start(signal, (ended, before) => {
        if (closing) throw new ScanError('device-offline', `"${name}" was closed.`);
        return begin(order, stop, ended, before);
      });
    },
    close() {
      closing ??= (async () => {
        await scans.running?.end(new ScanError('cancelled', `"${name}" was closed while it scanned.`));
        onClose();
      })();
      return closing;
    },
  };
}
