/** The health of network scanners: what those that answer say of their state. */
import type { Device, HealthCall, HealthFact, PluginHealth } from '@platen/core/plugin';
import type { DiscoveredDevice } from './discovery/discoveredDevice.js';
import type { EsclClient } from './http/esclClient.js';
import { adfStates } from './protocol/adfStates.js';
import type { ScannerCapabilities } from './protocol/scannerCapabilities.js';
import type { ScannerStatus } from './protocol/scannerStatus.js';

export interface Answering {
  readonly device: Pick<Device, 'name'>;
  /** Of eSCL. */
  readonly version: string;
  /** Undefined if it is too busy. Its rejection says nothing of its health: it may be switched off. */
  status(): Promise<ScannerStatus | undefined>;
}

export interface HealthParts {
  /** Without looking for any. */
  known(): readonly DiscoveredDevice[];
  isInUse(deviceId: string): boolean;
  asDevice(known: DiscoveredDevice): Device;
  clientOf(known: DiscoveredDevice, capabilities: ScannerCapabilities): EsclClient;
}

/** Asks those that answered last, and that no session has open. */
export function healthFrom({ known, isInUse, asDevice, clientOf }: HealthParts) {
  const answering = (each: DiscoveredDevice, signal: AbortSignal): Answering[] => {
    const { endpoint, capabilities, isAway } = each;
    if (!capabilities || isAway || isInUse(endpoint.id)) return [];
    const status = async (): Promise<ScannerStatus | undefined> => {
      const client = clientOf(each, capabilities);
      try {
        return await client.status(signal);
      } finally {
        client.close();
      }
    };
    return [{ device: asDevice(each), version: capabilities.version, status }];
  };
  return ({ signal }: HealthCall): Promise<PluginHealth> => healthOf(known().flatMap(each => answering(each, signal)));
}

/** A warning names each scanner in which a person must do something. */
export async function healthOf(scanners: readonly Answering[]): Promise<PluginHealth> {
  const told = await Promise.all(
    scanners.map(async ({ device, version, status }) => ({
      name: device.name,
      version,
      status: await status().catch(() => undefined),
    })),
  );
  const faults = told.flatMap(({ name, status }) => {
    const words = status && faultOf(status);
    return words === undefined ? [] : [`"${name}" ${words}.`];
  });
  const facts = told.flatMap(({ name: device, version, status }): HealthFact[] => [
    { name: 'escl_version', value: version, device, title: 'eSCL' },
    ...(status && status.state !== '' ? [{ name: 'state', value: status.state, device, title: 'State' }] : []),
    ...(status && status.adf !== '' ? [{ name: 'feeder', value: status.adf, device, title: 'Feeder' }] : []),
  ]);
  return { state: faults.length === 0 ? 'ok' : 'warning', ...(faults[0] && { sentence: faults.join(' ') }), facts };
}

function faultOf({ state, adf }: ScannerStatus): string | undefined {
  const { code, text } = adfStates[adf] ?? {};
  // Not of the device: of the sheets of the last job.
  if (text !== undefined && code !== 'unsupported') return text;
  if (state === 'Stopped') return 'has stopped: look at its display';
  return state === 'Down' ? 'is out of order: look at its display' : undefined;
}
