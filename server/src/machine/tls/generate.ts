/** Generates a self-signed certificate for this computer (RFC 5280) and its key, as PEM. */
import { createHash, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';
import {
  bits,
  boolean,
  implicit,
  integer,
  objectId,
  octets,
  printableString,
  sequence,
  set,
  tagged,
  time,
} from './der.js';

const HOUR_MS = 60 * 60 * 1000;
/** macOS rejects TLS certificates that are valid for more than 825 days, including the last second. */
const VALID_MS = 824 * 24 * HOUR_MS;

/** A subject public key of P-256: 26 bytes of structure, and an uncompressed point. */
export const SPKI_BYTES = 91;

const ecdsaWithSha256 = sequence(objectId('1.2.840.10045.4.3.2'));
const localhost = sequence(
  set(sequence(objectId('2.5.4.3'), printableString('localhost'))),
  set(sequence(objectId('2.5.4.10'), printableString('Platen on this computer'))),
);

export function generate(now: Date): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  // A virtual machine's clock may be slightly behind.
  const notBefore = new Date(now.getTime() - HOUR_MS);
  const serial = randomBytes(16);
  // Positive, and always 16 bytes.
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  const unsigned = unsignedPart({ serial, notBefore, spki });
  const certificate = new X509Certificate(signedWith(unsigned, sign('sha256', unsigned, privateKey)));
  return { key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })), cert: certificate.toString() };
}

export interface Unsigned {
  /** 16 bytes, the first from 0x40 to 0x7f. */
  readonly serial: Buffer;
  readonly notBefore: Date;
  /** The subject's public key, in DER. */
  readonly spki: Buffer;
}

/** What is signed: everything but these three is the same in each of our certificates. */
export function unsignedPart({ serial, notBefore, spki }: Unsigned): Buffer {
  return sequence(
    tagged(0, integer(Buffer.from([2]))), // version 3
    integer(serial),
    ecdsaWithSha256,
    localhost,
    sequence(time(notBefore), time(new Date(notBefore.getTime() + VALID_MS))),
    localhost,
    spki,
    tagged(3, sequence(...extensions(spki))),
  );
}

/** @returns the whole certificate, in DER */
export const signedWith = (unsigned: Buffer, signature: Buffer): Buffer =>
  sequence(unsigned, ecdsaWithSha256, bits(signature));

function extensions(spki: Buffer): Buffer[] {
  return [
    // A leaf: it cannot sign others.
    extension('2.5.29.19', sequence(), { critical: true }),
    // Key usage: digital signature.
    extension('2.5.29.15', bits(Buffer.from([0x80]), 7), { critical: true }),
    // Extended key usage: server authentication.
    extension('2.5.29.37', sequence(objectId('1.3.6.1.5.5.7.3.1'))),
    // Alternative names: a DNS name, and addresses.
    extension(
      '2.5.29.17',
      sequence(
        implicit(2, Buffer.from('localhost')),
        implicit(7, Buffer.from([127, 0, 0, 1])),
        implicit(7, Buffer.from([...Array<number>(15).fill(0), 1])),
      ),
    ),
    // The key's identifier: the hash of its point, the end of the structure around it.
    extension('2.5.29.14', octets(createHash('sha1').update(spki.subarray(-POINT_BYTES)).digest())),
  ];
}

/** An uncompressed point of P-256: 4, then two coordinates of 32 bytes. */
const POINT_BYTES = 65;

function extension(id: string, value: Buffer, { critical = false } = {}): Buffer {
  return sequence(objectId(id), ...(critical ? [boolean(true)] : []), octets(value));
}
