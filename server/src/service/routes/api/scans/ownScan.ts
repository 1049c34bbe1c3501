/** The scan that a path names, if it is the caller's; and the refusal of one that never began. */
import { finished } from 'node:stream';
import { codeOf, ScanError, type KeptScan, type KeptScans } from '@platen/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from '../../../../machine/schemaType.js';
import { HttpError } from '../../../http/errors.js';
import { originOf } from '../../../http/guards/ownPage.js';

export const ScanPath = Type.Object({ id: Type.String({ minLength: 1, description: "the scan's id" }) });

/**
 * The same for a scan of another owner and for one that does not exist.
 * @param which where the request names it
 */
export const noSuchScan = (which = 'this id'): HttpError =>
  new HttpError(
    'scan-not-found',
    `You have no scan with ${which}. Perhaps it was deleted, was kept long enough, or belongs to another origin.`,
  );

/** @throws HttpError `scan-not-found` */
export function ownScan(request: FastifyRequest, kept: KeptScans): KeptScan {
  const { id } = request.params as Type.Static<typeof ScanPath>;
  const scan = kept.find(originOf(request), id);
  if (!scan) throw noSuchScan();
  return scan;
}

/**
 * The same, for a caller that follows it: until the answer is sent, and a moment more, its scan keeps its place in line.
 * @throws HttpError `scan-not-found`
 */
export function attendedScan(request: FastifyRequest, reply: FastifyReply, kept: KeptScans): KeptScan {
  const scan = ownScan(request, kept);
  finished(reply.raw, kept.attend(scan));
  return scan;
}

/** Whether a scan is still the caller's. */
export function keptFor(request: FastifyRequest, kept: KeptScans): (scan: KeptScan) => boolean {
  const origin = originOf(request);
  return scan => kept.find(origin, scan.id) === scan;
}

/**
 * A scan that was cancelled before paper moved was refused: there is nothing to answer with success.
 * @throws what the start throws, `busy` if it was cancelled
 */
export async function unlessCancelled<T>(started: Promise<T>): Promise<T> {
  return started.catch((error: unknown) => {
    if (codeOf(error) !== 'cancelled') throw error;
    throw new ScanError('busy', 'The scan was cancelled before paper moved. Start it again.', { cause: error });
  });
}
