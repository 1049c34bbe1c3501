/** Tracks which connections owe an answer, so that the service's end waits for answers only. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';

/** How long the service's end waits for a client to read its answer. */
const ANSWERS_MS = 20_000;

interface Connection {
  readonly socket: Socket;
  /** Answers not sent yet. */
  readonly owed: Set<ServerResponse>;
}

/**
 * @returns closes the connections: at once those that owe no answer (idle, silent, or half-way through a request), the
 * others when their answers are sent. Node's own method closes idle ones only.
 */
export function trackConnections(server: Server): () => void {
  const connections = new Map<string, Connection>();
  let closing = false;

  const track = (socket: Socket): void => {
    const key = keyOf(socket);
    const connection: Connection = { socket, owed: new Set() };
    connections.set(key, connection);
    socket.once('close', () => {
      if (connections.get(key) === connection) connections.delete(key);
      for (const response of connection.owed) endUnsent(response);
    });
  };
  const endIfIdle = ({ socket, owed }: Connection): void => {
    // A request that has not fully arrived gets no answer.
    if (closing && ![...owed].some(({ req }) => req.complete)) socket.destroySoon();
  };

  server.on('connection', track);
  // The same connection, after its handshake.
  server.on('secureConnection', track);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(keyOf(request.socket));
    if (!connection) return;
    connection.owed.add(response);
    response.once('close', () => {
      connection.owed.delete(response);
      endIfIdle(connection);
    });
  });

  return () => {
    closing = true;
    for (const connection of connections.values()) endIfIdle(connection);
    setTimeout(() => {
      for (const { socket } of connections.values()) socket.destroy();
    }, ANSWERS_MS).unref();
  };
}

/**
 * Node tells an answer that its connection has ended only when it is that answer's turn; with pipelined requests, a
 * waiting one would be kept forever.
 */
function endUnsent(response: ServerResponse): void {
  if (response.socket || response.writableFinished) return;
  response.destroy();
  response.emit('close');
}

const keyOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
