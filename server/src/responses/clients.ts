/** Clients as they read: how many may keep what they do not read, and for how long. */
import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { ScanError, type Clock } from '@platen/core';
import { HttpError } from '../http/errors.js';
import { writePieces, type Piece } from './pieces.js';

export interface ClientLimits {
  /** One that takes no byte for so long is disconnected. */
  readonly stallMs: number;
  /** Event streams at once. */
  readonly maxStreams: number;
  /** Answers of scans that wait to be read. */
  readonly maxUnread: number;
}

export interface Clients {
  /** @throws `busy` where too many answers of scans are not read: their pages are kept until they are */
  assertRead(): void;
  /** A scan's answer waits for this client, until it has it or is gone. */
  owe(client: ServerResponse): void;
  /** @throws HttpError `too-many-streams` */
  assertStreams(): void;
  /** Counts until the client is gone. */
  stream(client: ServerResponse): void;
  /** Resolves when the client has taken everything; one that takes nothing is disconnected. @throws where a page cannot be read back, or the client is gone */
  write(client: Writable, pieces: readonly Piece[]): Promise<void>;
}

export function createClients({ stallMs, maxStreams, maxUnread }: ClientLimits, clock: Clock): Clients {
  const owed = new Set<ServerResponse>();
  const streams = new Set<ServerResponse>();
  const add = (set: Set<ServerResponse>, client: ServerResponse): void => {
    if (client.destroyed) return;
    set.add(client);
    client.once('close', () => set.delete(client));
  };
  return {
    assertRead() {
      if (owed.size >= maxUnread)
        throw new ScanError(
          'busy',
          `The answers of ${owed.size} scans wait for clients that do not read them: try again in ${Math.ceil(stallMs / 1000)} seconds.`,
        );
    },
    owe: client => add(owed, client),
    assertStreams() {
      if (streams.size >= maxStreams)
        throw new HttpError(
          'too-many-streams',
          `${streams.size} event streams are open, and no more are taken: close some, or raise clients.maxStreams.`,
        );
    },
    stream: client => add(streams, client),
    write: (client, pieces) => writePieces(client, pieces, clock, stallMs),
  };
}
