/** The problems that keep a page from scanning, each with its remedy. */

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
  /** A list: one of these, which a page cannot distinguish. */
  readonly problem: DiagnosisCode | readonly DiagnosisCode[];
  /** What is wrong, for the user. */
  readonly sentence: string;
  /** What to do about it. */
  readonly remedy: string;
}

/** Problems that only the user at the computer can distinguish. */
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
      `Open ${baseUrl}/ in a new tab. If the tab warns about the certificate, run "platen cert install" and restart the browser. If it cannot connect, start the service, or install it first.` +
      (dismissed
        ? ' If it shows the service, reload this page and allow it to reach this computer when the browser asks.'
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
    'Start the service, or install it first. If it does not start, "platen doctor" on that computer says why.',
  );

export const untrusted = (baseUrl: string): Finding =>
  one(
    'certificate-not-trusted',
    `The certificate of the scanning service at ${baseUrl} is not trusted.`,
    'Run "platen cert install" on this computer, and restart the program that asked. For Node, set NODE_EXTRA_CA_CERTS.',
  );

export const denied = (framed: boolean): Finding =>
  one(
    'permission-denied',
    'The browser does not allow this page to reach programs on this computer.',
    framed
      ? 'Allow "Local network access" (or "Apps on device") for this site in the browser\'s site settings. The page that embeds this frame must allow it, too: <iframe allow="local-network-access; loopback-network">.'
      : 'Allow "Local network access" (or "Apps on device") for this site in the browser\'s site settings, left of the address, then reload the page.',
  );

export const insecure = (): Finding =>
  one(
    'insecure-page',
    'This page was loaded over plain HTTP, and the browser lets only secure pages reach programs on this computer.',
    'Serve the page over HTTPS.',
  );

export const policy = (baseUrl: string): Finding =>
  one(
    'content-security-policy',
    "This page's own Content-Security-Policy forbids calls to the scanning service.",
    `Add ${baseUrl} to connect-src of the page's Content-Security-Policy (and to script-src if the module is imported from there).`,
  );

export const refused = (baseUrl: string): Finding =>
  one(
    ['origin-refused', 'other-program'],
    `Something answers at ${baseUrl}, but not to this page: the service's configuration does not list this page's origin, or another program uses the port.`,
    'Add this page\'s origin to security.allowedOrigins in the service\'s configuration and restart the service. If it is listed, "platen doctor" says which program uses the port.',
  );

export const other = (baseUrl: string): Finding =>
  one(
    'other-program',
    `The program that answers at ${baseUrl} is not the scanning service.`,
    'Run "platen doctor": it says which program uses the port. End that program, or set PLATEN_PORT to another port and use that address in the page.',
  );

export const outdated = (): Finding =>
  one(
    'wrong-version',
    'The scanning service is too old: it does not report its version.',
    'Update the scanning service on this computer.',
  );

export const silent = (baseUrl: string, asking: boolean): Finding =>
  one(
    asking ? ['permission-denied', 'not-responding'] : 'not-responding',
    `The scanning service at ${baseUrl} does not answer${asking ? ', or the browser is still asking whether this page may reach it' : ''}.`,
    asking
      ? "Answer the browser's question with Allow. If it does not ask, restart the service."
      : 'Restart the service.',
  );

export const unhealthy = (): Finding =>
  one(
    'unhealthy',
    'The scanning service reports that it is unhealthy.',
    'Read its log, or run "platen doctor" on that computer: it checks everything that the service needs.',
  );

export const desktopAway = (): Finding =>
  one(
    'desktop-app-away',
    'The desktop application, which owns the scanners, is disconnected from the scanning service.',
    'Start the desktop application ("platen host") in the session of the person who scans. The service finds it within 5 s.',
  );

export const noScanner = (): Finding =>
  one(
    'no-scanner',
    'The scanning service finds no scanner.',
    'Connect the scanner and switch it on. If it is on, install its driver.',
  );

export const offline = (names: readonly string[]): Finding =>
  one(
    'scanner-offline',
    `No scanner is online: ${names.join(', ')}.`,
    'Switch the scanner on, and check its cable or its network.',
  );
