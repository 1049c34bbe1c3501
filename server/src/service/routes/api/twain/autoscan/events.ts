/** `GET /api/twain/autoscan/events`: the pages of auto-scan, as they are scanned. */
import { endReasons, type OutboxEnd } from '@platen/core';
import { createImageEvents } from '../../../../responses/imageEvents.js';
import { Image } from '../../../../shapes/schemas.js';
import { assertAllowed, callerOf } from '../../../../http/guards/consentGuard.js';
import { statusOf } from '../../../../http/errors.js';
import { originOf } from '../../../../http/guards/ownPage.js';
import { refusals } from '../../../../openapi/refusals.js';
import { assertOpenScanner } from '../../../../http/guards/scannerConsent.js';
import type { FastifyRequest } from 'fastify';
import type { RouteParts } from '../../../../routeParts.js';
import type { Route } from '../../../../route.js';

const schema = {
  operationId: 'readAutoscanEvents',
  summary: 'The pages of auto-scan, as they are scanned',
  description:
    'Server-Sent Events: enable auto-scan first, then open an EventSource. Each event has a name and a line of JSON. A stream carries the pages of all scanners on which a page of the same origin enabled auto-scan, or, if there are none, of all on which it is enabled; it ends with the first that ends. Every connected stream gets every page; pages scanned while no stream was connected wait for the next one. If an auto-scan ends with undelivered pages, other than by request or for lack of a reader, the next reader of the origin that enabled it gets them first, with their own ids and numbers; while auto-scan is off, the stream sends them and then how that auto-scan ended. An idle stream gets a comment every 15 s.',
  tags: ['Auto-scan'],
};

const code = {
  enum: endReasons,
  description: 'Only with `report=true`: the reason, for programs; core/ERRORS.md explains each.',
};
const sentence = (field: string): object => ({
  type: 'object',
  required: [field],
  properties: { [field]: { type: 'string' }, code },
});
const example =
  'id: 1-1\nevent: image\ndata: {"mimeType":"image/png","pageNumber":1,…,"base64Data":"iVBORw0KGgo…"}\n\nevent: disabled\ndata: {"message":"Auto-scan was turned off by request."}\n\n';
// The stream writes it, not a schema.
const document = {
  querystring: {
    type: 'object',
    properties: {
      report: {
        type: 'string',
        enum: ['true'],
        description: 'Adds a `code` to the data of the last event. An addition to the interface.',
      },
      scannerName: {
        type: 'string',
        description: 'Only the pages of this scanner. An addition to the interface.',
      },
    },
  },
  headers: {
    type: 'object',
    properties: {
      'last-event-id': {
        type: 'string',
        description:
          'Sent by a browser that reconnects: the id of the last event that it got. For this, the service keeps the last `autoscan.resendBytes` of delivered pages, and at least 8 pages.',
      },
    },
  },
  response: {
    [statusOf(undefined)]: {
      description: 'The stream. It ends after a disabled or an error event.',
      content: { 'text/event-stream': { schema: { type: 'string' }, example } },
    },
    ...refusals('autoscan-off', 'too-many-streams'),
  },
  'x-events': [
    { event: 'image', when: 'One for each scanned side; its id goes into Last-Event-ID.', data: Image },
    {
      event: 'disabled',
      when: 'Auto-scan was disabled: by request, because no client read for 5 minutes, or after three failed or empty scans in a row. The stream ends.',
      data: sentence('message'),
    },
    {
      event: 'error',
      when: 'The scanner or the desktop application is gone, or pages that this reader missed are no longer kept. In the last case the event has an id; open a new stream with it to continue after those pages. The stream ends.',
      data: sentence('error'),
    },
  ],
};

const consentEnded: OutboxEnd = {
  event: 'error',
  reason: 'consent-ended',
  message:
    'This web page may no longer scan: a person or an administrator of this computer took it back, or its time is over.',
};

const events: Route = (app, parts) => {
  const { scans, clients, consent } = parts;
  const stream = createImageEvents(parts);
  // A HEAD request would take the pages and drop them.
  app.get(
    '/api/twain/autoscan/events',
    { exposeHeadRoute: false, schema, config: { document, endsItself: true } },
    async (request, reply) => {
      const last = request.headers['last-event-id'];
      clients.assertStreams();
      const query = request.query as { readonly report?: unknown; readonly scannerName?: unknown };
      const scannerName = query.scannerName === '' ? undefined : textOf(query.scannerName);
      const caller = callerOf(request);
      const scanner = assertReadable(request, parts, scannerName);
      const reader = scans.readAutoscan(originOf(request), {
        lastEventId: textOf(last),
        scannerName,
        mayRead: name => consent.allows(caller, 'auto-scan', name),
      });
      if (reader.series !== undefined) void reply.header('x-autoscan-series', reader.series);
      consent.used(caller, 'stream', scanner);
      let early: OutboxEnd | undefined;
      const stop = (): void => {
        early = consentEnded;
        reader.leave();
      };
      reply.raw.once('close', consent.holds.hold({ caller, right: 'auto-scan', scanner, stop }));
      stream(reader, reply, query.report === 'true', () => early);
      return reply;
    },
  );
};
/**
 * @returns the scanner of which the caller reads pages: the named one, or, if it has enabled none itself, the open one
 * @throws ConsentError
 */
function assertReadable(request: FastifyRequest, parts: RouteParts, name: string | undefined): string | undefined {
  if (name !== undefined) assertAllowed(request, parts.consent, 'auto-scan', [name]);
  else if (!parts.scans.isAutoscanOf(originOf(request))) return assertOpenScanner(request, parts, 'auto-scan');
  return name;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export default events;
