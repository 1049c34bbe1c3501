/** Sends stored pages as one document. */
import {
  documentNames,
  writeDocument,
  type DocumentFormat,
  type DocumentSource,
  type DocumentWishes,
  type KeptScan,
  type ScanNote,
  type StoredPage,
} from '@platen/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { attachmentOf } from '../http/answers/attachment.js';
import { HttpError } from '../http/errors.js';
import { scanHeader, scanHeaderOf } from '../http/answers/scanHeader.js';
import type { RouteParts } from '../routeParts.js';
import { heldFor } from './heldFor.js';
import { sendDocument } from './document.js';

export interface StoredDocument {
  readonly source: DocumentSource;
  readonly format: DocumentFormat;
  readonly wishes: DocumentWishes;
  /** The answer says how this scan is; absent for a document of several. */
  readonly scan?: KeptScan;
}

/**
 * Counts the pages as delivered when the client has taken the whole document.
 * @throws HttpError `too-many-streams`, and `bad-request` for HTTP/1.0; what `sendDocument` throws
 */
export async function sendStoredDocument(
  { source, format, wishes, scan }: StoredDocument,
  request: FastifyRequest,
  reply: FastifyReply,
  { registry, pool, clients, clock, log }: RouteParts,
): Promise<FastifyReply> {
  // It cannot be told that a document was broken off.
  if (request.raw.httpVersion === '1.0') throw new HttpError('bad-request', 'A document needs HTTP/1.1.');
  clients.document(reply.raw);
  const pages = new Set<StoredPage>();
  /** How the scan was when the document had its last page. */
  let outcome: string | undefined;
  const parts = {
    software: heldFor(reply, registry),
    pool,
    onPage: (page: StoredPage) => void pages.add(page),
    onPagesEnd: () => void (outcome = scan && scanHeaderOf(scan)),
    onNote: (note: ScanNote) => log.warn(`A document is without text: ${note.text}`),
  };
  const stateOf = (its: KeptScan) => ({
    [scanHeader]: scanHeaderOf(its),
    ...(request.method === 'HEAD' ? {} : { trailer: scanHeader }),
  });
  const answer = {
    write: (signal: AbortSignal) => writeDocument(source, format, wishes, parts, { signal }),
    head: () => ({
      'content-type': format.mimeType,
      'content-disposition': attachmentOf(`${documentNames()(wishes.title, nameOf(source))}.${format.extension}`),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'none',
      ...(scan ? stateOf(scan) : {}),
    }),
    trailers: scan && (() => ({ [scanHeader]: outcome ?? scanHeaderOf(scan) })),
    onTaken() {
      for (const page of pages) page.deliver();
    },
  };
  return sendDocument(answer, request, reply, clients, clock);
}

/** `scan-20261121-1030`, in local time. */
function nameOf({ createdAt }: DocumentSource): string {
  const at = new Date(createdAt);
  const [year, ...others] = [at.getFullYear(), at.getMonth() + 1, at.getDate(), at.getHours(), at.getMinutes()];
  const [month, day, hour, minute] = others.map(each => String(each).padStart(2, '0'));
  return `scan-${year}${month}${day}-${hour}${minute}`;
}
