/** Options of fastify and Node's server with which Platen words every error, even for input that is not HTTP, and logs requests. */
import type { ServerOptions } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { SchemaError } from '@platen/core';
import { LogController, type FastifyReply, type FastifyRequest } from 'fastify';
import { lazyCompilers } from './compilers.js';
import { invalidValueOf } from '../parameters/validation.js';
import { bodyLimit, failure, isAnswered, pathOf } from './answers/errorAnswer.js';
import { errorHeader, errorHeaderOf } from './answers/errorHeader.js';
import { logLevelOf, statusLine, type HttpCode } from './errors.js';

/** A request that takes longer to arrive is rejected. */
const ARRIVAL_MS = 60_000;

/** One line per request, when it is answered, without query, headers or body. */
class RequestLog extends LogController {
  override incomingRequest(): void {}

  override routeNotFound(): void {}

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const line = `${request.method} ${pathOf(request)} ${reply.statusCode} ${Math.round(reply.elapsedTime)} ms`;
    if (error) request.log.warn(`${line}, broken off: ${error.message}`);
    else request.log[logLevelOf(reply.statusCode)](line);
  }
}

/** @param tls absent: plain HTTP, for a private socket and for tests that inject requests */
export function httpServerOptions(tls?: Pick<ServerOptions, 'key' | 'cert'>) {
  // The host guard rejects a missing Host, with Platen's error body.
  const node: { https?: ServerOptions; http?: ServerOptions } = tls
    ? { https: { ...tls, requireHostHeader: false } }
    : { http: { requireHostHeader: false } };
  return {
    ...node,
    bodyLimit,
    requestTimeout: ARRIVAL_MS,
    // Of errors, 503 means only "not connected"; while closing, requests are answered and their connections closed.
    return503OnClosing: false,
    // Longer than any URL that Node accepts: a long name is an unknown scanner, not a separate error.
    routerOptions: { maxParamLength: 16 * 1024 },
    rewriteUrl,
    clientErrorHandler,
    logController: new RequestLog(),
    schemaController: { compilersFactory: lazyCompilers() },
    schemaErrorFormatter: (errors: readonly SchemaError[]) => invalidValueOf(errors),
  };
}

/** How long a rejected client may take to read the answer. */
const REFUSED_MS = 1000;

/** Takes a path with invalid percent-encoding literally, so that it passes every guard like any other. */
function rewriteUrl(request: IncomingMessage): string {
  const url = request.url ?? '/';
  const end = url.search(/[?#]/);
  const path = end < 0 ? url : url.slice(0, end);
  return decodes(path) ? url : path.replaceAll('%', '%25') + url.slice(path.length);
}

function decodes(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

const byNode: Readonly<Record<string, { code: HttpCode; error: string }>> = {
  HPE_HEADER_OVERFLOW: { code: 'headers-too-large', error: "The request's headers are too large." },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'request-timeout',
    error: `The request did not arrive within ${ARRIVAL_MS / 1000} s.`,
  },
};

/** Answers input that cannot be read as HTTP, once. */
export function clientErrorHandler(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(isAnswered(socket) ? '' : refusal(error.code));
  // A paused connection would never notice the client's end, and a client that stays would delay the service's end.
  socket.resume();
  setTimeout(() => socket.destroy(), REFUSED_MS).unref();
}

function refusal(nodeCode = ''): string {
  const { code, error } = byNode[nodeCode] ?? { code: 'bad-request' as const, error: 'The request is not valid HTTP.' };
  const body = JSON.stringify(failure(error));
  const head = [
    statusLine(code),
    'Content-Type: application/json; charset=utf-8',
    `${errorHeader}: ${errorHeaderOf({ code })}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
