/** `GET /api/scans`: the caller's own scans. */
import { InvalidValue, type KeptScan } from '@platen/core';
import { successes } from '../../../http/errors.js';
import { refusals } from '../../../openapi/refusals.js';
import { scanSummary } from '../../../shapes/scanBody.js';
import { ScanList } from '../../../shapes/scans.js';
import { originOf } from '../../../http/guards/ownPage.js';
import type { Route } from '../../../route.js';

const schema = {
  operationId: 'listScans',
  summary: "The caller's own scans",
  description:
    'Scans that run, and those whose pages are kept, oldest first, without their pages. A web page gets the scans of its origin; a program gets those of programs. Pages with the opaque origin `null` share it with strangers: they get an empty list, and find a scan by its id only. A long list comes in parts: with `limit`, and then with `after`, which is `next` of the part before.',
  tags: ['Scans'],
  response: { '2xx': ScanList },
};
const document = {
  querystring: {
    type: 'object',
    properties: {
      limit: { type: 'string', description: 'At most so many scans, a whole number from 1. Absent: all.' },
      after: {
        type: 'string',
        description:
          'Only the scans that follow this one: `next` of the part before, or the id of a scan in the list. A scan that ends or is deleted between two parts moves none of the others.',
      },
    },
  },
  response: { [successes.ok]: ScanList, ...refusals('invalid-value') },
};

const list: Route = (app, { kept, forPages }) => {
  app.get('/api/scans', { schema, config: { document } }, async (request, reply) => {
    const origin = originOf(request);
    const { limit: most, after } = request.query as { readonly limit?: unknown; readonly after?: unknown };
    const limit = limitOf(most);
    const part = { limit: limit && limit + 1, after: placeOf(after, id => kept.find(origin, id)) };
    const found = origin === 'null' ? [] : kept.list(origin, part);
    const scans = found.slice(0, limit).map(scan => scanSummary(scan, forPages));
    const last = found.length > scans.length ? found[scans.length - 1] : undefined;
    return reply
      .header('cache-control', 'no-store')
      .send({ success: true as const, scans, count: scans.length, ...(last ? { next: nextOf(last) } : {}) });
  });
};
export default list;

/** @throws `InvalidValue` */
function limitOf(limit: unknown): number | undefined {
  if (limit === undefined) return undefined;
  const most = typeof limit === 'string' && /^\d{1,9}$/.test(limit) ? Number(limit) : 0;
  if (most > 0) return most;
  throw new InvalidValue('limit', 'a whole number from 1');
}

type Place = Pick<KeptScan, 'id' | 'createdAt'>;

/** Says its place although it may be gone when it is asked for. */
const nextOf = ({ id, createdAt }: Place): string => `${createdAt}.${id}`;

/** @throws `InvalidValue` */
function placeOf(after: unknown, find: (id: string) => Place | undefined): Place | undefined {
  if (after === undefined) return undefined;
  const [, createdAt, id] = (typeof after === 'string' && /^(\d{1,16})\.([\w-]+)$/.exec(after)) || [];
  const place = id === undefined ? find(String(after)) : { id, createdAt: Number(createdAt) };
  if (place) return place;
  throw new InvalidValue('after', 'the next of a part of this list, or the id of a scan in it');
}
