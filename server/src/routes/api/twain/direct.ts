/** `POST /api/twain`: the TWAIN Direct style endpoint with six methods in one envelope. */
import type { Readable } from 'node:stream';
import { codeOf, describeScanner, type ErrorCode, type ScanNote } from '@platen/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from '../../../schemaType.js';
import { assertAllowed } from '../../../http/consentGuard.js';
import { capabilityDetails } from '../../../http/dto/details.js';
import { DirectAnswer, DirectBody, DirectCommand, directParams, type DirectMethod } from '../../../http/dto/direct.js';
import { commandOf, DIRECT_KIND, failureData, resultsOf, type Command } from '../../../http/dto/envelope.js';
import { additions, optionsFromDirect, type DirectParameters } from '../../../http/dto/parameters.js';
import { withDirectProfile } from '../../../http/dto/profiles.js';
import { Failure } from '../../../http/dto/schemas.js';
import { besideNotes, ignoring, invalidValueOf, spelt } from '../../../http/dto/validation.js';
import { answerOf } from '../../../http/errorAnswer.js';
import { httpCodeOf, statusOf } from '../../../http/errors.js';
import type { Services } from '../../../services.js';
import { scanOnDemand, sendPieces } from '../../../responses/onDemand.js';
import { assertOpenScanner, assertSettings, statusFor, usableBy } from '../../../http/scannerConsent.js';
import type { Route } from '../../../route.js';

interface Named {
  readonly sourceName?: string;
  /** For getCapabilities. */
  readonly details?: boolean;
}

/** The `data` of each method except scan. */
const methods: Readonly<
  Record<Exclude<DirectMethod, 'scan'>, (params: Named, services: Services, request: FastifyRequest) => Promise<object>>
> = {
  getSources: async (_params, { scans, consent }, request) => {
    const mayUse = usableBy(request, consent);
    return { availableSources: (await scans.list()).filter(({ name }) => mayUse(name)).map(describeScanner) };
  },
  async openSource({ sourceName = '' }, { scans, consent }, request) {
    assertAllowed(request, consent, 'scan', [sourceName]);
    const known = await scans.open(sourceName);
    return { message: `${known.name} is open.`, scanner: describeScanner(known) };
  },
  async closeSource(_params, services, request) {
    assertOpenScanner(request, services, 'scan');
    return { message: (await services.scans.closeSource()) ? 'The scanner is closed.' : 'No scanner was open.' };
  },
  async getCapabilities({ sourceName, details = false }, services, request) {
    const { scans, registry, consent } = services;
    if (sourceName !== undefined) assertAllowed(request, consent, 'scan', [sourceName]);
    else assertOpenScanner(request, services, 'scan');
    const capabilities = await scans.capabilities(sourceName);
    if (!details) return { capabilities };
    return { capabilities: { ...capabilities, details: await capabilityDetails(registry, scans, sourceName) } };
  },
  getStatus: async (_params, services, request) => ({
    scannerStatus: { ...(await statusFor(request, services)), ocrEnabled: services.registry.ocr !== undefined },
  }),
};

const answers = Type.Union([DirectAnswer, Failure]);
const schema = {
  operationId: 'direct',
  summary: 'Six methods in one envelope',
  description:
    'The methods are getSources, openSource, closeSource, getCapabilities, getStatus and scan. `results` says whether the command succeeded. The HTTP status is always 200, except 503 while the desktop application is not connected. A request that is not a command gets the error body of the other calls.',
  tags: ['TWAIN Direct style'],
  response: { default: Type.Unsafe<Readable | object>(answers) },
};
// The envelope reports a command's faults, so fastify must not check it.
const document = {
  body: DirectCommand,
  response: {
    '2xx': DirectAnswer,
    [statusOf('not-connected')]: {
      ...DirectAnswer,
      examples: [
        {
          kind: DIRECT_KIND,
          commandId: '7f1c2a3e-0000-4000-8000-000000000000',
          method: 'getStatus',
          results: { success: false, code: 'critical' },
          data: { message: 'The desktop application is not connected.' },
        },
      ],
      'x-response-description': 'The desktop application is not connected.',
    },
  },
};

const direct: Route = (app, services) => {
  const answer = (reply: FastifyReply, command: Command, thrown: unknown, data: object): FastifyReply =>
    sendPieces(
      reply,
      onlyNotConnected(codeOf(thrown)),
      [JSON.stringify({ ...command, results: resultsOf(thrown), data })],
      services.clients,
    );

  const onError = (thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const known = answerOf(thrown);
    const refused =
      httpCodeOf(thrown) ??
      (known.code === 'body-too-large' || known.code === 'wrong-content-type' ? known.code : undefined);
    // A request that was rejected before it was read as a command gets no envelope.
    if (refused !== undefined && refused !== 'invalid-json') throw thrown;
    if (known.code === 'internal') request.log.error({ err: thrown }, 'POST /api/twain failed');
    return answer(reply, commandOf(request.body), thrown, failureData(thrown, services.forPages(known.error)));
  };

  app.post(
    '/api/twain',
    { schema, config: { document, endsItself: true }, errorHandler: onError },
    async (request, reply) => {
      const command = commandOf(request.body);
      services.scans.assertConnected();
      const body = fieldsOf(request.body);
      const notes: ScanNote[] = [];
      const { method } = checked<{ method: DirectMethod }>(request, DirectBody, body, notes);
      const shape = directParams[method];
      notes.push(...besideNotes(body, DirectBody, shape, 'params'));
      const own = checked<Named & DirectParameters>(request, shape, body['params'], notes, 'params');
      if (method !== 'scan') {
        const data = withNotes(await methods[method](own, services, request), notes);
        return answer(reply, { ...command, method }, undefined, data);
      }

      assertSettings(request, services.consent, own);
      assertOpenScanner(request, services, 'scan');
      const options = optionsFromDirect(withDirectProfile(own, services.profiles), services.registry);
      const scannerName = services.scans.openName();
      const { collected, result, end } = await scanOnDemand(
        { scannerName, options, requestId: command.commandId, ...(notes.length > 0 ? { notes } : {}) },
        reply,
        services,
      );
      const head = JSON.stringify({ ...command, method, results: resultsOf(collected.cause) });
      return sendPieces(
        reply,
        onlyNotConnected(collected.code),
        [`${head.slice(0, -1)},"data":`, ...result, '}'],
        services.clients,
        end,
      );
    },
  );
};
export default direct;

/** The HTTP status is 200 except while the desktop application is not connected. */
function onlyNotConnected(code: ErrorCode | undefined): 'not-connected' | undefined {
  return code === 'not-connected' ? code : undefined;
}

/** A body that is not an object counts as one without fields, so its `kind` is missing. */
function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : {};
}

const { details } = directParams.getCapabilities.properties;
/** Nothing of these is in two shapes. */
const clean = ignoring({ ...additions, details, commandId: DirectBody.properties.commandId });

/**
 * Returns the value checked and in the interface's spelling.
 * @param notes gets those on additions that were ignored
 * @throws `InvalidValue`
 */
function checked<T>(request: FastifyRequest, shape: object, value: unknown, notes: ScanNote[], whole?: string): T {
  const own = spelt<T>(shape, value);
  notes.push(...clean(own));
  const validate = request.compileValidationSchema(shape as Record<string, unknown>);
  if (!validate(own)) throw invalidValueOf(validate.errors ?? [], whole);
  return own;
}

/** Only some answers have a message. */
function withNotes(data: object, notes: readonly ScanNote[]): object {
  if (!('message' in data)) return data;
  return { ...data, message: [data.message, ...notes.map(({ text }) => text)].join(' ') };
}
