/** The service's end of a channel: dials, and returns a stream whose other end has proved itself. */
import type { Socket } from 'node:net';
import { messageOf } from '@platen/core/plugin';
import { connectPooledReader, type PooledReader } from '@platen/driver-kit';
import { channelAddress } from './address.js';
import { challenge } from './challenge.js';
import { ChannelError, systemCode } from './channelError.js';
import { channelSecret, secretFile } from './secret.js';

/** How long an end may take to prove itself; shorter than the pause between two dials. */
export const CHALLENGE_MS = 4000;

export interface Channel {
  readonly name: string;
  /** An absolute path; the folder exists. */
  readonly dataDir: string;
  /** 4000 when absent. */
  readonly challengeMs?: number;
}

/**
 * @returns a stream that is read by iterating it; a chunk is overwritten when the next one is asked for
 * @throws {ChannelError} with a sentence; nothing but a challenge was sent then
 */
export async function dialChannel({ name, dataDir, challengeMs = CHALLENGE_MS }: Channel): Promise<Socket> {
  const secret = await channelSecret(dataDir);
  const address = channelAddress({ name, dataDir, secret });
  const reader = await connected(address, challengeMs);
  const { socket } = reader;
  try {
    await challenge(socket, { end: 'service', secret, ms: challengeMs, read: reader.readExactly });
    return readBy(reader);
  } catch (error) {
    socket.destroy();
    const sentence = `The process at ${address} is not Platen's desktop application, or its secret differs from ${secretFile(dataDir)}: ${messageOf(error)}.`;
    throw new ChannelError('channel-refused', sentence, { cause: error });
  }
}

/** The socket itself, with the reader's iterator instead of the stream's. */
function readBy({ socket, chunks }: PooledReader): Socket {
  let failure: Error | undefined;
  socket.on('error', error => (failure = error));
  return Object.assign(socket, {
    async *[Symbol.asyncIterator]() {
      yield* chunks();
      if (failure) throw failure;
    },
  });
}

function connected(address: string, ms: number): Promise<PooledReader> {
  return new Promise((resolve, reject) => {
    const reader = connectPooledReader(address);
    const late = setTimeout(() => reader.socket.destroy(new Error(`it did not answer within ${ms / 1000} s`)), ms);
    reader.socket.once('close', () => clearTimeout(late));
    reader.socket.on('error', error => {
      const code = systemCode(error);
      const absent = code === 'ENOENT' || code === 'ECONNREFUSED';
      const why = absent ? 'nobody listens there' : `the operating system says ${code ?? messageOf(error)}`;
      reject(
        new ChannelError(
          absent ? 'channel-absent' : 'channel-refused',
          `The desktop application cannot be reached at ${address}: ${why}.`,
          { cause: error },
        ),
      );
    });
    reader.socket.once('connect', () => {
      clearTimeout(late);
      resolve(reader);
    });
  });
}
