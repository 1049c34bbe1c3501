/** Why the service has no certificate that it can serve with. */

export type CertificateFault = 'missing' | 'expired' | 'not-yet-valid' | 'unreadable' | 'key-mismatch' | 'key-readable';

/** How to repair each: a certificate in the way is removed first, as the interface's remedy has it. */
const remedyOf = (fault: CertificateFault): string =>
  fault === 'missing'
    ? 'make one, with administrator rights: platen cert install, then start the service again'
    : 'replace it, both steps with administrator rights: platen cert remove, then: platen cert install, then start the service again';

export class CertificateError extends Error {
  override readonly name = 'CertificateError';
  readonly code = 'certificate';
  readonly fault: CertificateFault;
  /** A clause: what is wrong. */
  readonly what: string;
  /** A clause: what to do about it. */
  readonly remedy: string;

  /** @param what a clause without a full stop; the remedy follows it */
  constructor(fault: CertificateFault, what: string, options?: ErrorOptions) {
    super(`${what}; ${remedyOf(fault)}.`, options);
    this.fault = fault;
    this.what = what;
    this.remedy = remedyOf(fault);
  }
}
