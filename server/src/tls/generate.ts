/** Generates a self-signed certificate for this computer and its key, as PEM. */
// @peculiar/x509 requires it.
import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

const HOUR_MS = 60 * 60 * 1000;
/** macOS rejects TLS certificates that are valid for more than 825 days, including the last second. */
const VALID_MS = 824 * 24 * HOUR_MS;
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

export async function generate(now: Date): Promise<{ key: string; cert: string }> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  // A virtual machine's clock may be slightly behind.
  const notBefore = new Date(now.getTime() - HOUR_MS);
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: serial.toString('hex'),
    name: 'CN=localhost, O=Platen on this computer',
    notBefore,
    notAfter: new Date(notBefore.getTime() + VALID_MS),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension([
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
        { type: 'ip', value: '::1' },
      ]),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { key: `${PemConverter.encode(pkcs8, 'PRIVATE KEY')}\n`, cert: `${certificate.toString('pem')}\n` };
}
