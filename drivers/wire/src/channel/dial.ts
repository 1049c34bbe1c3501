/** The service's end of a channel: dials, and hands on a stream whose other end has proved itself. */
import { connect, type Socket } from 'node:net';
import { messageOf } from '@platen/core/plugin';
import { channelAddress } from './address.js';
import { challenge } from './challenge.js';
import { ChannelError, systemCode } from './channelError.js';
import { channelSecret, secretFile } from './secret.js';

/** How long an end may take to prove itself; shorter than the pause between two dials. */
export const CHALLENGE_MS = 4000;

export interface Channel {
  readonly name: string;
  /** Absolute; it exists. */
  readonly dataDir: string;
  /** 4000 when absent. */
  readonly challengeMs?: number;
}

/** @throws {ChannelError} with a sentence; the other end got nothing then */
export async function dialChannel({ name, dataDir, challengeMs = CHALLENGE_MS }: Channel): Promise<Socket> {
  const secret = await channelSecret(dataDir);
  const address = channelAddress({ name, dataDir, secret });
  const socket = await connected(address);
  try {
    await challenge(socket, { end: 'service', secret, ms: challengeMs });
    return socket;
  } catch (error) {
    socket.destroy();
    const sentence = `Who listens at ${address} is not the desktop application, or has another secret than ${secretFile(dataDir)}: ${messageOf(error)}.`;
    throw new ChannelError('channel-refused', sentence, { cause: error });
  }
}

function connected(address: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(address);
    socket.on('error', error => {
      const code = systemCode(error);
      const absent = code === 'ENOENT' || code === 'ECONNREFUSED';
      const why = absent ? 'nobody listens there' : `the operating system says ${code ?? messageOf(error)}`;
      reject(new ChannelError(absent ? 'channel-absent' : 'channel-refused', `The desktop application cannot be reached at ${address}: ${why}.`, { cause: error }));
    });
    socket.once('connect', () => resolve(socket));
  });
}
