/** `GET /api/scans/{id}/pages/{n}`: a page's bytes. */
import {
  findPage,
  InvalidValue,
  settledWithin,
  turns,
  type Clock,
  type KeptScan,
  type StoredPage,
  type Turn,
} from '@platen/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from '../../../../machine/schemaType.js';
import { HttpError, successes } from '../../../http/errors.js';
import { refusals } from '../../../openapi/refusals.js';
import { sendPage, sendPicture, type Picture } from '../../../responses/pageBytes.js';
import { turnedPage } from '../../../responses/turnedPage.js';
import { heldFor } from '../../../responses/heldFor.js';
import type { Route } from '../../../route.js';
import type { RouteParts } from '../../../routeParts.js';
import { attendedScan, ScanPath } from './ownScan.js';

const WAIT_SECONDS = 60;
const widths = { min: 16, max: 2000 } as const;

const schema = {
  operationId: 'getPage',
  summary: "A page's bytes",
  description:
    "The page's file, which a HEAD request does not read. The service keeps it until the scan is deleted; pages that were fetched whole go first when room is needed.",
  tags: ['Scans'],
  params: Type.Object({
    ...ScanPath.properties,
    n: Type.String({ description: "the page's number", examples: ['1'] }),
  }),
};
const binary = { 'image/*': { schema: { type: 'string', format: 'binary' } } };
const header = (description: string): object => ({ type: 'string', description });
const ofTheFile = {
  ETag: header("The file's SHA-256, in hexadecimal and quotes; with `width` or `rotate`, also those."),
  'Repr-Digest': header("The whole file's SHA-256 as in RFC 9530. Not with `width` or `rotate`."),
};
// Fastify writes the bytes without a schema.
const document = {
  querystring: {
    type: 'object',
    properties: {
      wait: {
        type: 'string',
        description: `Waits up to this many seconds, 0 to ${WAIT_SECONDS}, for a page that is not there yet.`,
      },
      width: {
        type: 'string',
        description: `A JPEG of this width instead, ${widths.min} to ${widths.max} pixels; a narrower page keeps its own.`,
      },
      rotate: {
        type: 'string',
        enum: turns.map(String),
        default: '0',
        description:
          'Turns the page by so many degrees clockwise. Without `width`, it is encoded again in its own format, a JPEG with quality 95.',
      },
    },
  },
  headers: {
    type: 'object',
    properties: {
      range: { type: 'string', description: 'One range of bytes; several are answered with the whole.' },
      'if-range': { type: 'string', description: 'The ETag for which the range counts.' },
      'if-none-match': { type: 'string', description: 'ETags that the client has.' },
    },
  },
  response: {
    [successes.ok]: {
      description: "The page's file.",
      content: binary,
      headers: {
        ...ofTheFile,
        'Content-Digest': header("The file's SHA-256 as in RFC 9530. Not with `width` or `rotate`."),
      },
    },
    [successes.partial]: {
      description: 'The range.',
      content: binary,
      headers: { ...ofTheFile, 'Content-Range': header('Its first and last byte, and the size of the whole.') },
    },
    [successes.notModified]: { description: 'The client has this page.', type: 'null', headers: ofTheFile },
    ...refusals('invalid-value', 'scan-not-found', 'page-not-found', 'range-not-satisfiable', 'storage-failed'),
  },
};

const page: Route = (app, parts) => {
  const { kept, clock, clients } = parts;
  const serve = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { n } = request.params as { n: string };
    const query = request.query as { wait?: unknown; width?: unknown; rotate?: unknown };
    const [seconds, width, turn] = [secondsOf(query.wait), widthOf(query.width), turnOf(query.rotate)];
    const scan = attendedScan(request, reply, kept);
    const stored = await pageOf(scan, n, seconds * 1000, clock, reply);
    if (!stored) throw noSuchPage(scan);
    if (width === undefined && turn === 0) return sendPage(stored, request, reply, clients);
    return sendPicture(
      stored,
      pictureOf(stored, width, turn, { ...parts, registry: heldFor(reply, parts.registry) }),
      request,
      reply,
      clients,
    );
  };
  app.get('/api/scans/:id/pages/:n', { exposeHeadRoute: false, schema, config: { document } }, serve);
  app.head('/api/scans/:id/pages/:n', { schema: { hide: true } }, serve);
};
export default page;

/** A turned page is the page, which its client then has; a small one is not. */
function pictureOf(
  stored: StoredPage,
  width: number | undefined,
  turn: Turn,
  { thumbnails, pool, registry: { formats } }: RouteParts,
): Picture {
  const turned = turn === 0 ? '' : `-r${turn}`;
  if (width !== undefined)
    return {
      tag: `-${width}${turned}`,
      mimeType: 'image/jpeg',
      make: signal => thumbnails.make(stored, width, turn, signal),
    };
  return {
    tag: turned,
    mimeType: stored.page.mimeType,
    make: signal => turnedPage(stored, turn, { pool, formats }, signal),
    onTaken: () => stored.deliver(),
  };
}

const noSuchPage = ({ state }: KeptScan): HttpError =>
  new HttpError('page-not-found', `The scan has no such page${state === 'running' ? ' yet' : ''}.`);

/** Waits for it while the scan runs and the client is there. */
async function pageOf(
  scan: KeptScan,
  n: string,
  waitMs: number,
  clock: Clock,
  { raw }: FastifyReply,
): Promise<StoredPage | undefined> {
  if (!/^[1-9]\d{0,8}$/.test(n)) return undefined;
  const until = clock.monotonic() + waitMs;
  const gone = new Promise<void>(resolve => raw.once('close', resolve));
  for (;;) {
    const stored = findPage(scan, Number(n));
    const left = until - clock.monotonic();
    if (stored || scan.state !== 'running' || left <= 0 || raw.destroyed) return stored;
    await settledWithin(Promise.race([scan.changed(), gone]), left, clock);
  }
}

/** @throws `InvalidValue` */
function secondsOf(wait: unknown): number {
  if (wait === undefined) return 0;
  const seconds = typeof wait === 'string' && /^\d+(?:\.\d+)?$/.test(wait) ? Number(wait) : Infinity;
  if (seconds > WAIT_SECONDS) throw new InvalidValue('wait', `a number of seconds from 0 to ${WAIT_SECONDS}`);
  return seconds;
}

/** @throws `InvalidValue` */
function widthOf(width: unknown): number | undefined {
  if (width === undefined) return undefined;
  const pixels = typeof width === 'string' && /^\d{1,4}$/.test(width) ? Number(width) : 0;
  if (pixels >= widths.min && pixels <= widths.max) return pixels;
  throw new InvalidValue('width', `a whole number from ${widths.min} to ${widths.max}, of pixels`);
}

/** @throws `InvalidValue` */
function turnOf(rotate: unknown): Turn {
  if (rotate === undefined) return 0;
  const turn = turns.find(each => String(each) === rotate);
  if (turn !== undefined) return turn;
  throw new InvalidValue('rotate', `one of ${turns.join(', ')}, in degrees clockwise`, turns);
}
