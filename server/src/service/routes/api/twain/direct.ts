/** `POST /api/twain`: the TWAIN Direct style endpoint with six methods in one envelope. */
import type { Readable } from 'node:stream';
import { codeOf, describeScanner, type ErrorCode, type ScanNote } from '@platen/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from '../../../../machine/schemaType.js';
import { assertAllowed } from '../../../http/guards/consentGuard.js';
import { capabilityDetails } from '../../../shapes/details.js';
import { DirectAnswer, DirectBody, DirectCommand, directParams, type DirectMethod } from '../../../shapes/direct.js';
import { commandOf, DIRECT_KIND, failureData, resultsOf, type Command } from '../../../shapes/envelope.js';
import { additions, optionsFromDirect, type DirectParameters } from '../../../parameters/scanParameters.js';
import { withDirectProfile } from '../../../parameters/profiles.js';
import { Failure } from '../../../shapes/schemas.js';
import { besideNotes, ignoring, invalidValueOf, spelt } from '../../../parameters/validation.js';
import { answerOf } from '../../../http/answers/errorAnswer.js';
import { httpCodeOf, statusOf } from '../../../http/errors.js';
import type { RouteParts } from '../../../routeParts.js';
import { scanOnDemand, sendPieces } from '../../../responses/onDemand.js';
import { originOf } from '../../../http/guards/ownPage.js';
import { assertOpenScanner, assertSettings, statusFor, usableBy } from '../../../http/guards/scannerConsent.js';
import type { Route } from '../../../route.js';

interface Named {
  readonly sourceName?: string;
  /** For getCapabilities. */
  readonly details?: boolean;
}

/** The `data` of each method except scan. */
const methods: Readonly<
  Record<Exclude<DirectMethod, 'scan'>, (params: Named, parts: RouteParts, request: FastifyRequest) => Promise<object>>
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
  async closeSource(_params, parts, request) {
    assertOpenScanner(request, parts, 'scan');
    return {
      message: (await parts.scans.closeSource(originOf(request))) ? 'The scanner is closed.' : 'No scanner was open.',
    };
  },
  async getCapabilities({ sourceName, details = false }, parts, request) {
    const { scans, consent } = parts;
    if (sourceName !== undefined) assertAllowed(request, consent, 'scan', [sourceName]);
    else assertOpenScanner(request, parts, 'scan');
    const capabilities = await scans.capabilities(sourceName);
    if (!details) return { capabilities };
    return { capabilities: { ...capabilities, details: await capabilityDetails(parts, sourceName) } };
  },
  getStatus: async (_params, parts, request) => ({
    scannerStatus: { ...(await statusFor(request, parts)), ocrEnabled: parts.registry.ocr !== undefined },
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

const direct: Route = (app, parts) => {
  const answer = (reply: FastifyReply, command: Command, thrown: unknown, data: object): FastifyReply =>
    sendPieces(
      reply,
      onlyNotConnected(codeOf(thrown)),
      [JSON.stringify({ ...command, results: resultsOf(thrown), data })],
      parts.clients,
    );

  const onError = (thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const known = answerOf(thrown);
    const refused =
      httpCodeOf(thrown) ??
      (known.code === 'body-too-large' || known.code === 'wrong-content-type' ? known.code : undefined);
    // A request that was rejected before it was read as a command gets no envelope.
    if (refused !== undefined && refused !== 'invalid-json') throw thrown;
    if (known.code === 'internal') request.log.error({ err: thrown }, 'POST /api/twain failed');
    return answer(reply, commandOf(request.body), thrown, failureData(thrown, parts.forPages(known.error)));
  };

  app.post(
    '/api/twain',
    { schema, config: { document, endsItself: true }, errorHandler: onError },
    async (request, reply) => {
      const command = commandOf(request.body);
      parts.scans.assertConnected();
      const body = fieldsOf(request.body);
      const notes: ScanNote[] = [];
      const { method } = checked<{ method: DirectMethod }>(request, DirectBody, body, notes);
      const shape = directParams[method];
      notes.push(...besideNotes(body, DirectBody, shape, 'params'));
      const own = checked<Named & DirectParameters>(request, shape, body['params'], notes, 'params');
      if (method !== 'scan') {
        const data = withNotes(await methods[method](own, parts, request), notes);
        return answer(reply, { ...command, method }, undefined, data);
      }

      assertSettings(request, parts.consent, own);
      assertOpenScanner(request, parts, 'scan');
      const options = optionsFromDirect(withDirectProfile(own, parts.profiles), parts.registry);
      const scannerName = parts.scans.openName();
      const { collected, result, end } = await scanOnDemand(
        { scannerName, options, requestId: command.commandId, ...(notes.length > 0 ? { notes } : {}) },
        reply,
        parts,
      );
      const head = JSON.stringify({ ...command, method, results: resultsOf(collected.cause) });
      return sendPieces(
        reply,
        onlyNotConnected(collected.code),
        [`${head.slice(0, -1)},"data":`, ...result, '}'],
        parts.clients,
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
