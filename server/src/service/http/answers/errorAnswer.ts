/**
 * Answers every failure with the interface's error body, `{success: false, error}`, whether Platen, fastify or Node
 * found it.
 */
import { codeOf, messageOf, type ErrorCode } from '@platen/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ForPages } from './forPages.js';
import { errorHeader, errorHeaderOf, factsOf, isAddition, type FailureFacts } from './errorHeader.js';
import { httpCodeOf, isRefusal, statusOf, type HttpCode } from '../errors.js';

export const bodyLimit = 64 * 1024;

export interface Failure {
  readonly success: false;
  readonly error: string;
}
export const failure = (error: string): Failure => ({ success: false, error });

/** Fastify's codes, and Platen's code and message for each. */
const byFastify: Readonly<Record<string, { code: HttpCode; error: string }>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'wrong-content-type',
    error: 'The request\'s body is not JSON. Send JSON with the header "Content-Type: application/json".',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'bad-request',
    error: "The length of the request's body differs from its Content-Length.",
  },
};

interface Answer {
  readonly code: ErrorCode | HttpCode;
  readonly error: string;
}

/**
 * What a client learns of a thrown error. Unknown errors are not quoted: they may contain file names or personal data.
 * @param limit bytes of the route's bodies
 */
export function answerOf(thrown: unknown, limit = bodyLimit): Answer {
  const known = codeOf(thrown) ?? httpCodeOf(thrown);
  if (known !== undefined && known !== 'internal') return { code: known, error: messageOf(thrown) };
  const { code, statusCode } = (thrown ?? {}) as { code?: unknown; statusCode?: number };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return { code: 'body-too-large', error: `The request's body is too large. The limit is ${limit / 1024} KiB.` };
  const reshaped = typeof code === 'string' && Object.hasOwn(byFastify, code) ? byFastify[code] : undefined;
  if (reshaped) return reshaped;
  if (isRefusal(statusCode)) return { code: 'bad-request', error: 'The service does not understand the request.' };
  return { code: 'internal', error: "The service failed to handle the request. See the service's log." };
}

function onError(thrown: unknown, request: FastifyRequest, reply: FastifyReply, forPages: ForPages): void {
  const { code, error } = answerOf(thrown, request.routeOptions.bodyLimit);
  // The client disconnected while it sent: nobody reads the answer, and the service did not fail.
  if (request.raw.destroyed && !request.raw.complete)
    request.log.debug(`${request.method} ${pathOf(request)}: the client disconnected before its body was complete`);
  else if (code === 'internal') request.log.error({ err: thrown }, `${request.method} ${pathOf(request)} failed`);
  else if (!isRefusal(statusOf(code)))
    request.log.warn(`${request.method} ${pathOf(request)}: ${code}: ${messageOf(thrown)}`);
  // Fastify would close the connection, and a client that sends everything before it reads would get a reset, not the
  // answer.
  if (code === 'body-too-large' || code === 'wrong-content-type') reply.removeHeader('connection');
  const facts = factsOf(code, thrown, forPages);
  void reply
    .code(statusOf(code))
    .header(errorHeader, errorHeaderOf(facts))
    .type('application/json; charset=utf-8')
    .send(bodyOf(request, forPages(error), facts));
}

/** Text, where the route's schema of an error would drop the code. */
function bodyOf({ originalUrl }: FastifyRequest, error: string, facts: FailureFacts): Failure | string {
  const body = failure(error);
  // The sentence says what a field accepts.
  const { accepts: _, ...coded } = facts;
  return isAddition(originalUrl) ? JSON.stringify({ ...body, ...coded }) : body;
}

function onNotFound(request: FastifyRequest, reply: FastifyReply): void {
  const facts = { code: 'unknown-path' } as const;
  void reply
    .code(statusOf(facts.code))
    .header(errorHeader, errorHeaderOf(facts))
    .type('application/json; charset=utf-8')
    .send(bodyOf(request, `There is no ${request.method} ${pathOf(request)}.`, facts));
}

/** The path without its query, safe to quote. */
export function pathOf(request: { readonly originalUrl: string }): string {
  const path = request.originalUrl.split('?', 1)[0] ?? '';
  const plain = path.replace(/[^\x21-\x7e]/g, '?');
  return plain.length > 200 ? `${plain.slice(0, 200)}…` : plain;
}

/** The answer to the last request of a connection. */
const lastAnswers = new WeakMap<Socket, ServerResponse>();

/**
 * Whether an answer to bytes that cannot be read would be a second one: the request that they belong to was answered
 * before its body was complete, or the answer before it is still being made or sent.
 */
export function isAnswered(socket: Socket): boolean {
  const answer = lastAnswers.get(socket);
  return answer !== undefined && (answer.req.complete ? !answer.writableFinished : answer.headersSent);
}

export const errorAnswer = fastifyPlugin<{ readonly forPages: ForPages }>(
  async (app, { forPages }) => {
    app.setErrorHandler((thrown, request, reply) => onError(thrown, request, reply, forPages));
    app.setNotFoundHandler(onNotFound);
    app.addHook('onRequest', (request, reply, done) => {
      lastAnswers.set(request.raw.socket, reply.raw);
      done();
    });
  },
  { name: 'errorAnswer', fastify: '5.x' },
);
