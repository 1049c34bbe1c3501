/** Lists the computer's scanners for a command that has just started: it waits for slow drivers. */
import { codeOf, ScanError, type Clock, type KnownDevice, type ScanService } from '@platen/core';
import { ConfigError } from '../../config/error.js';
import { printable } from '../../printable.js';

/** How long to wait for a connection to the desktop application. */
const LINK_WAIT_MS = 10_000;
const LINK_POLL_MS = 250;

type Looker = Pick<ScanService, 'look'>;

/**
 * @param enough ends the wait for slow drivers early
 * @throws `not-connected` if the desktop application is not there
 */
export async function allScanners(
  scans: Looker,
  clock: Clock,
  enough?: (found: readonly KnownDevice[]) => boolean,
): Promise<readonly KnownDevice[]> {
  const until = clock.monotonic() + LINK_WAIT_MS;
  for (;;) {
    try {
      return await scans.look(enough);
    } catch (error) {
      if (codeOf(error) !== 'not-connected' || clock.monotonic() >= until) throw error;
      await new Promise<void>(resolve => clock.after(LINK_POLL_MS, resolve));
    }
  }
}

/** The scanner of that name; without a name, the only one. */
export async function chooseScanner(name: string | undefined, scans: Looker, clock: Clock): Promise<string> {
  const found = await allScanners(
    scans,
    clock,
    all => name !== undefined && all.some(each => each.name === name && !each.remembered),
  );
  if (name !== undefined) return name;
  const [only, ...others] = found;
  if (!only) throw new ScanError('device-not-found', 'No scanner found. Connect one, or install its driver.');
  if (others.length > 0)
    throw new ConfigError(
      `--scanner takes a scanner's name, one of ${found.map(each => `"${printable(each.name)}"`).join(', ')}.`,
      { code: 'usage' },
    );
  return only.name;
}

/** A line of `platen scan --list`: columns separated by tabs. */
export function scannerLine({ name, device }: KnownDevice): string {
  const { manufacturer, model, feeder, flatbed, duplex, online } = device;
  const parts = [feeder && 'feeder', flatbed && 'flatbed', duplex && 'duplex'].filter(part => part !== false);
  return [name, `${manufacturer} ${model}`.trim(), parts.join(', '), online ? 'online' : 'offline']
    .map(printable)
    .join('\t');
}
