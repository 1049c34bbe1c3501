/** `GET /api/separator`: a separator sheet to print. */
import {
  MOST_SEPARATOR_TEXT,
  patchCodes,
  separatorSizes,
  usualSeparatorSheet,
  writeSeparatorSheet,
} from '@platen/core';
import { attachmentOf } from '../../http/answers/attachment.js';
import { formatOf, textOf } from '../../parameters/documentQuery.js';
import { separatorSheetOf } from '../../parameters/separatorQuery.js';
import { successes } from '../../http/errors.js';
import { refusals } from '../../openapi/refusals.js';
import { heldFor } from '../../responses/heldFor.js';
import type { Route } from '../../route.js';

const schema = {
  operationId: 'getSeparator',
  summary: 'A separator sheet to print',
  description:
    'A page with a patch code along each edge and a barcode. Print it at its size, and insert it before each document: a scan with `separate` by `patch` or `barcode` begins a new document there.',
  tags: ['Scans'],
};
const word = (description: string, words: readonly string[], usual: string): object => ({
  type: 'string',
  enum: words,
  default: usual,
  description: `${description} In any letter case.`,
});
// Fastify writes the bytes without a schema.
const document = {
  querystring: {
    type: 'object',
    properties: {
      patch: word('The patch code.', patchCodes, usualSeparatorSheet.patch),
      text: {
        type: 'string',
        default: usualSeparatorSheet.text,
        description: `Of the barcode, Code 39: 1 to ${MOST_SEPARATOR_TEXT} capitals, digits, "-", "." and spaces, with no space at the beginning or end.`,
      },
      size: word('The paper.', separatorSizes, usualSeparatorSheet.size),
      format: { type: 'string', description: "A document format's extension, in any letter case. Absent: pdf." },
    },
  },
  response: {
    [successes.ok]: {
      description: 'The sheet.',
      content: { 'application/*': { schema: { type: 'string', format: 'binary' } } },
      headers: { 'Content-Disposition': { type: 'string', description: 'A name for the file.' } },
    },
    ...refusals('invalid-value'),
  },
};

const separator: Route = (app, { registry, pool, clock }) => {
  app.get('/api/separator', { schema, config: { document } }, async (request, reply) => {
    const query = request.query as Record<string, unknown>;
    const sheet = separatorSheetOf(query);
    const format = formatOf(textOf(query, 'format'), registry.documents);
    const gone = new AbortController();
    const { signal } = gone;
    reply.raw.once('close', () => gone.abort());
    const parts = { software: heldFor(reply, registry), now: clock.now() };
    const bytes = await pool.run(() => collected(writeSeparatorSheet(sheet, format, parts, { signal })), signal);
    return reply
      .headers({
        'content-type': format.mimeType,
        'content-disposition': attachmentOf(`separator-patch-${sheet.patch}.${format.extension}`),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      })
      .send(bytes);
  });
};
export default separator;

/** A page of 1-bit pixels: at most a megabyte in any format. */
async function collected(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Buffer[] = [];
  // The next request may overwrite a chunk.
  for await (const chunk of chunks) parts.push(Buffer.from(chunk));
  return Buffer.concat(parts);
}
