/** `GET /api/features`: what pages can ask for, and `/events`: when that changes. */
import type { FeatureList } from '../../features.js';
import { openEventStream } from '../../responses/eventStream.js';
import { statusOf } from '../../http/errors.js';
import { refusals } from '../../openapi/refusals.js';
import type { Route } from '../../route.js';
import { FeatureListAnswer } from '../../shapes/features.js';

const tags = ['Scanners'];
const schema = {
  operationId: 'listFeatures',
  summary: 'List what the loaded plugins let pages ask for',
  description:
    'Barcodes, text, formats and documents, and why others are off. An administrator switches plugins on and off while the service runs: the event stream tells when.',
  tags,
  response: { '2xx': FeatureListAnswer },
};
const eventsSchema = {
  operationId: 'readFeatureEvents',
  summary: 'The same list, now and whenever it changes',
  description: 'Server-Sent Events. An idle stream gets a comment every 15 s.',
  tags,
};
const document = {
  response: {
    [statusOf(undefined)]: {
      description: 'The stream. It ends with the service.',
      content: {
        'text/event-stream': {
          schema: { type: 'string' },
          example: 'event: features\ndata: {"success":true,"revision":2,"barcodes":{"available":true,…}}\n\n',
        },
      },
    },
    ...refusals('too-many-streams'),
  },
  'x-events': [{ event: 'features', when: 'The stream starts, and the list has changed.', data: FeatureListAnswer }],
};

/** Of the limit of streams: every page that is looked at may have one, and the others carry scanned pages. */
const SHARE = 0.5;

const features: Route = (app, parts) => {
  const answer = (list: FeatureList) => ({ success: true as const, ...list });
  app.get('/api/features', { schema }, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send(answer(parts.features.now()) as never),
  );
  app.get(
    '/api/features/events',
    { exposeHeadRoute: false, schema: eventsSchema, config: { document } },
    (_request, reply) => {
      parts.clients.assertStreams(SHARE);
      const gone = new AbortController();
      openEventStream(
        reply,
        parts,
        // oxlint-disable-next-line require-yield -- none of its events is known to be the last one.
        async function* (stream) {
          let list: FeatureList | undefined = parts.features.now();
          while (list) {
            await stream.write([`event: features\ndata: ${JSON.stringify(answer(list))}\n\n`]);
            list = await stream.idle(parts.features.after(list.revision, gone.signal));
          }
        },
        () => gone.abort(),
      );
    },
  );
};
export default features;
