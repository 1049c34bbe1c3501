/** Lists the computer's scanners for a command that has just started: it waits for slow drivers. */
import { codeOf, ScanError, type Clock } from '@platen/core';
import { ConfigError } from '../../machine/configError.js';
import { printable } from '../../machine/printable.js';
import type { ListedScanner, ScanBackend } from './backend.js';

/** How long to wait for a connection to the desktop application. */
const LINK_WAIT_MS = 10_000;
const LINK_POLL_MS = 250;

type Looker = Pick<ScanBackend, 'look'>;

/**
 * @param name ends the wait for slow drivers when this scanner is found
 * @throws `not-connected` if the desktop application is not there
 */
export async function allScanners(scans: Looker, clock: Clock, name?: string): Promise<readonly ListedScanner[]> {
  const until = clock.monotonic() + LINK_WAIT_MS;
  for (;;) {
    try {
      return await scans.look(name);
    } catch (error) {
      if (codeOf(error) !== 'not-connected' || clock.monotonic() >= until) throw error;
      await new Promise<void>(resolve => clock.after(LINK_POLL_MS, resolve));
    }
  }
}

/** The scanner of that name; without a name, the only one. */
export async function chooseScanner(name: string | undefined, scans: Looker, clock: Clock): Promise<string> {
  const found = await allScanners(scans, clock, name);
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
export function scannerLine(scanner: ListedScanner): string {
  const { name, manufacturer, model, hasFeeder, hasFlatbed, supportsDuplex, isOnline } = scanner;
  const parts = [hasFeeder && 'feeder', hasFlatbed && 'flatbed', supportsDuplex && 'duplex'];
  return [
    name,
    `${manufacturer} ${model}`.trim(),
    parts.filter(part => part !== false).join(', '),
    isOnline ? 'online' : 'offline',
  ]
    .map(printable)
    .join('\t');
}
