/** TLS connections to a device that made its certificate itself: none is used before the certificate is known to be the device's. */
import { constants } from 'node:crypto';
import type { Agent } from 'node:https';
import type { Duplex } from 'node:stream';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { EsclFault } from './esclFault.js';
import type { Pins } from './pins.js';

/** Milliseconds; old devices take two seconds for it. */
const HANDSHAKE = 15_000;

type Created = (error: Error | null, socket?: Duplex) => void;

/** Makes this agent's connections pinned ones. Scanners live long: old versions of TLS, short keys and servers without RFC 5746 are taken, since it is the pin that is trusted. */
export function pinnedConnections(agent: Agent, deviceId: string, pins: Pins): Agent {
  const createConnection = (options: ConnectionOptions, created: Created): undefined => {
    const socket = connect({ ...options, rejectUnauthorized: false, minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0', secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT });
    const failed = (error: Error) => created(error);
    socket.once('error', failed);
    socket.setTimeout(HANDSHAKE, () => socket.destroy(new EsclFault('silent', 'it does not answer to a secure connection')));
    socket.once('secureConnect', () => {
      socket.setTimeout(0);
      void verify(socket, deviceId, pins).then(
        () => {
          socket.off('error', failed);
          created(null, socket);
        },
        (error: unknown) => {
          socket.destroy();
          created(error instanceof Error ? error : new Error(String(error)));
        },
      );
    });
    return undefined;
  };
  return Object.assign(agent, { createConnection });
}

async function verify(socket: TLSSocket, deviceId: string, pins: Pins): Promise<void> {
  // One that a certificate authority vouches for, for this name, needs no memory.
  if (socket.authorized) return;
  const { fingerprint256 } = socket.getPeerCertificate();
  if (!fingerprint256) throw new EsclFault('not trusted', 'it has no certificate');
  if (await pins.accepts(deviceId, fingerprint256)) return;
  throw new EsclFault(
    'not trusted',
    `its certificate is not the one that it had when it was first used: if it was reset or replaced, remove "${deviceId}" from ${pins.file}`,
  );
}
