/** A vendor of premium plugins, for tests: a key pair, and the licences that it signs. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { SignJWT, type JWTPayload } from 'jose';
import { LICENCE_TYPE } from './licence.js';

export interface Vendor {
  readonly publicKey: string;
  readonly privateKey: KeyObject;
  /** A licence for `@acme/reader` to Acme Clinic, until 2100; undefined claims are omitted. */
  licence(claims?: Readonly<Record<string, unknown>>, header?: Readonly<Record<string, unknown>>): Promise<string>;
}

export function createVendor(): Vendor {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    publicKey: String(publicKey.export({ type: 'spki', format: 'pem' })),
    privateKey,
    licence(claims = {}, header = {}) {
      const all = { aud: '@acme/reader', sub: 'Acme Clinic', exp: seconds('2100-01-01'), ...claims };
      return new SignJWT(JSON.parse(JSON.stringify(all)) as JWTPayload)
        .setProtectedHeader({ alg: 'EdDSA', typ: LICENCE_TYPE, ...header })
        .sign(privateKey);
    },
  };
}

/** Seconds since 1970, as in claims. */
export function seconds(day: string): number {
  return Date.parse(day) / 1000;
}
