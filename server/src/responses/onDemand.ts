/** An on-demand scan behind a route: collects the pages while the client waits, and releases them when it is gone. */
import { keepOnShelf, ScanError, type ErrorCode, type ScanRequest, type ShelvedPage } from '@platen/core';
import type { FastifyReply } from 'fastify';
import { errorHeader, errorHeaderOf } from '../http/errorHeader.js';
import { isFailure, statusOf } from '../http/errors.js';
import type { Clients } from './clients.js';
import { collect, type Collected } from './collect.js';
import { scanResult } from './jsonResult.js';
import { lengthOf, type Piece } from './pieces.js';
import { send } from './send.js';
import type { Services } from '../services.js';

export interface Scanned {
  readonly collected: Collected;
  readonly result: Piece[];
}

/** @throws a rejected request, before any page */
export async function scanOnDemand(request: ScanRequest, reply: FastifyReply, services: Services): Promise<Scanned> {
  const { scans, spool, clock, log, progress, clients } = services;
  const startedAt = clock.monotonic();
  clients.assertRead();
  if (request.requestId !== undefined) void reply.header('x-request-id', request.requestId);
  const shelf = spool.shelf();
  const pages: ShelvedPage[] = [];
  const run = scans.scan(request, { keep: keepOnShelf(shelf, pages) });
  const endProgress = progress.begin(request.requestId, pages);
  let gone = false;
  reply.raw.once('close', () => {
    gone = true;
    run.end(new ScanError('cancelled', 'The client disconnected.'));
    void shelf.clear();
  });
  const collected = await collect(run, pages, request.options.report).finally(endProgress);
  if (gone) await shelf.clear();
  else clients.owe(reply.raw);
  if (collected.code !== undefined)
    log.warn(`A scan on ${request.scannerName} ended with ${collected.code}: ${String(collected.cause)}`);
  return { collected, result: scanResult(collected, clock.monotonic() - startedAt, services.forPages) };
}

/**
 * Sends the pieces as one JSON answer that is not to be stored. If it cannot finish, it is broken off: its status was
 * sent.
 */
export function sendPieces(
  reply: FastifyReply,
  code: ErrorCode | undefined,
  pieces: readonly Piece[],
  clients: Clients,
): FastifyReply {
  const status = statusOf(code);
  if (code !== undefined && isFailure(status)) void reply.header(errorHeader, errorHeaderOf(code));
  reply
    .code(status)
    .headers({ 'content-length': lengthOf(pieces), 'cache-control': 'no-store' })
    .type('application/json; charset=utf-8');
  void send(reply, pieces, clients);
  return reply;
}
