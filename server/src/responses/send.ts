/** Sends an answer piece by piece, at its client's pace. */
import type { OutgoingHttpHeaders } from 'node:http';
import { messageOf } from '@platen/core';
import type { FastifyReply } from 'fastify';
import type { Clients } from './clients.js';
import type { Piece } from './pieces.js';

/**
 * Sends the reply's head and the pieces. If it cannot finish, the answer is broken off: its status was sent.
 * @returns whether the client has taken everything; never rejects
 */
export async function send(reply: FastifyReply, pieces: readonly Piece[], clients: Clients): Promise<boolean> {
  reply.hijack();
  const { raw: client } = reply;
  try {
    client.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
    await clients.write(client, pieces);
    client.end();
    return true;
  } catch (error) {
    if (!client.destroyed) {
      reply.log.error(`An answer was broken off: ${messageOf(error)}`);
      client.destroy();
    }
    return false;
  }
}
