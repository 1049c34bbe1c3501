/** The driver of driverless network scanners. */
import { join } from 'node:path';
import { ScanError, unlessAborted, type Device, type Driver, type Log, type Session } from '@platen/core/plugin';
import { deviceOf, type DiscoveredDevice } from './discoveredDevice.js';
import { createDiscovery } from './discovery.js';
import { EsclError } from './esclError.js';
import { createLister } from './lister.js';
import type { ScannerCapabilities } from './scannerCapabilities.js';
import { createCertificatePins } from './certificatePins.js';
import { rootOf, type Endpoint } from './endpoint.js';
import { curbed, quirksOf, type Quirks } from './quirks.js';
import { createSession } from './session.js';
import { deadlines as usual, type Deadlines, type EsclOptions } from './options.js';
import { asScanError } from './httpStatuses.js';
import { createEsclClient, type EsclClient } from './esclClient.js';
import { createHttpClient } from './httpClient.js';

export interface DriverParts {
  readonly options: EsclOptions;
  readonly log: Log;
  /** The service's data folder: it keeps the certificates' fingerprints. */
  readonly dataDir: string;
  readonly deadlines?: Partial<Deadlines>;
}

export function esclDriver({ options, log, dataDir, deadlines: own }: DriverParts): Driver {
  const deadlines: Deadlines = { ...usual, silence: options.silenceSeconds * 1000, ...own };
  const pins = createCertificatePins(join(dataDir, 'escl', 'certificates.json'));
  const sessions = new Map<string, Session>();
  /** Open, or about to be. */
  const inUse = new Set<string>();
  const undeleted = new Map<string, Set<string>>();
  const closing = new AbortController();
  const lister = createLister({
    configured: options.devices,
    createDiscovery: onChange => (options.discovery ? createDiscovery(options, log, onChange) : undefined),
    meet,
    isInUse: id => inUse.has(id),
    lookMs: options.discoverySeconds * 1000,
    log,
  });

  function clientOf(endpoint: Endpoint, host: Quirks['host']): EsclClient {
    const jobs = undeleted.get(endpoint.id) ?? new Set<string>();
    undeleted.set(endpoint.id, jobs);
    return createEsclClient(createHttpClient({ url: endpoint.url, deviceId: endpoint.id, pins, host }), rootOf(endpoint), deadlines, jobs);
  }

  const quirksFor = ({ advertised }: Endpoint, capabilities: ScannerCapabilities): Quirks =>
    quirksOf({ ...capabilities, makeAndModel: capabilities.makeAndModel || (advertised?.makeAndModel ?? '') });

  /** Asks a device what it is. One whose name is not known yet may want a Host header of its own to say it. */
  async function meet(endpoint: Endpoint, signal: AbortSignal): Promise<DiscoveredDevice> {
    const expected = quirksOf({ makeAndModel: endpoint.advertised?.makeAndModel ?? '' }).host;
    for (const host of new Set([expected, 'with port', 'localhost'] as const)) {
      const client = clientOf(endpoint, host);
      try {
        const capabilities = await client.capabilities(signal);
        return { endpoint, capabilities: curbed(capabilities, quirksFor(endpoint, capabilities)), ...(host !== expected && { host }) };
      } catch (error) {
        if (!(error instanceof EsclError) || error.kind !== 'bad request' || host === 'localhost') throw error;
      } finally {
        client.close();
      }
    }
    throw new EsclError('bad request', 'it takes no question');
  }

  const asDevice = (known: DiscoveredDevice): Device => deviceOf(known, options.feeding);

  async function openEndpoint(deviceId: string, signal: AbortSignal): Promise<Session> {
    const endpoint = await lister.find(deviceId, signal);
    if (!endpoint) throw new ScanError('device-not-found', `No network scanner "${deviceId}" is configured or found: see that it is switched on, and list the scanners again.`);
    const known = await meet(endpoint, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      lister.doubt(deviceId);
      throw asScanError(error, asDevice(lister.remembered(endpoint)).name);
    });
    lister.remember(known);
    const { capabilities } = known;
    if (!capabilities) throw new ScanError('driver-failed', `"${deviceId}" says nothing of itself.`);
    signal.throwIfAborted();
    const quirks = quirksFor(endpoint, capabilities);
    const client = clientOf(endpoint, known.host ?? quirks.host);
    return createSession({
      device: asDevice(known), capabilities, quirks, client, deadlines, log,
      mostPages: options.mostPages,
      onAway: () => lister.doubt(deviceId),
      onClose() {
        client.close();
        sessions.delete(deviceId);
        inUse.delete(deviceId);
      },
    });
  }

  return {
    id: 'escl',
    async *devices({ signal }) {
      signal.throwIfAborted();
      if (closing.signal.aborted) return;
      const ended = AbortSignal.any([signal, closing.signal]);
      try {
        for await (const known of lister.list(ended)) yield asDevice(known);
      } catch (error) {
        signal.throwIfAborted();
        if (!closing.signal.aborted) throw error;
      }
    },
    watch: onChange => lister.watch(onChange),
    async open(deviceId, { signal }) {
      signal.throwIfAborted();
      closing.signal.throwIfAborted();
      if (inUse.has(deviceId)) throw new ScanError('busy', `"${deviceId}" is already open.`);
      inUse.add(deviceId);
      const ended = AbortSignal.any([signal, closing.signal]);
      try {
        const session = await unlessAborted(openEndpoint(deviceId, ended), ended);
        sessions.set(deviceId, session);
        return session;
      } catch (error) {
        inUse.delete(deviceId);
        throw error;
      }
    },
    async close() {
      closing.abort(new ScanError('driver-failed', 'The driver of network scanners was closed.'));
      await Promise.all([...sessions.values()].map(session => session.close()));
      lister.close();
    },
  };
}
