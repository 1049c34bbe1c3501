/** A scanner's capabilities: from the cache, from its open session, or from a temporary session. */
import type { Capabilities } from '../contract/driver.js';
import { ScanError } from '../contract/errors.js';
import { offeredCapabilities, type OfferedCapabilities } from '../registry/capabilities.js';
import type { Devices, KnownDevice } from '../registry/devices.js';
import type { Registry } from '../registry/registry.js';
import { sourceDetails } from '../registry/sourceDetails.js';
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
  /** Every scanner's capabilities list the OCR languages; otherwise, those whose driver says so. */
  readonly listsOcrLanguages?: boolean | undefined;
  /** Whether an on-demand scan runs, including while it opens its scanner. */
  isScanning(): boolean;
}

export interface CapabilityCache {
  /**
   * Includes what the plugins add.
   * @throws `busy` if the device must be asked and a scan, open or close is in progress
   */
  offered(known: KnownDevice): Promise<OfferedCapabilities>;
  /** What a request can control on each source. @throws as `offered` */
  sources(known: KnownDevice): Promise<ReturnType<typeof sourceDetails>>;
  /** What the driver reports for the open scanner. */
  raw(open: OpenDevice): Promise<Capabilities>;
  /** Caches what a scan learned. */
  learn(known: KnownDevice, capabilities: Capabilities): void;
  /** Resolves when no temporary session is open; never rejects. */
  quiet(): Promise<void>;
}

export function createCapabilityCache(parts: CapabilityCacheParts): CapabilityCache {
  const { clock, registry, openScanner, isScanning } = parts;
  const known = new Map<string, Capabilities>();
  /** Pending questions: concurrent callers share one answer. */
  const asked = new Map<string, Promise<Capabilities>>();
  // A USB address can be reused by the next device that is plugged in.
  const keyOf = ({ driver, device: { id, manufacturer, model } }: KnownDevice): string =>
    JSON.stringify([driver.id, id, manufacturer, model]);

  const ask = async (scanner: KnownDevice): Promise<Capabilities> => {
    const { name } = scanner;
    const open = openScanner.current;
    if (isScanning() || (openScanner.state !== 'open' && openScanner.state !== 'closed')) {
      throw new ScanError('busy', `${open?.known.name ?? 'A scanner'} is in use. Ask for ${name} again later.`);
    }
    return callWithin(clock, ASK_DEADLINE_MS, `asking ${name} for its capabilities`, async call => {
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
    offered: async scanner =>
      offeredCapabilities(scanner.device, await remembered(scanner), registry, parts.listsOcrLanguages || undefined),
    sources: async scanner => sourceDetails(await remembered(scanner), registry),
    raw: open => remembered(open.known),
    learn: (scanner, capabilities) => void known.set(keyOf(scanner), capabilities),
    async quiet() {
      while (asked.size > 0) await Promise.allSettled(asked.values());
    },
  };
}
