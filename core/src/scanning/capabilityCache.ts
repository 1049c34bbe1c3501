/** Answers what a scanner can do: from memory, from its open session, or by opening it for a moment. */
import type { Capabilities } from '../contract/driver.js';
import { ScanError } from '../contract/errors.js';
import { offeredCapabilities, type OfferedCapabilities } from '../registry/capabilities.js';
import type { Devices, KnownDevice } from '../registry/devices.js';
import type { Registry } from '../registry/registry.js';
import type { Clock } from '../time/clock.js';
import { callWithin } from '../time/deadline.js';
import type { OpenScanner } from './openScanner.js';
import { isSame, openDevice, type OpenDevice } from './openDevice.js';
import { ASK_DEADLINE_MS } from './scanRun.js';

export interface CapabilityCacheParts {
  readonly clock: Clock;
  readonly devices: Devices;
  readonly registry: Registry;
  readonly openScanner: OpenScanner;
  /** Whether an on-demand scan runs, also before it has its scanner. */
  isScanning(): boolean;
}

export interface CapabilityCache {
  /** With what the plugins add. @throws `busy` when the device must be asked for that and one scans, opens or closes */
  offered(known: KnownDevice): Promise<OfferedCapabilities>;
  /** What the driver says of the open scanner. */
  raw(open: OpenDevice): Promise<Capabilities>;
  /** Keeps what a scan was told. */
  learn(known: KnownDevice, capabilities: Capabilities): void;
  /** Resolves when no scanner is open for a moment only to be asked; it never fails. */
  quiet(): Promise<void>;
}

export function createCapabilityCache(parts: CapabilityCacheParts): CapabilityCache {
  const { clock, registry, openScanner, isScanning } = parts;
  const known = new Map<string, Capabilities>();
  /** Questions that are not answered yet: who asks the same waits for the same answer. */
  const asked = new Map<string, Promise<Capabilities>>();
  // Addresses of USB are given again to what is plugged in next.
  const keyOf = ({ driver, device: { id, manufacturer, model } }: KnownDevice): string =>
    JSON.stringify([driver.id, id, manufacturer, model]);

  const ask = async (scanner: KnownDevice): Promise<Capabilities> => {
    const { name } = scanner;
    const open = openScanner.current;
    if (isScanning() || (openScanner.state !== 'open' && openScanner.state !== 'closed')) {
      throw new ScanError(
        'busy',
        `${open?.known.name ?? 'A scanner'} is in use: ask for ${name} when it has finished.`,
      );
    }
    return callWithin(clock, ASK_DEADLINE_MS, `asking ${name} what it can do`, async call => {
      if (open && isSame(open.known, scanner)) return open.session.capabilities(call);
      const { session } = await openDevice(scanner, call, parts);
      try {
        return await session.capabilities(call);
      } finally {
        await session.close().catch(() => undefined);
      }
    });
  };

  const remembered = async (scanner: KnownDevice): Promise<Capabilities> => {
    const key = keyOf(scanner);
    const before = known.get(key) ?? asked.get(key);
    if (before) return before;
    const answer = ask(scanner).finally(() => asked.delete(key));
    asked.set(key, answer);
    const capabilities = await answer;
    known.set(key, capabilities);
    return capabilities;
  };

  return {
    offered: async scanner => offeredCapabilities(scanner.device, await remembered(scanner), registry),
    raw: open => remembered(open.known),
    learn: (scanner, capabilities) => void known.set(keyOf(scanner), capabilities),
    async quiet() {
      while (asked.size > 0) await Promise.allSettled(asked.values());
    },
  };
}
