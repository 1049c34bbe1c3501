/** The driver of driverless network scanners. */
import { join } from 'node:path';
import { ScanError, unlessAborted, type Device, type Driver, type Log, type Session } from '@platen/core/plugin';
import { describe, type Known } from './known.js';
import { createDiscovery } from './discovery.js';
import { EsclFault } from './esclFault.js';
import { createLister } from './lister.js';
import type { Machine } from './machine.js';
import { createPins } from './pins.js';
import { rootOf, type Place } from './place.js';
import { curbed, quirksOf, type Quirks } from './quirks.js';
import { createSession } from './session.js';
import { deadlines as usual, type Deadlines, type EsclOptions } from './settings.js';
import { asScanError } from './statuses.js';
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
  const pins = createPins(join(dataDir, 'escl', 'certificates.json'));
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

  function clientOf(place: Place, host: Quirks['host']): EsclClient {
    const jobs = undeleted.get(place.id) ?? new Set<string>();
    undeleted.set(place.id, jobs);
    return createEsclClient(createHttpClient({ url: place.url, deviceId: place.id, pins, host }), rootOf(place), deadlines, jobs);
  }

  const quirksFor = ({ told }: Place, machine: Machine): Quirks => quirksOf({ ...machine, makeAndModel: machine.makeAndModel || (told?.makeAndModel ?? '') });

  /** Asks a device what it is. One whose name is not known yet may want a Host header of its own to say it. */
  async function meet(place: Place, signal: AbortSignal): Promise<Known> {
    const told = quirksOf({ makeAndModel: place.told?.makeAndModel ?? '' }).host;
    for (const host of new Set([told, 'with port', 'localhost'] as const)) {
      const client = clientOf(place, host);
      try {
        const machine = await client.capabilities(signal);
        return { place, machine: curbed(machine, quirksFor(place, machine)), ...(host !== told && { host }) };
      } catch (error) {
        if (!(error instanceof EsclFault) || error.kind !== 'bad request' || host === 'localhost') throw error;
      } finally {
        client.close();
      }
    }
    throw new EsclFault('bad request', 'it takes no question');
  }

  const deviceOf = (known: Known): Device => describe(known, options.feeding);

  async function openPlace(deviceId: string, signal: AbortSignal): Promise<Session> {
    const place = await lister.find(deviceId, signal);
    if (!place) throw new ScanError('device-not-found', `No network scanner "${deviceId}" is configured or found: see that it is switched on, and list the scanners again.`);
    const known = await meet(place, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      lister.doubt(deviceId);
      throw asScanError(error, deviceOf(lister.remembered(place)).name);
    });
    lister.remember(known);
    const { machine } = known;
    if (!machine) throw new ScanError('driver-failed', `"${deviceId}" says nothing of itself.`);
    signal.throwIfAborted();
    const quirks = quirksFor(place, machine);
    const client = clientOf(place, known.host ?? quirks.host);
    return createSession({
      device: deviceOf(known), machine, quirks, client, deadlines, log,
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
        for await (const known of lister.list(ended)) yield deviceOf(known);
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
        const session = await unlessAborted(openPlace(deviceId, ended), ended);
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
