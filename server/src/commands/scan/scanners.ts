/** Lists the computer's scanners for a command that has just started: it waits for slow drivers. */
import type { Scanner } from '@platen/client';
import { codeOf, ScanError, type Clock } from '@platen/core';
import { ConfigError } from '../../machine/configError.js';
import { printable } from '../../machine/printable.js';
import type { ReachedService } from './reachedService.js';
import { failureIn } from './scanRun.js';

/** How long to wait for the desktop application, and for a service that restarts. */
const WAIT_MS = 10_000;
const POLL_MS = 250;

type Looker = Pick<ReachedService, 'looked'> & { readonly client: Pick<ReachedService['client'], 'listScanners'> };

/** @throws `not-connected` if the desktop application is not there */
export function allScanners(service: Looker, clock: Clock): Promise<readonly Scanner[]> {
  return patiently(clock, async () => {
    await service.looked();
    return service.client.listScanners({ details: true });
  });
}

/** The scanner of that name, which the scan checks; without a name, the only one. */
export async function chooseScanner(name: string | undefined, service: Looker, clock: Clock): Promise<string> {
  if (name !== undefined) {
    await patiently(clock, () => service.looked(name));
    return name;
  }
  const found = await allScanners(service, clock);
  const [only, ...others] = found;
  if (!only) throw new ScanError('device-not-found', 'No scanner found. Connect one, or install its driver.');
  if (others.length > 0)
    throw new ConfigError(
      `--scanner takes a scanner's name, one of ${found.map(each => `"${printable(each.name)}"`).join(', ')}.`,
      { code: 'usage' },
    );
  return only.name;
}

async function patiently<T>(clock: Clock, look: () => Promise<T>): Promise<T> {
  const until = clock.monotonic() + WAIT_MS;
  for (;;) {
    try {
      return await look();
    } catch (thrown) {
      const error = failureIn(thrown);
      const mayCome = ['not-connected', 'service-ended'].includes(codeOf(error) ?? '');
      if (!mayCome || clock.monotonic() >= until) throw error;
      await new Promise<void>(resolve => clock.after(POLL_MS, resolve));
    }
  }
}

/** The command's own are those of all local programs. */
const inUseWords = { own: 'in use by a local program', other: 'in use' } as const;

/** A line of `platen scan --list`: columns separated by tabs. */
export function scannerLine(scanner: Scanner): string {
  const { name, manufacturer, model, hasFeeder, hasFlatbed, supportsDuplex, isOnline, inUse } = scanner;
  const parts = [hasFeeder && 'feeder', hasFlatbed && 'flatbed', supportsDuplex && 'duplex'];
  return [
    name,
    `${manufacturer} ${model}`.trim(),
    parts.filter(part => part !== false).join(', '),
    isOnline ? (inUse ? inUseWords[inUse] : 'online') : 'offline',
  ]
    .map(printable)
    .join('\t');
}
