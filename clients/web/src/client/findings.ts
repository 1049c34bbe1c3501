/** What keeps a page from scanning, each with one remedy. */

/**
 * `not-installed`, `not-running`, `certificate-not-trusted`, `permission-denied` (by the browser, to reach this computer), `insecure-page` (which the browser lets reach nothing here),
 * `content-security-policy` (the page's own), `origin-refused` (by the service's configuration), `other-program` (at the service's port), `wrong-version`, `not-responding`,
 * `unhealthy`, `desktop-app-away`, `no-scanner`, `scanner-offline`.
 */
export type DiagnosisCode =
  | 'not-installed'
  | 'not-running'
  | 'certificate-not-trusted'
  | 'permission-denied'
  | 'insecure-page'
  | 'content-security-policy'
  | 'origin-refused'
  | 'other-program'
  | 'wrong-version'
  | 'not-responding'
  | 'unhealthy'
  | 'desktop-app-away'
  | 'no-scanner'
  | 'scanner-offline';

export interface Finding {
  /** A list: one of these, which nothing on a page can tell apart. */
  readonly problem: DiagnosisCode | readonly DiagnosisCode[];
  /** What is wrong, for a person. */
  readonly sentence: string;
  /** What to do about it. */
  readonly remedy: string;
}

/** What only the person at the computer can see. */
export function unreachable(baseUrl: string, dismissed: boolean): Finding {
  return {
    problem: [
      'not-installed',
      'not-running',
      'certificate-not-trusted',
      ...(dismissed ? ['permission-denied' as const] : []),
    ],
    sentence: `Nothing answers at ${baseUrl}: the scanning service is not installed, not running, or its certificate is not trusted by this browser${dismissed ? ", or the browser's question about the local network was not answered with Allow" : ''}.`,
    remedy:
      `Open ${baseUrl}/ in a new tab. Where the tab warns of the certificate, run "platen cert install" and restart the browser. Where it cannot connect, start the service, or install it first.` +
      (dismissed
        ? ' Where it shows the service, reload this page and allow it to reach this computer when the browser asks.'
        : ''),
  };
}

const one = (problem: DiagnosisCode | readonly DiagnosisCode[], sentence: string, remedy: string): Finding => ({
  problem,
  sentence,
  remedy,
});

export const refusedPort = (baseUrl: string): Finding =>
  one(
    ['not-installed', 'not-running'],
    `No program listens at ${baseUrl}: the scanning service is not installed or not running.`,
    'Start the service, or install it first. "platen doctor" on that computer says what keeps it from starting.',
  );

export const untrusted = (baseUrl: string): Finding =>
  one(
    'certificate-not-trusted',
    `The certificate of the scanning service at ${baseUrl} is not trusted.`,
    'Run "platen cert install" on this computer, and restart what asked; Node is told with NODE_EXTRA_CA_CERTS.',
  );

export const denied = (framed: boolean): Finding =>
  one(
    'permission-denied',
    'The browser does not allow this page to reach programs on this computer.',
    framed
      ? 'Allow "Local network access" (or "Apps on device") for this site in the browser\'s site settings; and the page that this one is a frame of must let it: <iframe allow="local-network-access; loopback-network">.'
      : 'Allow "Local network access" (or "Apps on device") for this site in the browser\'s site settings, left of the address, then reload the page.',
  );

export const insecure = (): Finding =>
  one(
    'insecure-page',
    'This page came over plain HTTP, and the browser lets only secure pages reach programs on this computer.',
    'Serve the page over HTTPS.',
  );

export const policy = (baseUrl: string): Finding =>
  one(
    'content-security-policy',
    "This page's own Content-Security-Policy forbids it to call the scanning service.",
    `Add ${baseUrl} to connect-src of the page's Content-Security-Policy (and to script-src where the module is imported from there).`,
  );

export const refused = (baseUrl: string): Finding =>
  one(
    ['origin-refused', 'other-program'],
    `Something answers at ${baseUrl}, but not to this page: the service's configuration does not list this page's origin, or another program uses the port.`,
    'Add this page\'s origin to security.allowedOrigins in the service\'s configuration and restart it. Where it is listed, "platen doctor" says who uses the port.',
  );

export const other = (baseUrl: string): Finding =>
  one(
    'other-program',
    `What answers at ${baseUrl} is not the scanning service.`,
    'Run "platen doctor": it says who uses the port. End that program, or give the service another port with PLATEN_PORT and the page its address.',
  );

export const outdated = (): Finding =>
  one(
    'wrong-version',
    'The scanning service is too old: it does not say its version.',
    'Update the scanning service on this computer.',
  );

export const silent = (baseUrl: string, asking: boolean): Finding =>
  one(
    asking ? ['permission-denied', 'not-responding'] : 'not-responding',
    `The scanning service at ${baseUrl} does not answer${asking ? ', or the browser is still asking whether this page may reach it' : ''}.`,
    asking
      ? "Answer the browser's question with Allow. Where it asks nothing, restart the service."
      : 'Restart the service.',
  );

export const unhealthy = (): Finding =>
  one(
    'unhealthy',
    'The scanning service says that it is not healthy.',
    'Its log says why; "platen doctor" on that computer goes through everything that it needs.',
  );

export const desktopAway = (): Finding =>
  one(
    'desktop-app-away',
    'The desktop application, which has the scanners, is not connected to the scanning service.',
    'Start the desktop application ("platen host") in the session of whoever scans; the service finds it within five seconds.',
  );

export const noScanner = (): Finding =>
  one(
    'no-scanner',
    'The scanning service finds no scanner.',
    'Connect the scanner and switch it on; where it is on, install its driver.',
  );

export const offline = (names: readonly string[]): Finding =>
  one(
    'scanner-offline',
    `No scanner is online: ${names.join(', ')}.`,
    'Switch the scanner on, and check its cable or its network.',
  );
