/** The health of network scanners: what those that answer say of their state. */
import type { Device, HealthFact, PluginHealth } from '@platen/core/plugin';
import { adfStates } from './protocol/adfStates.js';
import type { ScannerStatus } from './protocol/scannerStatus.js';

export interface Answering {
  readonly device: Pick<Device, 'name'>;
  /** Of eSCL. */
  readonly version: string;
  /** Undefined if it is too busy. Its rejection says nothing of its health: it may be switched off. */
  status(): Promise<ScannerStatus | undefined>;
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
