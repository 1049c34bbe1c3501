/** Answers what a scanner can do: from memory, from its open session, or by opening it for a moment. */
import type { Clock } from '../clock.js';
import type { Capabilities } from '../contract/driver.js';
import { ScanError } from '../contract/errors.js';
import { offeredCapabilities, type OfferedCapabilities } from '../registry/capabilities.js';
import type { KnownDevice } from '../registry/devices.js';
import type { Registry } from '../registry/registry.js';
import { callWithin } from './deadline.js';
import { isSame, type Holder, type OpenScanner } from './holder.js';
import { ASK_DEADLINE_MS } from './scanRun.js';

export interface CapabilityDesk {
  /** With what the plugins add. @throws `busy` when the scanner must be opened for that while another one scans */
  offered(known: KnownDevice): Promise<OfferedCapabilities>;
  /** What the driver says of the open scanner; asked once for each session, and not while it scans. */
  raw(open: OpenScanner): Promise<Capabilities>;
}

export function createCapabilityDesk(parts: { clock: Clock; registry: Registry; holder: Holder; isScanning(): boolean }): CapabilityDesk {
  const { clock, registry, holder, isScanning } = parts;
  const known = new Map<string, Capabilities>();
  const keyOf = ({ driver, device }: KnownDevice): string => `${driver.id}\n${device.id}`;

  const ask = async (scanner: KnownDevice): Promise<Capabilities> => {
    const { driver, device, name } = scanner;
    const open = holder.current;
    if (open && isScanning() && !isSame(open.known, scanner)) {
      throw new ScanError('busy', `${open.known.name} is scanning: ask for ${name} when it has finished.`);
    }
    return callWithin(clock, ASK_DEADLINE_MS, `asking ${name} what it can do`, async call => {
      if (open && isSame(open.known, scanner)) return open.session.capabilities(call);
      const session = await driver.open(device.id, call);
      try {
        return await session.capabilities(call);
      } finally {
        await session.close();
      }
    });
  };

  const remembered = async (scanner: KnownDevice): Promise<Capabilities> => {
    const key = keyOf(scanner);
    const capabilities = known.get(key) ?? (await ask(scanner));
    known.set(key, capabilities);
    return capabilities;
  };

  return {
    offered: async scanner => offeredCapabilities(scanner.device, await remembered(scanner), registry),
    raw: open => remembered(open.known),
  };
}
