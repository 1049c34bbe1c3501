/** A trust store: the certificates that this computer or one of its browsers accepts. */

export interface PublicCertificate {
  readonly pem: string;
  /** Upper-case hexadecimal without colons, as Windows shows it. */
  readonly sha1: string;
  /** Where it is in the data folder, for commands in messages. */
  readonly file?: string;
}

export interface TrustStore {
  /** For a person, and unique: `the browser database /home/a/.pki/nssdb`. */
  readonly name: string;
  trusted(certificate: PublicCertificate): Promise<boolean>;
  /** Whether a person confirms each certificate. */
  readonly asks: boolean;
  /** Idempotent. Some may be added before it fails. @throws {TrustError} */
  add(certificates: readonly PublicCertificate[]): Promise<void>;
  /**
   * Also removes a certificate that is present but no longer trusted. Idempotent.
   * @returns whether it was there
   * @throws {TrustError}
   */
  remove(certificate: PublicCertificate): Promise<boolean>;
}

/**
 * `administrator`: needs administrator rights; `no-tool`: the program for it is not installed; `foreign`: Platen did not
 * make the certificate, so it is left as it is; `failed`: the program failed.
 */
export type TrustFault = 'administrator' | 'no-tool' | 'foreign' | 'failed';

export class TrustError extends Error {
  override readonly name = 'TrustError';
  readonly code = 'trust';
  readonly fault: TrustFault;

  /** @param message a complete sentence, with the fix */
  constructor(fault: TrustFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}
