/** The scanners of this computer for a command that has only just started: slow drivers are waited for. */
import { codeOf, LIST_DEADLINE_MS, ScanError, type Clock, type KnownDevice, type Scanner } from '@platen/core';
import { ConfigError } from '../../config/error.js';

/** A driver may take thirty seconds to look around; a listing comes back after three. */
const LISTINGS = 10;
/** How long the program that owns the scanners may take to be found. */
const LINK_WAIT_MS = 10_000;
const LINK_POLL_MS = 250;

type Lister = Pick<Scanner, 'list'>;

/**
 * @param enough ends the wait for slow drivers early
 * @throws `not-connected` where the program that owns the scanners is not there
 */
export async function allScanners(scanner: Lister, clock: Clock, enough: (found: readonly KnownDevice[]) => boolean = () => false): Promise<readonly KnownDevice[]> {
  for (let listing = 1; ; listing += 1) {
    const startedAt = clock.now();
    const found = await onceConnected(scanner, clock);
    // A listing that took all its time had a driver to wait for.
    const complete = clock.now() - startedAt < LIST_DEADLINE_MS;
    if (complete || listing === LISTINGS || enough(found)) return found;
  }
}

async function onceConnected(scanner: Lister, clock: Clock): Promise<readonly KnownDevice[]> {
  const until = clock.now() + LINK_WAIT_MS;
  for (;;) {
    try {
      return await scanner.list();
    } catch (error) {
      if (codeOf(error) !== 'not-connected' || clock.now() >= until) throw error;
      await new Promise<void>(resolve => clock.after(LINK_POLL_MS, resolve));
    }
  }
}

/** The scanner that was asked for; the only one there is where none was. */
export async function chooseScanner(name: string | undefined, scanner: Lister, clock: Clock): Promise<string> {
  const found = await allScanners(scanner, clock, all => name !== undefined && all.some(each => each.name === name));
  if (name !== undefined) return name;
  const [only, ...others] = found;
  if (!only) throw new ScanError('device-not-found', 'This computer has no scanner: connect one, or install its driver.');
  if (others.length > 0) throw new ConfigError(`--scanner takes the name of one of the scanners: ${found.map(each => `"${each.name}"`).join(', ')}.`, { code: 'usage' });
  return only.name;
}

/** A line of `platen scan --list`, its columns apart by tabs. */
export function scannerLine({ name, device }: KnownDevice): string {
  const { manufacturer, model, feeder, flatbed, duplex, online } = device;
  const parts = [feeder && 'feeder', flatbed && 'flatbed', duplex && 'duplex'].filter(part => part !== false);
  return [name, `${manufacturer} ${model}`.trim(), parts.join(', '), online ? 'online' : 'offline'].join('\t');
}
