/** What a trust store is to Platen: a place where this computer or its browsers keep the certificates that they accept. */

export interface PublicCertificate {
  readonly pem: string;
  /** Upper-case hexadecimal without colons, as Windows shows it. */
  readonly sha1: string;
}

export interface TrustStore {
  /** For a person, and one of its kind: `the browser database /home/a/.pki/nssdb`. */
  readonly name: string;
  trusted(certificate: PublicCertificate): Promise<boolean>;
  /** Idempotent. @throws {TrustError} */
  add(certificate: PublicCertificate): Promise<void>;
  /** Also what was put there and is not trusted any more. Idempotent. @returns whether it was there @throws {TrustError} */
  remove(certificate: PublicCertificate): Promise<boolean>;
}

/** `administrator`: the account may not; `no-tool`: the system lacks the program for it; `failed`: the program said no. */
export type TrustFault = 'administrator' | 'no-tool' | 'failed';

export class TrustError extends Error {
  override readonly name = 'TrustError';
  readonly code = 'trust';
  readonly fault: TrustFault;

  /** @param message a sentence that stands alone, with what to do */
  constructor(fault: TrustFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}
