/** A scanner's capabilities: from the cache, from its open session, or from a temporary session. */
import type { Capabilities, Driver } from '../contract/driver.js';
import { ScanError } from '../contract/errors.js';
import { offeredCapabilities, type OfferedCapabilities } from '../registry/capabilities.js';
import type { Devices, KnownDevice } from '../devices/devices.js';
import type { Registry } from '../registry/registry.js';
import { sourceDetails } from '../registry/sourceDetails.js';
import type { Clock } from '../time/clock.js';
import { callWithin } from '../time/deadline.js';
import type { Lane, Lanes } from './lanes.js';
import { isSame, openDevice, type OpenDevice } from './openDevice.js';
import { ASK_DEADLINE_MS } from './scanRun.js';

export interface CapabilityCacheParts {
  readonly clock: Clock;
  readonly devices: Devices;
  readonly registry: Registry;
  readonly lanes: Lanes;
  /** Every scanner's capabilities list the OCR languages; otherwise, those whose driver says so. */
  readonly listsOcrLanguages?: boolean | undefined;
}

export interface CapabilityCache {
  /**
   * Includes what the plugins add.
   * @throws `busy` if the device must be asked, and is scanned with, opened or closed, or another one of its lane is open
   */
  offered(known: KnownDevice): Promise<OfferedCapabilities>;
  /** What a request can control on each source. @throws as `offered` */
  sources(known: KnownDevice): Promise<ReturnType<typeof sourceDetails>>;
  /** What the driver reports for the open scanner. */
  raw(open: OpenDevice): Promise<Capabilities>;
  /** Caches what a scan learned. */
  learn(known: KnownDevice, capabilities: Capabilities): void;
  /** Resolves when no temporary session is open in this lane; never rejects. */
  quiet(lane: Lane): Promise<void>;
  /** Forgets the scanners of this driver; resolves when no temporary session of it is open; never rejects. */
  forget(driver: Driver): Promise<void>;
}

export function createCapabilityCache(parts: CapabilityCacheParts): CapabilityCache {
  const { clock, registry, lanes } = parts;
  const known = new Map<string, Capabilities>();
  /** Pending questions: concurrent callers share one answer. */
  const asked = new Map<string, { readonly lane: Lane; readonly answer: Promise<Capabilities> }>();
  // A USB address can be reused by the next device that is plugged in.
  const keyOf = ({ driver, device: { id, manufacturer, model } }: KnownDevice): string =>
    JSON.stringify([driver.id, id, manufacturer, model]);

  const pendingIn = (lane: Lane): Promise<Capabilities>[] =>
    [...asked.values()].filter(each => each.lane === lane).map(({ answer }) => answer);

  const quiet = async (lane: Lane): Promise<void> => {
    for (let answers = pendingIn(lane); answers.length > 0; answers = pendingIn(lane))
      await Promise.allSettled(answers);
  };

  const ask = async (scanner: KnownDevice, { user, scanner: its }: Lane): Promise<Capabilities> => {
    const { name } = scanner;
    const open = its.current;
    const isOpen = open !== undefined && isSame(open.known, scanner);
    const isInUse = user?.kind === 'scan' || (its.state !== 'open' && its.state !== 'closed');
    // Auto-scan may be about to open it again.
    if (isInUse || ((open ?? user) && !isOpen))
      throw new ScanError('busy', `${open?.known.name ?? name} is in use. Ask for ${name} again later.`);
    return callWithin(clock, ASK_DEADLINE_MS, `asking ${name} for its capabilities`, async call => {
      if (isOpen) return open.session.capabilities(call);
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
    const before = known.get(key) ?? asked.get(key)?.answer;
    if (before) return before;
    const lane = lanes.of(scanner);
    // A library that holds one device at a time is asked about one at a time.
    if (scanner.device.traits?.oneAtATime && pendingIn(lane).length > 0) {
      await quiet(lane);
      return remembered(scanner);
    }
    const answer = ask(scanner, lane).finally(() => asked.delete(key));
    asked.set(key, { lane, answer });
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
    quiet,
    async forget(driver) {
      const isIts = (key: string): boolean => (JSON.parse(key) as readonly unknown[])[0] === driver.id;
      const its = [...asked].filter(([key]) => isIts(key));
      await Promise.allSettled(its.map(([, { answer }]) => answer));
      for (const key of known.keys()) if (isIts(key)) known.delete(key);
    },
  };
}
