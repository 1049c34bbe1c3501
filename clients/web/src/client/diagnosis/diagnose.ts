/** Why a page cannot scan: checks, in dependency order. */
import {
  isFirefox,
  isFramed,
  isInsecure,
  isWithheldFromFrame,
  localNetworkPermission,
  watchPolicy,
} from '../transport/browser.js';
import { cancelled, PlatenError, type PlatenErrorCode } from '../errors.js';
import { finding, type Finding, type FindingName } from './findings.js';
import { health } from './health.js';
import type { CallOptions, Service } from '../transport/ask.js';
import type { Scanner } from '../shapes.js';
import { limited } from '../transport/waiting.js';

export interface Diagnosis {
  /** True if no problem was found. */
  readonly ok: boolean;
  /** In dependency order: fix the first one first. */
  readonly findings: readonly Finding[];
}

/** A service on this computer answers within milliseconds; a browser may first wait for the user's permission. */
const ANSWER_MS = 10_000;

/** Makes a call and aborts its signal when the answer takes too long. */
type InTime = <T>(call: (limit: AbortSignal) => Promise<T>) => Promise<T>;

export async function diagnose(service: Service, { signal }: CallOptions = {}): Promise<Diagnosis> {
  const findings = await look(service, signal);
  if (signal?.aborted) throw cancelled(signal);
  return { ok: findings.length === 0, findings };
}

async function look(service: Service, signal: AbortSignal | undefined): Promise<Finding[]> {
  const inTime: InTime = call => limited(ANSWER_MS, signal, call);
  const asked = <T>(path: string): Promise<T> =>
    inTime(limit => service.json<T>(path, { signal: limit, consent: false }));
  const found: Finding[] = [];
  try {
    const root = await asked<{ service?: unknown; status?: unknown }>('/');
    if (typeof root.service !== 'string' || typeof root.status !== 'string')
      return [finding('other', address(service))];
    const older = (error: unknown): void => {
      if (codeOf(error) !== 'unknown-path') throw error;
      found.splice(0, 1, finding('outdated'));
    };
    await asked('/api/twain/version').catch(older);
    const word = await inTime(limit => health(service, { signal: limit })).catch(older);
    if (word === 'Unhealthy') found.push(finding('unhealthy'));
    if (word === 'Degraded') return [...found, finding('desktop-away')];
    const { scanners } = await asked<{ scanners: Scanner[] }>('/api/twain/scanners');
    if (scanners.length === 0) found.push(finding('no-scanner'));
    else if (!scanners.some(({ isOnline }) => isOnline))
      found.push(finding('offline', { scanners: scanners.map(({ name }) => name).join(', ') }));
    return found;
  } catch (error) {
    return [...found, await causeOf(error, service, inTime)];
  }
}

export const address = ({ baseUrl }: Service): { readonly address: string } => ({ address: baseUrl });

const codeOf = (error: unknown): PlatenErrorCode | undefined => (error instanceof PlatenError ? error.code : undefined);

async function causeOf(error: unknown, service: Service, inTime: InTime): Promise<Finding> {
  const at = address(service);
  const code = codeOf(error);
  switch (code) {
    case 'no-answer':
      return whyNoAnswer(error, service, inTime);
    // An incomplete answer is not an error of this module.
    case undefined:
    case 'cancelled':
    case 'timeout':
      return finding((await localNetworkPermission()) === 'prompt' ? 'asking' : 'silent', at);
    case 'origin-refused':
      return finding('refused', at);
    case 'consent-required':
    case 'consent-refused':
    case 'token-required':
      return finding(code, { ...at, link: (error as PlatenError).link ?? `${service.baseUrl}/origins/` });
    case 'not-connected':
      return finding('desktop-away');
    case 'internal':
    case 'driver-failed':
    case 'storage-failed':
      return finding('unhealthy');
    default:
      return finding('other', at);
  }
}

/** A browser tells a page only that a request failed; other checks find the cause. */
async function whyNoAnswer(error: unknown, service: Service, inTime: InTime): Promise<Finding> {
  const at = address(service);
  const system = systemCodeOf(error);
  if (system === 'ECONNREFUSED') return finding('refused-port', at);
  if (system !== undefined && /CERT|SIGNED/.test(system)) return finding('untrusted', at);
  const outcome = await inTime(limit => attempt(service, limit));
  // Even an unreadable answer shows that the certificate is trusted and that the browser allows the request.
  if (outcome === 'answered') return finding('refused', at);
  return outcome === 'forbidden' ? finding('policy', at) : whyUnreachable(service);
}

/** Makes a request. `forbidden`: by the page's own policy. */
export async function attempt(service: Service, signal: AbortSignal): Promise<'answered' | 'forbidden' | 'failed'> {
  const watch = watchPolicy(service.baseUrl);
  try {
    if (await service.answers(signal)) return 'answered';
    return (await watch.forbade()) ? 'forbidden' : 'failed';
  } finally {
    watch.end();
  }
}

/** Why a request failed that the page's own policy allows. */
export async function whyUnreachable(service: Service): Promise<Finding> {
  const permission = await localNetworkPermission();
  return finding(nameOf(permission), address(service));
}

function nameOf(permission: PermissionState | undefined): FindingName {
  if (permission === undefined) return 'unreachable';
  if (isInsecure() && !isFirefox()) return 'insecure';
  if (permission === 'denied') return denial();
  return permission === 'prompt' ? 'unreachable-or-not-allowed' : 'unreachable';
}

function denial(): FindingName {
  if (isFirefox()) return isFramed() ? 'denied-in-frame' : 'denied-in-firefox';
  return isWithheldFromFrame() ? 'frame-not-allowed' : 'denied';
}

interface Caused {
  readonly code?: unknown;
  readonly cause?: Caused;
  /** Both addresses of localhost. */
  readonly errors?: readonly Caused[];
}

/** Node reports the cause that a browser hides. */
function systemCodeOf(error: unknown): string | undefined {
  for (let at = (error as Caused).cause; at; at = at.cause ?? at.errors?.[0])
    if (typeof at.code === 'string') return at.code;
  return undefined;
}
