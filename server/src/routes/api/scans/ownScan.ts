/** The scan that a path names, if it is the caller's. */
import type { KeptScan, KeptScans } from '@platen/core';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { HttpError } from '../../../http/errors.js';
import { originOf } from '../../../http/ownPage.js';

export const ScanPath = Type.Object({ id: Type.String({ minLength: 1, description: "the scan's id" }) });

/** The same for a scan of another owner and for one that does not exist. */
export const noSuchScan = (): HttpError =>
  new HttpError('scan-not-found', 'There is no scan with this id. It was deleted, or it was kept long enough.');

/** @throws HttpError `scan-not-found` */
export function ownScan(request: FastifyRequest, kept: KeptScans): KeptScan {
  const { id } = request.params as Type.Static<typeof ScanPath>;
  const scan = kept.find(originOf(request), id);
  if (!scan) throw noSuchScan();
  return scan;
}
