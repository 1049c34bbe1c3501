/** What a page may do with a scanner, where its grant is for some of them. */
import type { KeptScan, ScannerStatus } from '@platen/core';
import type { FastifyRequest } from 'fastify';
import type { Consent } from '../../consent/consent.js';
import { includesScanner, type Right } from '../../consent/grant.js';
import type { RouteParts } from '../../routeParts.js';
import { assertAllowed, callerOf } from './consentGuard.js';

/** @returns whether the caller may use a scanner, by its name */
export function usableBy(request: FastifyRequest, consent: Consent): (name: string) => boolean {
  const scanners = consent.scannersOf(callerOf(request));
  return name => includesScanner(scanners, name);
}

interface Wanted {
  readonly scannerName: string;
  readonly parameters?: { readonly driverOptions?: object | undefined } | undefined;
}

/** Call it before a scan. @throws ConsentError */
export function assertScan(
  request: FastifyRequest,
  { consent }: RouteParts,
  { scannerName, parameters }: Wanted,
): void {
  assertAllowed(request, consent, 'scan', [scannerName]);
  assertSettings(request, consent, parameters);
}

/** The options of a profile are the administrator's; those of the request need the right to settings. @throws ConsentError */
export function assertSettings(request: FastifyRequest, consent: Consent, parameters: Wanted['parameters']): void {
  if (Object.keys(parameters?.driverOptions ?? {}).length > 0) assertAllowed(request, consent, 'settings');
}

/** @returns the name of the open scanner, if one is open. @throws ConsentError */
export function assertOpenScanner(
  request: FastifyRequest,
  { scans, consent }: RouteParts,
  right: Right,
): string | undefined {
  const name = scans.openNow();
  if (name !== undefined) assertAllowed(request, consent, right, [name]);
  return name;
}

/** Tells nothing about the paper in a scanner that the caller may not use. */
export async function statusFor(request: FastifyRequest, { scans, consent }: RouteParts): Promise<ScannerStatus> {
  const name = scans.openNow();
  const status = await scans.status();
  return name === undefined || usableBy(request, consent)(name) ? status : { ...status, isPaperLoaded: false };
}

/** Cancels the scan if its page may no longer scan; its pages are kept. */
export function holdScan(request: FastifyRequest, scan: KeptScan, { consent }: RouteParts): void {
  const caller = callerOf(request);
  const { scannerName: scanner } = scan;
  consent.used(caller, 'scan', scanner);
  consent.holds.hold({
    caller,
    right: 'scan',
    scanner,
    isOver: () => scan.state !== 'running',
    stop: () => scan.cancel(),
  });
}
