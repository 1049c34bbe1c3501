/** The body of a request to scan: checked, in the interface's spelling, and as core's request. */
import type { ScanRequest } from '@platen/core';
import type { FastifyRequest } from 'fastify';
import { optionsFromStart } from './parameters.js';
import { withProfile } from './profiles.js';
import { ScanBody, StartBody } from './schemas.js';
import type { Services } from '../../services.js';
import { spelt } from './validation.js';

/** Before validation. */
export async function spellScanBody(request: FastifyRequest): Promise<void> {
  request.body = spelt<ScanBody>(ScanBody, request.body);
}

/** Before validation. */
export async function spellStartBody(request: FastifyRequest): Promise<void> {
  request.body = spelt<StartBody>(StartBody, request.body);
}

/**
 * @param body checked, and in the interface's spelling
 * @throws `InvalidValue` for fields that do not belong together, and for words that no loaded plugin has
 */
export function scanRequestOf(
  { scannerName, parameters, requestId }: StartBody,
  { profiles, registry }: Pick<Services, 'profiles' | 'registry'>,
): ScanRequest {
  const options = optionsFromStart(withProfile(parameters, profiles), registry);
  return { scannerName, options, ...(requestId === undefined ? {} : { requestId }) };
}

/** The same text for bodies that mean the same: without the order of their fields. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}
