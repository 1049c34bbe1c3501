/** The problems that keep a page from scanning, each with its remedy. */

/**
 * `not-installed`, `not-running`, `certificate-not-trusted`, `permission-not-asked`, `permission-asked` (the browser's question is open), `permission-denied` (by the browser, to reach this computer), `frame-not-allowed` (by the page that embeds it), `insecure-page` (which the browser lets reach nothing here),
 * `content-security-policy` (the page's own), `origin-refused` (by the service's configuration), `consent-required` (of the person at this computer), `consent-refused` (by them), `token-required` (of a program), `other-program` (at the service's port), `unknown-path`, `not-responding`,
 * `unhealthy`, `not-connected`, `no-scanner`, `device-offline`.
 */
export type DiagnosisCode =
  | 'not-installed'
  | 'not-running'
  | 'certificate-not-trusted'
  | 'permission-not-asked'
  | 'permission-asked'
  | 'permission-denied'
  | 'frame-not-allowed'
  | 'insecure-page'
  | 'content-security-policy'
  | 'origin-refused'
  | 'consent-required'
  | 'consent-refused'
  | 'token-required'
  | 'other-program'
  | 'unknown-path'
  | 'not-responding'
  | 'unhealthy'
  | 'not-connected'
  | 'no-scanner'
  | 'device-offline';

export interface Finding {
  /** A list: one of these, which a page cannot distinguish. */
  readonly problem: DiagnosisCode | readonly DiagnosisCode[];
  /** What is wrong, for the user. */
  readonly sentence: string;
  /** What to do about it. */
  readonly remedy: string;
  /** Which of the sentences it is, and the values in it: to say it in another language. */
  readonly name: FindingName;
  readonly values: FindingValues;
}

/** `address`: the service's. `link`: of its page on which the person answers. `scanners`: their names. */
export interface FindingValues {
  readonly address?: string;
  readonly link?: string;
  readonly scanners?: string;
}

