/** The driver of network scanners: finds them, asks what they are, and opens them. */
import { join } from 'node:path';
import { createOpenings, eitherSignal, type Opening } from '@platen/core/driver';
import {
  ScanError,
  type Device,
  type Driver,
  type HealthCall,
  type Log,
  type PluginHealth,
  type Session,
} from '@platen/core/plugin';
import { createCertificatePins } from './http/certificatePins.js';
import { createDeviceList } from './discovery/deviceList.js';
import { deviceOf, type DiscoveredDevice } from './discovery/discoveredDevice.js';
import { createDiscovery } from './discovery/discovery.js';
import { rootOf, type Endpoint } from './discovery/endpoint.js';
import { healthFrom } from './health.js';
import { createEsclClient, type EsclClient } from './http/esclClient.js';
import { EsclError } from './http/esclError.js';
import { createHttpClient } from './http/httpClient.js';
import { asScanError } from './http/httpStatuses.js';
import { deadlines as usual, type Deadlines, type EsclOptions } from './options.js';
import { limited, quirksOf } from './protocol/quirks.js';
import type { Quirks } from './protocol/quirkTable.js';
import type { ScannerCapabilities } from './protocol/scannerCapabilities.js';
import type { SensorHistory } from './scan/paperSensor.js';
import { createSession } from './scan/session.js';
import { tracedHttp } from './http/tracedHttp.js';

export interface DriverParts {
  readonly options: EsclOptions;
  readonly log: Log;
  /** The service's data folder: it holds the certificates' fingerprints. */
  readonly dataDir: string;
  readonly deadlines?: Partial<Deadlines>;
}

export interface EsclDriver extends Driver {
  /** Asks the scanners that answered last, and that no session has open, for their status. */
  health(call: HealthCall): Promise<PluginHealth>;
}

export function esclDriver({ options, log, dataDir, deadlines: own }: DriverParts): EsclDriver {
  const deadlines: Deadlines = { ...usual, silence: options.silenceSeconds * 1000, ...own };
  const pins = createCertificatePins(join(dataDir, 'escl', 'certificates.json'));
  const openings = createOpenings('network scanners');
  /** By device: the jobs that it has not deleted yet. */
  const undeleted = new Map<string, Set<string>>();
  const list = createDeviceList({
    configured: options.devices,
    createDiscovery: onChange => (options.discovery ? createDiscovery(options, log, onChange) : undefined),
    probe,
    isInUse: openings.isInUse,
    browseMs: options.discoverySeconds * 1000,
    log,
  });

  function clientOf(endpoint: Endpoint, host: Quirks['host']): EsclClient {
    const { id, url } = endpoint;
    const jobs = undeleted.get(id) ?? new Set<string>();
    undeleted.set(id, jobs);
    const http = tracedHttp(createHttpClient({ url, deviceId: id, pins, host }), id);
    return createEsclClient(http, rootOf(endpoint), deadlines, jobs);
  }

  const quirksFor = ({ advertised }: Endpoint, capabilities: ScannerCapabilities): Quirks =>
    quirksOf({ ...capabilities, makeAndModel: capabilities.makeAndModel || (advertised?.makeAndModel ?? '') });

  /** Asks a device for its capabilities. While its model is unknown, the Host headers that models require are tried. */
  async function probe(endpoint: Endpoint, signal: AbortSignal): Promise<DiscoveredDevice> {
    const expected = quirksOf({ makeAndModel: endpoint.advertised?.makeAndModel ?? '' }).host;
    for (const host of new Set([expected, 'with port', 'localhost'] as const)) {
      const client = clientOf(endpoint, host);
      try {
        const capabilities = await client.capabilities(signal);
        return {
          endpoint,
          capabilities: limited(capabilities, quirksFor(endpoint, capabilities)),
          ...(host !== expected && { host }),
        };
      } catch (error) {
        if (!(error instanceof EsclError) || error.kind !== 'bad request' || host === 'localhost') throw error;
      } finally {
        client.close();
      }
    }
    throw new EsclError('bad request', 'it rejects every request');
  }

  /** By device: what scans showed about its paper sensor. */
  const sensorHistories = new Map<string, SensorHistory>();

  const asDevice = (known: DiscoveredDevice): Device => deviceOf(known, options.feeding);

  async function open(deviceId: string, { ended, use, onClose }: Opening): Promise<Session> {
    const endpoint = await list.find(deviceId, ended);
    if (!endpoint)
      throw new ScanError(
        'device-not-found',
        `No network scanner "${deviceId}" is configured or found. Check that it is switched on, and list the scanners again.`,
      );
    const known = await probe(endpoint, ended).catch((error: unknown) => {
      ended.throwIfAborted();
      list.recheck(deviceId);
      throw asScanError(error, asDevice(list.offline(endpoint)).name);
    });
    list.update(known);
    const { capabilities } = known;
    if (!capabilities) throw new ScanError('driver-failed', `"${deviceId}" sent no capabilities.`);
    ended.throwIfAborted();
    const quirks = quirksFor(endpoint, capabilities);
    const sensorHistory = sensorHistories.get(deviceId) ?? {};
    sensorHistories.set(deviceId, sensorHistory);
    return createSession({
      device: asDevice(known),
      capabilities,
      quirks,
      deadlines,
      log,
      onClose,
      client: use(clientOf(endpoint, known.host ?? quirks.host)),
      mostPages: options.mostPages,
      sensorHistory,
      onOffline: () => list.recheck(deviceId),
    });
  }

  const health = healthFrom({
    known: list.known,
    isInUse: openings.isInUse,
    asDevice,
    clientOf: ({ endpoint, host }, capabilities) => clientOf(endpoint, host ?? quirksFor(endpoint, capabilities).host),
  });

  return {
    id: 'escl',
    health,
    async *devices({ signal }) {
      signal.throwIfAborted();
      const { closed } = openings;
      if (closed.aborted) return;
      const either = eitherSignal(signal, closed);
      try {
        for await (const known of list.list(either.signal)) yield asDevice(known);
      } catch (error) {
        signal.throwIfAborted();
        if (!closed.aborted) throw error;
      } finally {
        either.release();
      }
    },
    watch: onChange => list.watch(onChange),
    open: (deviceId, call) => openings.open(deviceId, call, opening => open(deviceId, opening)),
    async close() {
      await openings.close();
      list.close();
    },
  };
}
