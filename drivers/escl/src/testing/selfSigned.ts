/** A self-signed certificate as scanners have it, for a name that no client uses. */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface KeyPair {
  /** PEM. */
  readonly key: string;
  readonly cert: string;
}

/** Object identifiers in DER, without their header. */
const ECDSA_SHA256 = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
const COMMON_NAME = [0x55, 0x04, 0x03];

/** A new one on each call: for a device whose certificate has changed, make another. */
export function selfSigned(name = 'Platen Test Device'): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const algorithm = sequence(der(0x06, Buffer.from(ECDSA_SHA256)));
  const owner = sequence(der(0x31, sequence(der(0x06, Buffer.from(COMMON_NAME)), der(0x0c, Buffer.from(name)))));
  const validity = sequence(time('200101000000Z'), time('491231235959Z'));
  // A serial number is positive: its first bit is 0.
  const serial = der(0x02, Buffer.concat([Buffer.from([0x01]), randomBytes(8)]));
  const version = der(0xa0, der(0x02, Buffer.from([2])));
  const subjectKey = publicKey.export({ type: 'spki', format: 'der' });
  const body = sequence(version, serial, algorithm, owner, validity, owner, subjectKey);
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]));
  const lines =
    sequence(body, algorithm, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}

const time = (text: string): Buffer => der(0x17, Buffer.from(text));
const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, Buffer.concat(parts));

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const header = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...header]), content]);
}
