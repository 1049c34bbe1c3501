/** Reads request bodies: JSON or nothing. An empty body counts as absent, whatever its content type. */
import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { JsonError, parseJson } from '../../../machine/json.js';
import { HttpError } from '../errors.js';

/** The error that fastify throws for a content type without a parser. */
const wrongType = (): Error =>
  Object.assign(new Error('wrong content type'), { code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE' });

const invalidJson = ({ message, characterOffset }: JsonError): HttpError & { readonly characterOffset: number } =>
  Object.assign(new HttpError('invalid-json', `The request's body is not valid JSON: ${message}.`), {
    characterOffset,
  });

/** Rejects a body with an `HttpError`; `invalid-json` also has a `characterOffset`. */
export const emptyBody = fastifyPlugin(
  async app => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
      const text = String(body);
      if (text.trim() === '') return done(null, undefined);
      try {
        done(null, parseJson(text));
      } catch (error) {
        done(error instanceof JsonError ? invalidJson(error) : (error as Error), undefined);
      }
    });
    app.addContentTypeParser('*', (_request: FastifyRequest, payload: Readable, done) => {
      let settled = false;
      const settle = (error: Error | null): void => {
        if (settled) return;
        settled = true;
        done(error, undefined);
      };
      payload.once('data', () => settle(wrongType()));
      payload.once('end', () => settle(null));
      payload.once('error', error => settle(error));
    });
  },
  { name: 'emptyBody', fastify: '5.x', dependencies: ['errorAnswer'] },
);
