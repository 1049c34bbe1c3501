/** The body of a request to scan: checked, in the interface's spelling, and as core's request. */
import type { ScanNote, ScanRequest } from '@platen/core';
import type { FastifyRequest } from 'fastify';
import { additions, optionsFromStart, Parameters, StartParameters } from '../parameters/scanParameters.js';
import { withProfile } from '../parameters/profiles.js';
import { EnableBody, ScanBody, StartBody } from './schemas.js';
import type { RouteParts } from '../routeParts.js';
import { besideNotes, ignoring, spelt, type Shape } from '../parameters/validation.js';

/** The notes on a body, from its reading to its handler. */
const notes = new WeakMap<object, readonly ScanNote[]>();

/** Notes on what of the body was ignored. */
export const notesOn = (body: object): readonly ScanNote[] => notes.get(body) ?? [];

/** @param clean removes what is ignored @returns a hook that reads the body, before validation */
function reading<Body extends object>(
  schema: Shape,
  parameters: Shape,
  clean: (body: Body & { readonly parameters?: unknown }) => readonly ScanNote[],
): (request: FastifyRequest) => Promise<void> {
  return async request => {
    const body = spelt<Body>(schema, request.body);
    const found = [...besideNotes(request.body, schema, parameters, 'parameters'), ...clean(body)];
    if (found.length > 0) notes.set(body, found);
    request.body = body;
  };
}

const cleanParameters = ignoring(additions);
const cleanScan = ignoring({ requestId: ScanBody.properties.requestId });
const { parameters: _interfaces, ...enableAdditions } = EnableBody.properties;
const cleanEnable = ignoring(enableAdditions);

export const readScanBody = reading<ScanBody>(ScanBody, Parameters, body => [
  ...cleanScan(body),
  ...cleanParameters(body.parameters),
]);
export const readEnableBody = reading<EnableBody>(EnableBody, Parameters, body => [
  ...cleanEnable(body),
  ...cleanParameters(body.parameters),
]);
/** An addition, whose clients know its fields: nothing of it is ignored. */
export const readStartBody = reading<StartBody>(StartBody, StartParameters, () => []);

/**
 * @param body checked, and in the interface's spelling
 * @throws `InvalidValue` for fields that do not belong together, and for words that no loaded plugin has
 */
export function scanRequestOf(
  body: StartBody,
  { profiles, registry }: Pick<RouteParts, 'profiles' | 'registry'>,
): ScanRequest {
  const { scannerName, parameters, requestId } = body;
  const options = optionsFromStart(withProfile(parameters, profiles), registry);
  const given = notesOn(body);
  return {
    scannerName,
    options,
    ...(requestId === undefined ? {} : { requestId }),
    ...(given.length > 0 ? { notes: given } : {}),
  };
}

/** The same text for bodies that mean the same: without the order of their fields. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}
