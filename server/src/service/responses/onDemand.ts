/** An on-demand scan behind a route: collects the pages while the client waits, and lets them go when it has them. */
import { ScanError, type ErrorCode, type ScanRequest } from '@platen/core';
import type { FastifyReply } from 'fastify';
import { callerOf } from '../http/guards/consentGuard.js';
import { errorHeader, errorHeaderOf } from '../http/answers/errorHeader.js';
import { isFailure, statusOf } from '../http/errors.js';
import { originOf } from '../http/guards/ownPage.js';
import type { Clients } from './clients.js';
import { collect, type Collected } from './collect.js';
import { scanResult } from './jsonResult.js';
import { lengthOf, type Piece } from './pieces.js';
import { isReceived, send } from './send.js';
import type { RouteParts } from '../routeParts.js';

export interface Scanned {
  readonly collected: Collected;
  readonly result: Piece[];
  /** Call it when the answer was sent. @param isSent whether the system has taken all of it */
  end(isSent: boolean): Promise<void>;
}

/** @throws a rejected request, before any page */
export async function scanOnDemand(request: ScanRequest, reply: FastifyReply, parts: RouteParts): Promise<Scanned> {
  const { kept, clock, log, clients, forPages, consent } = parts;
  const startedAt = clock.monotonic();
  clients.assertRead();
  if (request.requestId !== undefined) void reply.header('x-request-id', request.requestId);
  const { run, pages, end: endScan } = kept.collect({ origin: originOf(reply.request), request });
  const { socket } = reply.request.raw;
  const end = async (isSent: boolean): Promise<void> => endScan(isSent && (await isReceived(socket, clock)));
  const caller = callerOf(reply.request);
  const { scannerName } = request;
  // The name is the client's own words until there is such a scanner.
  void run.located.then(isLocated => isLocated && consent.used(caller, 'scan', scannerName));
  const stop = (): void => run.end(new ScanError('cancelled', 'The web page may no longer scan.'));
  reply.raw.once('close', consent.holds.hold({ caller, right: 'scan', scanner: scannerName, stop }));
  reply.raw.once('close', () => run.end(new ScanError('cancelled', 'The client disconnected.')));
  try {
    const collected = await collect(run, pages, request.options.report);
    clients.owe(reply.raw);
    if (collected.code !== undefined)
      log.warn(`A scan on ${request.scannerName} ended with ${collected.code}: ${String(collected.cause)}`);
    return { collected, result: scanResult(collected, clock.monotonic() - startedAt, forPages), end };
  } catch (error) {
    await end(false);
    throw error;
  }
}

/**
 * Sends the pieces as one JSON answer that is not to be stored.
 * @param end is called when the answer was sent or broken off
 */
export function sendPieces(
  reply: FastifyReply,
  code: ErrorCode | undefined,
  pieces: readonly Piece[],
  clients: Clients,
  end?: Scanned['end'],
): FastifyReply {
  const status = statusOf(code);
  if (code !== undefined && isFailure(status)) void reply.header(errorHeader, errorHeaderOf({ code }));
  reply
    .code(status)
    .headers({ 'content-length': lengthOf(pieces), 'cache-control': 'no-store' })
    .type('application/json; charset=utf-8');
  void send(reply, pieces, clients).then(end);
  return reply;
}
