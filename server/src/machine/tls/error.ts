/** Why the service has no certificate that it can serve with. */

export type CertificateFault = 'missing' | 'expired' | 'not-yet-valid' | 'unreadable' | 'key-mismatch' | 'key-readable';

/** The fix for each fault: an existing certificate is removed first, as in the interface's remedy. */
const remedyOf = (fault: CertificateFault): string =>
  fault === 'missing'
    ? 'create one with administrator rights: platen cert install, then restart the service'
    : 'replace it with administrator rights: platen cert remove, then: platen cert install, then restart the service';

export class CertificateError extends Error {
  override readonly name = 'CertificateError';
  readonly code = 'certificate';
  readonly fault: CertificateFault;
  /** The fault, as a clause. */
  readonly what: string;
  /** The fix, as a clause. */
  readonly remedy: string;

  /** @param what a clause without a full stop; the remedy follows it */
  constructor(fault: CertificateFault, what: string, options?: ErrorOptions) {
    super(`${what}; ${remedyOf(fault)}.`, options);
    this.fault = fault;
    this.what = what;
    this.remedy = remedyOf(fault);
  }
}
