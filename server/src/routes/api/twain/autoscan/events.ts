/** `GET /api/twain/autoscan/events`: the pages of auto-scan, as they are scanned. */
import { endReasons } from '@platen/core';
import { createImageEvents } from '../../../../responses/sse.js';
import { Image } from '../../../../http/dto/schemas.js';
import { statusOf } from '../../../../http/errors.js';
import { originOf } from '../../../../http/ownPage.js';
import { refusals } from '../../../../openapi/refusals.js';
import type { Route } from '../../../../route.js';

const schema = {
  operationId: 'readAutoscanEvents',
  summary: 'The pages of auto-scan, as they are scanned',
  description:
    'Server-Sent Events: enable auto-scan first, then open an EventSource. Each event has a name and a line of JSON. Every connected stream gets every page; pages that were scanned while nobody was connected wait for the next one. Pages that nobody had taken when an auto-scan ended, other than by request or because nobody read, are for the next reader of the origin that enabled it: they come first, with their own ids and numbers; while auto-scan is off, the stream gives them and then says how that auto-scan ended. A silent stream gets a comment every 15 seconds.',
  tags: ['Auto-scan'],
};

const code = {
  enum: endReasons,
  description: 'Where `report=true` was asked for: why, for programs; core/ERRORS.md says when each.',
};
const sentence = (field: string): object => ({
  type: 'object',
  required: [field],
  properties: { [field]: { type: 'string' }, code },
});
const example =
  'id: 1-1\nevent: image\ndata: {"mimeType":"image/png","pageNumber":1,…,"base64Data":"iVBORw0KGgo…"}\n\nevent: disabled\ndata: {"message":"Auto-scan was turned off by request."}\n\n';
// Written by the stream, and by no schema.
const document = {
  querystring: {
    type: 'object',
    properties: {
      report: {
        type: 'string',
        enum: ['true'],
        description: 'Adds a `code` to the data of the last event. An addition to the interface.',
      },
    },
  },
  headers: {
    type: 'object',
    properties: {
      'last-event-id': {
        type: 'string',
        description:
          'Sent by a browser that comes back: the id of the last event it got. Delivered pages are kept for that: the last `autoscan.resendBytes`, and eight in any case.',
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
    { event: 'image', when: 'Once for each side that was scanned; its id goes into Last-Event-ID.', data: Image },
    {
      event: 'disabled',
      when: 'Auto-scan was turned off: by request, because nobody read for five minutes, or after three failed or empty scans in a row. The stream ends.',
      data: sentence('message'),
    },
    {
      event: 'error',
      when: 'The scanner or the desktop application is gone, or pages that this reader did not get are not kept any more: then the event has an id, and the stream that is opened with it goes on after them. The stream ends.',
      data: sentence('error'),
    },
  ],
};

const events: Route = (app, services) => {
  const { scans, clients } = services;
  const stream = createImageEvents(services);
  // A HEAD would be a reader that takes the pages and shows them to nobody.
  app.get(
    '/api/twain/autoscan/events',
    { exposeHeadRoute: false, schema, config: { document } },
    async (request, reply) => {
      const last = request.headers['last-event-id'];
      clients.assertStreams();
      const reader = scans.readAutoscan(typeof last === 'string' ? last : undefined, originOf(request));
      if (reader.series !== undefined) void reply.header('x-autoscan-series', reader.series);
      stream(reader, reply, (request.query as { report?: unknown }).report === 'true');
      return reply;
    },
  );
};
export default events;
