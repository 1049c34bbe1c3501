/** The request log: one line per request, when it is answered, without query, headers or body. */
import { LogController, type FastifyReply, type FastifyRequest } from 'fastify';
import { pathOf } from './answers/errorAnswer.js';
import { logLevelOf } from './errors.js';

export class RequestLog extends LogController {
  override incomingRequest(): void {}

  override routeNotFound(): void {}

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const line = `${request.method} ${pathOf(request)} ${reply.statusCode} ${Math.round(reply.elapsedTime)} ms`;
    if (error) request.log.warn(`${line}, broken off: ${error.message}`);
    else request.log[logLevelOf(reply.statusCode)](line);
  }
}