/** In English; values are in braces. */
export const findings = {
  unreachable: {
    problem: ['not-installed', 'not-running', 'certificate-not-trusted'],
    sentence:
      'Nothing answers at {address}: the scanning service is not installed, not running, or its certificate is not trusted by this browser.',
    remedy:
      'Open {address}/ in a new tab. If the tab warns about the certificate, run "platen cert install" and restart the browser. If it cannot connect, start the service, or install it first.',
  },
  'unreachable-or-not-allowed': {
    problem: ['not-installed', 'not-running', 'certificate-not-trusted', 'permission-denied'],
    sentence:
      "Nothing answers at {address}: the scanning service is not installed, not running, or its certificate is not trusted by this browser, or the browser's question about the local network was not answered with Allow.",
    remedy:
      'Open {address}/ in a new tab. If the tab warns about the certificate, run "platen cert install" and restart the browser. If it cannot connect, start the service, or install it first. If it shows the service, reload this page and allow it to reach this computer when the browser asks.',
  },
  'refused-port': {
    problem: ['not-installed', 'not-running'],
    sentence: 'No program listens at {address}: the scanning service is not installed or not running.',
    remedy: 'Start the service, or install it first. If it does not start, "platen doctor" on that computer says why.',
  },
  untrusted: {
    problem: 'certificate-not-trusted',
    sentence: 'The certificate of the scanning service at {address} is not trusted.',
    remedy:
      'Run "platen cert install" on this computer, and restart the program that asked. For Node, set NODE_EXTRA_CA_CERTS.',
  },
  'not-asked': {
    problem: 'permission-not-asked',
    sentence: 'The browser has not yet asked whether this page may reach programs on this computer.',
    remedy: 'Connect to the scanning service, and answer the browser\'s question with "Allow".',
  },
  asking: {
    problem: 'permission-asked',
    sentence: 'The browser is asking whether this page may reach programs on this computer.',
    remedy: 'Answer the browser\'s question with "Allow". If you see no question, restart the scanning service.',
  },
  // What to click is in the browsers' own words: docs/browsers.md.
  denied: {
    problem: 'permission-denied',
    sentence: 'The browser does not allow this page to reach programs on this computer.',
    remedy:
      'Click "View site information", left of the address, allow "Apps on device" (older versions: "Local network access"), then reload the page. If it cannot be changed there, your administrator decides.',
  },
  'denied-in-firefox': {
    problem: 'permission-denied',
    sentence: 'Firefox does not allow this page to reach programs on this computer.',
    remedy:
      'Click the permissions icon left of the address, clear "Access this device", reload the page and answer "Allow".',
  },
  'denied-in-frame': {
    problem: ['permission-denied', 'frame-not-allowed'],
    sentence: 'Firefox does not allow this frame to reach programs on this computer.',
    remedy:
      'Click the permissions icon left of the address. If "Access this device" is blocked there, clear it, reload the page and answer "Allow". If it is not, the page that embeds this frame must allow it: <iframe allow="local-network-access; loopback-network">.',
  },
  'frame-not-allowed': {
    problem: 'frame-not-allowed',
    sentence: 'The page that embeds this frame does not allow it to reach programs on this computer.',
    remedy: 'Embed the frame with <iframe allow="local-network-access; loopback-network">.',
  },
  insecure: {
    problem: 'insecure-page',
    sentence:
      'This page was loaded over plain HTTP, and the browser lets only secure pages reach programs on this computer.',
    remedy: 'Serve the page over HTTPS.',
  },
  policy: {
    problem: 'content-security-policy',
    sentence: "This page's own Content-Security-Policy forbids calls to the scanning service.",
    remedy:
      "Add {address} to connect-src of the page's Content-Security-Policy (and to script-src if the module is imported from there).",
  },
  refused: {
    problem: ['origin-refused', 'other-program'],
    sentence:
      "Something answers at {address}, but not to this page: the service's configuration does not list this page's origin, or another program uses the port.",
    remedy:
      'Add this page\'s origin to security.origins in the service\'s configuration and restart the service. If it is listed, "platen doctor" says which program uses the port.',
  },
  'consent-required': {
    problem: 'consent-required',
    sentence: 'This page may not scan yet: nobody at this computer has allowed it.',
    remedy: 'Open {link}, allow this page, then try again.',
  },
  'consent-refused': {
    problem: 'consent-refused',
    sentence: 'This page was not allowed to scan at this computer.',
    remedy: 'To change the answer, open {link}.',
  },
  'token-required': {
    problem: 'token-required',
    sentence: 'The scanning service at {address} takes calls of programs only with its token.',
    remedy: "Give createClient({ token }) the token: it is in the file local.token of the service's data folder.",
  },
  other: {
    problem: 'other-program',
    sentence: 'The program that answers at {address} is not the scanning service.',
    remedy:
      'Run "platen doctor": it says which program uses the port. End that program, or set PLATEN_PORT to another port and use that address in the page.',
  },
  outdated: {
    problem: 'unknown-path',
    sentence: 'The scanning service is too old: it does not report its version.',
    remedy: 'Update the scanning service on this computer.',
  },
  silent: {
    problem: 'not-responding',
    sentence: 'The scanning service at {address} does not answer.',
    remedy: 'Restart the service.',
  },
  unhealthy: {
    problem: 'unhealthy',
    sentence: 'The scanning service reports that it is unhealthy.',
    remedy: 'Read its log, or run "platen doctor" on that computer: it checks everything that the service needs.',
  },
  'desktop-away': {
    problem: 'not-connected',
    sentence: 'The desktop application, which owns the scanners, is disconnected from the scanning service.',
    remedy:
      'Start the desktop application ("platen host") in the session of the person who scans. The service finds it within 5 s.',
  },
  'no-scanner': {
    problem: 'no-scanner',
    sentence: 'The scanning service finds no scanner.',
    remedy: 'Connect the scanner and switch it on. If it is on, install its driver.',
  },
  offline: {
    problem: 'device-offline',
    sentence: 'No scanner is online: {scanners}.',
    remedy: 'Switch the scanner on, and check its cable or its network.',
  },
} as const satisfies Readonly<Record<string, Pick<Finding, 'problem' | 'sentence' | 'remedy'>>>;

export type FindingName = keyof typeof findings;

export function finding(name: FindingName, values: FindingValues = {}): Finding {
  const { problem, sentence, remedy } = findings[name];
  const filled = (text: string): string =>
    text.replace(/\{(\w+)\}/g, (_, each: string) => values[each as keyof FindingValues] ?? '');
  return { problem, sentence: filled(sentence), remedy: filled(remedy), name, values };
}
