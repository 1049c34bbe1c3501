/** Limits clients that do not read: how many of them may hold data, and for how long. */
import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { ScanError, type Clock } from '@platen/core';
import { HttpError } from '../http/errors.js';
import { writePieces, type Piece } from './pieces.js';

export interface ClientLimits {
  /** A client that reads nothing for this long is disconnected. */
  readonly stallMs: number;
  /** The limit of open event streams. */
  readonly maxStreams: number;
  /** The limit of documents that are sent at once. */
  readonly maxDocuments: number;
  /** The limit of scans' answers that wait to be read. */
  readonly maxUnread: number;
}

export interface Clients {
  /** Clients whose answers wait, and that are being sent to. */
  readonly open: { readonly streams: number; readonly documents: number; readonly unread: number };
  /** @throws `busy` if too many scans' answers are unread: their pages are kept until they are read */
  assertRead(): void;
  /** Counts a scan's answer for this client, until the client has read it or is gone. */
  owe(client: ServerResponse): void;
  /** @param share of the limit that counts, 0 to 1: the rest is for others @throws HttpError `too-many-streams` */
  assertStreams(share?: number): void;
  /** Counts a stream until its client is gone. */
  stream(client: ServerResponse): void;
  /** Counts a document until its client has it or is gone. @throws HttpError `too-many-streams` */
  document(client: ServerResponse): void;
  /**
   * Resolves when the client has read everything; disconnects one that reads nothing.
   * @throws if a page cannot be read back, or the client is gone
   */
  write(client: Writable, pieces: readonly Piece[]): Promise<void>;
}

export function createClients(limits: ClientLimits, clock: Clock): Clients {
  const { stallMs, maxStreams, maxDocuments, maxUnread } = limits;
  const owed = new Set<ServerResponse>();
  const streams = new Set<ServerResponse>();
  const documents = new Set<ServerResponse>();
  const add = (set: Set<ServerResponse>, client: ServerResponse): void => {
    if (client.destroyed) return;
    set.add(client);
    client.once('close', () => set.delete(client));
  };
  return {
    get open() {
      return { streams: streams.size, documents: documents.size, unread: owed.size };
    },
    assertRead() {
      if (owed.size >= maxUnread)
        throw new ScanError(
          'busy',
          `The answers of ${owed.size} scans wait for clients that do not read them. Try again in ${Math.ceil(stallMs / 1000)} s.`,
        );
    },
    owe: client => add(owed, client),
    assertStreams(share = 1) {
      if (streams.size >= maxStreams * share)
        throw new HttpError(
          'too-many-streams',
          `${streams.size} event streams are open, which is the limit${share < 1 ? ' for this one' : ''}. Close some, or raise clients.maxStreams.`,
        );
    },
    stream: client => add(streams, client),
    document(client) {
      if (documents.size >= maxDocuments)
        throw new HttpError(
          'too-many-streams',
          `${documents.size} documents are sent at once, which is the limit. Try again when one is finished, or raise clients.maxDocuments.`,
        );
      add(documents, client);
    },
    write: (client, pieces) => writePieces(client, pieces, clock, stallMs),
  };
}
