import { createServer, type AddressInfo, type Socket } from 'node:net';
import t from 'tap';
import { ask } from './ask.js';

async function listener(onConnection: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

t.test('ask: the server accepts the connection and does not answer', async t => {
  const port = await listener(() => undefined);
  await t.rejects(ask({ port, host: 'localhost', path: '/', timeoutMs: 20 }), { name: 'NoReply', trouble: 'silent' });
});

t.test('ask: the server disconnects, or speaks another protocol', async t => {
  for (const port of [
    await listener(socket => socket.destroy()),
    await listener(socket => socket.end('SSH-2.0-OpenSSH\r\n')),
  ]) {
    await t.rejects(ask({ port, host: 'localhost', path: '/' }), { name: 'NoReply', trouble: 'foreign' });
  }
});
