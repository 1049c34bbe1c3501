/** What the service knows before a scan: the scanners, what each can do, features, and profiles. */
import type { Ask, CallOptions, Service } from './transport/ask.js';
import type { StreamEvent } from './transport/events.js';
import { serviceEvents, type EventStreamOptions } from './eventStream.js';
import type { Capabilities, FeatureList, Scanner, StartParameters } from './shapes.js';

/** `details`: what the service can say beyond the interface. */
export type DetailOptions = CallOptions & { readonly details?: boolean };
type Consenting = Pick<Ask, 'consent'>;

export async function listScanners(
  service: Service,
  { details = false, search = true, ...options }: DetailOptions & Consenting & { readonly search?: boolean } = {},
): Promise<readonly Scanner[]> {
  const query = [...(details ? ['details=true'] : []), ...(search ? [] : ['search=false'])].join('&');
  const path = `/api/twain/scanners${query && `?${query}`}`;
  return (await service.json<{ readonly scanners: readonly Scanner[] }>(path, options)).scanners;
}

export async function capabilities(
  service: Service,
  scanner: string,
  { details = false, ...options }: DetailOptions & Consenting = {},
): Promise<Capabilities> {
  const path = `/api/twain/scanners/${encodeURIComponent(scanner)}/capabilities${details ? '?details=true' : ''}`;
  return (await service.json<{ readonly capabilities: Capabilities }>(path, options)).capabilities;
}

export async function profiles(
  service: Service,
  options?: CallOptions & Consenting,
): Promise<Readonly<Record<string, StartParameters>>> {
  const answer = await service.json<{ readonly profiles: Readonly<Record<string, StartParameters>> }>(
    '/api/profiles',
    options,
  );
  return answer.profiles;
}

export async function features(service: Service, options?: CallOptions): Promise<FeatureList> {
  type Answer = FeatureList & { readonly success?: unknown };
  const { success: _, ...list } = await service.json<Answer>('/api/features', options);
  return list;
}

/** That list, now and at each change. */
export const featureEvents = (
  service: Service,
  options: EventStreamOptions,
): AsyncGenerator<StreamEvent, never, undefined> => serviceEvents(service, '/api/features/events', options);
