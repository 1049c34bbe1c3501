/** Whether a page may call the service, without a question of the browser that its user does not expect. */
import { isOfThisComputer, localNetworkPermission } from '../transport/browser.js';
import { address, attempt, diagnose, whyUnreachable, type Diagnosis } from './diagnose.js';
import { finding, type Finding } from './findings.js';
import type { CallOptions, Service } from '../transport/ask.js';
import { cancelled } from '../errors.js';

export interface ReadyOptions extends CallOptions {
  /** Lets the browser ask the user whether this page may reach this computer: for a click. Default: false. */
  readonly ask?: boolean | undefined;
}

export async function ready(service: Service, { ask = false, signal }: ReadyOptions = {}): Promise<Diagnosis> {
  if (signal?.aborted) throw cancelled(signal);
  const permission = isOfThisComputer() ? undefined : await localNetworkPermission();
  const found = await beforeCalls(service, permission, ask, signal);
  if (signal?.aborted) throw cancelled(signal);
  return found ? { ok: false, findings: [found] } : diagnose(service, { signal });
}

/** What keeps the page from calling the service. */
async function beforeCalls(
  service: Service,
  permission: PermissionState | undefined,
  ask: boolean,
  signal = new AbortController().signal,
): Promise<Finding | undefined> {
  if (permission === 'denied') return whyUnreachable(service);
  if (permission !== 'prompt') return undefined;
  if (!ask) return finding('not-asked', address(service));
  // It lasts as long as the question is open. If it fails, another request could bring the question once more.
  const outcome = await attempt(service, signal);
  if (outcome === 'forbidden') return finding('policy', address(service));
  return outcome === 'failed' ? whyUnreachable(service) : undefined;
}
