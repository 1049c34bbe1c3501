/**
 * Tells a certificate that `generate.ts` made from every other. Whoever trusts a file of another account with root's
 * rights asks here: a list of what a certificate must not have would always lack something.
 */
import { X509Certificate } from 'node:crypto';
import { signedWith, SPKI_BYTES, unsignedPart } from './generate.js';

/** 16 bytes, positive. */
const SERIAL = /^[4-7][\dA-F]{31}$/;

/**
 * Whether the text is one certificate as this version makes it, byte for byte: for localhost, signed by itself, valid
 * for 824 days, and without the right to sign others. Expired ones count too.
 */
export function isOwnCertificate(pem: string): boolean {
  try {
    const certificate = new X509Certificate(pem);
    const { publicKey, raw, serialNumber, validFrom } = certificate;
    const spki = publicKey.export({ type: 'spki', format: 'der' });
    if (pem.trim() !== certificate.toString().trim() || !SERIAL.test(serialNumber)) return false;
    if (publicKey.asymmetricKeyDetails?.namedCurve !== 'prime256v1' || spki.length !== SPKI_BYTES) return false;
    const unsigned = unsignedPart({
      serial: Buffer.from(serialNumber, 'hex'),
      notBefore: new Date(validFrom),
      spki,
    });
    // Nothing but the signature is taken from the certificate as it is; its bytes are the last ones.
    const length = raw.length - signedWith(unsigned, Buffer.alloc(SIGNATURE_BYTES)).length + SIGNATURE_BYTES;
    const signature = raw.subarray(-length);
    return length > 0 && signedWith(unsigned, signature).equals(raw) && certificate.verify(publicKey);
  } catch {
    return false;
  }
}

/** More than `platen cert install` makes. */
const MOST = 9;

/** @returns the text's certificates, if it consists of nothing but some that `isOwnCertificate` accepts; else none */
export function ownCertificatesIn(text: string): readonly string[] {
  const all = text.trim().split(/(?<=-----END CERTIFICATE-----)\s+/);
  return all.length <= MOST && all.every(isOwnCertificate) ? all.map(pem => `${pem}\n`) : [];
}

/** The most that ECDSA's signature with P-256 has. Fewer bytes leave the lengths around it as long as they are. */
const SIGNATURE_BYTES = 72;
