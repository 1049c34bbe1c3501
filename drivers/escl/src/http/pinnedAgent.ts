/** TLS connections to a device with a self-signed certificate, each verified against its pin before it is used. */
import { constants } from 'node:crypto';
import type { Agent } from 'node:https';
import type { Duplex } from 'node:stream';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { EsclError } from './esclError.js';
import type { CertificatePins } from './certificatePins.js';

/** Old devices take two seconds for a handshake. */
const HANDSHAKE_MS = 15_000;

type Created = (error: Error | null, socket?: Duplex) => void;

/**
 * Makes the agent verify certificates against the pins. Scanners are used for decades: old versions of TLS, short keys and
 * servers without RFC 5746 are accepted, since trust rests on the pin.
 */
export function pinnedAgent(agent: Agent, deviceId: string, pins: CertificatePins): Agent {
  const createConnection = (options: ConnectionOptions, created: Created): undefined => {
    const socket = connect({
      ...options,
      rejectUnauthorized: false,
      minVersion: 'TLSv1',
      ciphers: 'DEFAULT@SECLEVEL=0',
      secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT,
    });
    const failed = (error: Error) => created(error);
    socket.once('error', failed);
    socket.setTimeout(HANDSHAKE_MS, () =>
      socket.destroy(new EsclError('no response', 'it does not complete the TLS handshake')),
    );
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

async function verify(socket: TLSSocket, deviceId: string, pins: CertificatePins): Promise<void> {
  // A certificate issued by a trusted authority for this name needs no pin.
  if (socket.authorized) return;
  const { fingerprint256 } = socket.getPeerCertificate();
  if (!fingerprint256) throw new EsclError('untrusted', 'it has no certificate');
  if (await pins.accepts(deviceId, fingerprint256)) return;
  throw new EsclError(
    'untrusted',
    `its certificate has changed since its first use: if the scanner was reset or replaced, remove "${deviceId}" from ${pins.file}`,
  );
}
