/** A cached DNS-SD service instance: the records that resolve it, and the queries for them. */
import type { QueryPacket } from 'multicast-dns';
import { canonicalName, nextQuery, type CachedRecord } from './cachedRecord.js';
import type { HostAddresses } from './hostAddresses.js';

export type Question = NonNullable<QueryPacket['questions']>[number];

/** Times are milliseconds of a monotonic clock. */
export interface CachedService {
  readonly isTls: boolean;
  readonly fullName: string;
  /** The sender's address, if known. */
  readonly from: string | undefined;
  /** When it was last resolved, or first heard of. */
  unresolvedSince: number;
  /** Queries for its missing records. */
  queries: number;
  ptr: CachedRecord<null>;
  srv?: CachedRecord<{ readonly host: string; readonly port: number }> | undefined;
  txt?: CachedRecord<Readonly<Record<string, string>>> | undefined;
}

const MAX_QUESTIONS = 20;
/** When missing records are queried, in milliseconds after they were first missed. */
const missingQueries = [0, 500, 1500, 4000] as const;
/** An instance that is still unresolved after this is dropped. */
export const UNRESOLVED_MS = 8000;

export const hostOf = ({ srv }: CachedService): string => srv?.value.host ?? '';

export const isUnresolved = (service: CachedService, addresses: HostAddresses): boolean =>
  !service.srv || !service.txt || !addresses.has(hostOf(service));

/** The questions to send now, each once. They count as sent. */
export function dueQuestions(services: readonly CachedService[], addresses: HostAddresses, now: number): Question[] {
  const found = new Map<string, Question>();
  // Fewest queries first: a flood of names does not keep a scanner from being resolved.
  for (const service of [...services].sort((a, b) => a.queries - b.queries || b.unresolvedSince - a.unresolvedSince)) {
    if (found.size >= MAX_QUESTIONS) break;
    const isMissingDue =
      isUnresolved(service, addresses) && service.queries < missingQueries.length && now >= missingAt(service);
    for (const { question, record } of recordsOf(service, addresses)) {
      if (record ? now < nextQuery(record) : !isMissingDue) continue;
      if (record) record.queries++;
      found.set(`${question.type} ${question.name}`, question);
    }
    if (isMissingDue) service.queries++;
  }
  return [...found.values()];
}

/** When the next question is due, or the next record expires; Infinity without services. */
export function nextDue(services: readonly CachedService[], addresses: HostAddresses): number {
  const times = services.flatMap(service => [
    ...(isUnresolved(service, addresses) ? [missingAt(service)] : []),
    ...[...recordsOf(service, addresses)].flatMap(({ record }) =>
      record ? [Math.min(nextQuery(record), record.expiresAt)] : [],
    ),
  ]);
  return times.reduce((least, each) => Math.min(least, each), Infinity);
}

/** When its missing records are queried next; after the last query, when it is dropped. */
function missingAt(service: CachedService): number {
  return service.unresolvedSince + (missingQueries[service.queries] ?? UNRESOLVED_MS);
}

/** The questions for its records, each with the cached record, if any. */
function* recordsOf(
  service: CachedService,
  addresses: HostAddresses,
): Generator<{ readonly question: Question; readonly record: CachedRecord<unknown> | undefined }> {
  const name = canonicalName(service.fullName);
  const host = hostOf(service);
  const type = name.slice(name.lastIndexOf('._uscan') + 1);
  const all: Question = { name: type, type: 'PTR' };
  // A name with dots cannot be queried, as dots separate labels. The query for its type returns its records too.
  const hasDots = name.slice(0, -type.length - 1).includes('.');
  yield { question: all, record: service.ptr };
  yield { question: hasDots ? all : { name, type: 'SRV' }, record: service.srv };
  yield { question: hasDots ? all : { name, type: 'TXT' }, record: service.txt };
  if (service.srv) yield { question: { name: host, type: 'A' }, record: addresses.recordOf(host) };
}
