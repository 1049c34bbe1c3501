/** Knows which connections owe an answer, so that the service's end waits for answers and for nothing else. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';

/** An answer that its client does not take by then is given up. */
const ANSWERS_MS = 20_000;

interface Connection {
  readonly socket: Socket;
  /** Answers that are not sent yet. */
  readonly owed: Set<ServerResponse>;
}

/**
 * @returns what closes the connections: those that owe nothing at once, whether they are idle, silent or half-way
 * through a request; the others when their answers are sent. Node's own closes idle ones only.
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
    // What has not arrived as a whole is not answered.
    if (closing && ![...owed].some(({ req }) => req.complete)) socket.destroySoon();
  };

  server.on('connection', track);
  // The same connection, once its handshake is done.
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

/** Node tells an answer of its connection's end only when its turn has come; one that waits behind another (a client may send requests without waiting) would be kept for ever. */
function endUnsent(response: ServerResponse): void {
  if (response.socket || response.writableFinished) return;
  response.destroy();
  response.emit('close');
}

const keyOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
