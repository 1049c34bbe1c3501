/** `GET /api/scans/{id}/events`: a scan's pages as they are stored, and how it ends. */
import { scanStates } from '@platen/core';
import { pagesInMemory, ScanPage } from '../../../shapes/scans.js';
import { Note } from '../../../shapes/parts.js';
import { statusOf, successes } from '../../../http/errors.js';
import { originOf } from '../../../http/guards/ownPage.js';
import { refusals } from '../../../openapi/refusals.js';
import { lastIdOf, pageOfId, sendScanEvents } from '../../../responses/scanEvents.js';
import type { Route } from '../../../route.js';
import { attendedScan, ScanPath } from './ownScan.js';

const schema = {
  operationId: 'readScanEvents',
  summary: "A scan's pages as they are stored, and how it ends",
  description:
    'Server-Sent Events; each has a name and a line of JSON. A page is announced when it is stored; one with `isStored: false` could not be, and is lost when the service ends. A stream starts with the first page, or after the page of `Last-Event-ID`, and ends with the `state` event once the scan does not run. With the id of that event, the answer is 204: an EventSource does not reconnect. An idle stream gets a comment every 15 s.',
  tags: ['Scans'],
  params: ScanPath,
};
const example =
  'id: 1\nevent: page\ndata: {"number":1,…,"url":"/api/scans/6f1c2a3e-…/pages/1"}\n\nevent: progress\ndata: {"scanned":1,"finished":1}\n\nid: 1.completed\nevent: state\ndata: {"state":"completed","notes":[],"pageCount":1}\n\n';
// The stream writes it, not a schema.
const document = {
  headers: {
    type: 'object',
    properties: {
      'last-event-id': {
        type: 'string',
        description: 'Sent by a browser that reconnects: the id of the last event that it got.',
      },
    },
  },
  response: {
    [statusOf(undefined)]: {
      description: 'The stream. It ends after a state event.',
      content: { 'text/event-stream': { schema: { type: 'string' }, example } },
    },
    [successes.noContent]: { description: 'The client has every event.', type: 'null' },
    ...refusals('scan-not-found', 'too-many-streams'),
  },
  'x-events': [
    { event: 'page', when: 'A page is stored. Its id is its number.', data: ScanPage },
    {
      event: 'progress',
      when: 'The scanner delivered a page, a page was stored, or the place in line changed. Without an id.',
      data: {
        type: 'object',
        required: ['scanned', 'finished'],
        properties: {
          scanned: { type: 'integer' },
          finished: { type: 'integer' },
          placeInLine: { type: 'integer' },
        },
      },
    },
    {
      event: 'state',
      when: 'The scan does not run. Its id has the number of pages and the state. The stream ends.',
      data: {
        type: 'object',
        required: ['state', 'notes', 'pageCount'],
        properties: {
          state: { enum: scanStates },
          code: { type: 'string' },
          error: { type: 'string' },
          notes: { type: 'array', items: Note },
          pageCount: { type: 'integer' },
          pagesInMemory,
        },
      },
    },
  ],
};

const events: Route = (app, routeParts) => {
  const { kept, clients } = routeParts;
  app.get('/api/scans/:id/events', { exposeHeadRoute: false, schema, config: { document } }, async (request, reply) => {
    const scan = attendedScan(request, reply, kept);
    const { 'last-event-id': header } = request.headers;
    const last = typeof header === 'string' ? header : undefined;
    if (last !== undefined && last === lastIdOf(scan)) return reply.code(successes.noContent).send();
    clients.assertStreams();
    const isKept = (): boolean => kept.find(originOf(request), scan.id) === scan;
    sendScanEvents(scan, { after: pageOfId(last, scan), isKept }, reply, routeParts);
    return reply;
  });
};
export default events;
