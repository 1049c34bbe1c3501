/** Why a page cannot scan: checks, in dependency order. */
import { isFramed, isInsecure, localNetworkPermission, watchPolicy } from './browser.js';
import { PlatenError, type PlatenErrorCode } from './errors.js';
import { finding, type Finding } from './findings.js';
import { health } from './health.js';
import { cancelled, type CallOptions, type Service } from './service.js';
import type { Scanner } from './shapes.js';
import { limited } from './waiting.js';

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
      if (codeOf(error) !== 'wrong-version') throw error;
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

const address = ({ baseUrl }: Service): { readonly address: string } => ({ address: baseUrl });

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
      return finding((await localNetworkPermission()) === 'prompt' ? 'silent-or-asking' : 'silent', at);
    case 'origin-refused':
      return finding('refused', at);
    case 'consent-required':
    case 'consent-refused':
    case 'token-required':
      return finding(code, { ...at, link: (error as PlatenError).link ?? `${service.baseUrl}/origins/` });
    case 'desktop-app-away':
      return finding('desktop-away');
    case 'failed':
      return finding('unhealthy');
    default:
      return finding('other', at);
  }
}

/** A browser tells a page only that a request failed; other checks find the cause. */
async function whyNoAnswer(error: unknown, service: Service, inTime: InTime): Promise<Finding> {
  const { baseUrl } = service;
  const at = address(service);
  const system = systemCodeOf(error);
  if (system === 'ECONNREFUSED') return finding('refused-port', at);
  if (system !== undefined && /CERT|SIGNED/.test(system)) return finding('untrusted', at);
  const watch = watchPolicy(baseUrl);
  try {
    // Even an unreadable answer shows that the certificate is trusted and that the browser allows the request.
    if (await inTime(limit => service.answers(limit))) return finding('refused', at);
    if (await watch.forbade()) return finding('policy', at);
  } finally {
    watch.end();
  }
  const permission = await localNetworkPermission();
  if (permission !== undefined && isInsecure()) return finding('insecure');
  if (permission === 'denied') return finding(isFramed() ? 'denied-in-frame' : 'denied');
  return finding(permission === 'prompt' ? 'unreachable-or-not-allowed' : 'unreachable', at);
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
