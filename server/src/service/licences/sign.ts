/** What a vendor does with the keys of licences: makes a pair, and signs. */
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { ConfigError } from '../../machine/configError.js';
import { LICENCE_TYPE } from './licence.js';

export interface LicenceClaims {
  readonly plugins: readonly string[];
  readonly customer: string;
  readonly until: Date;
  readonly from?: Date | undefined;
  readonly seats?: number | undefined;
  /** Days after the end in which the plugin goes on. */
  readonly grace?: number | undefined;
  readonly machines: readonly string[];
  readonly trial: boolean;
}

/** Ed25519, in PEM. */
export function newKeys(): { readonly privateKey: string; readonly publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    publicKey: String(publicKey.export({ type: 'spki', format: 'pem' })),
  };
}

/** @param key a private key in PEM @param file named in the error @throws {ConfigError} if it is none for Ed25519 */
export async function signLicence(claims: LicenceClaims, key: string, file: string, now: Date): Promise<string> {
  const { SignJWT } = await import('jose');
  const { plugins, customer, until, from, seats, grace, machines, trial } = claims;
  const signing = new SignJWT({
    ...(seats === undefined ? {} : { seats }),
    ...(grace === undefined ? {} : { grace }),
    ...(machines.length > 0 ? { machine: [...machines] } : {}),
    ...(trial ? { trial } : {}),
  })
    .setProtectedHeader({ alg: 'EdDSA', typ: LICENCE_TYPE })
    .setAudience([...plugins])
    .setSubject(customer)
    .setIssuedAt(now)
    .setExpirationTime(until);
  if (from) signing.setNotBefore(from);
  return signing.sign(privateKeyIn(key, file));
}

function privateKeyIn(pem: string, file: string): ReturnType<typeof createPrivateKey> {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Told below.
  }
  throw new ConfigError(`${file} is not a private Ed25519 key in PEM. Make one with: platen licence keys.`, {
    code: 'usage',
  });
}
