/** A service in which a person must allow a page, as its `fetch`: no socket, so that tests can advance the clock. */
import { mock } from 'node:test';
import type { Right } from '../errors.js';

// The client loads it when it must ask; the mocked clock would run away meanwhile.
await import('./consent.js');

export interface Sent {
  /** `POST /api/scans` */
  readonly call: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface ConsentService {
  readonly fetch: typeof fetch;
  readonly sent: readonly Sent[];
  /** Requests of this call. */
  of(call: string): readonly Sent[];
  allow(...may: Right[]): void;
  refuse(): void;
  /** Nobody answered. */
  lapse(): void;
  /** Nothing is allowed any more, and nobody was asked. */
  revoke(): void;
  /** Requests fail, or not. */
  away(is: boolean): void;
}

export const baseUrl = 'https://service.test';
export const linkTo = (question: number): string => `${baseUrl}/origins/#q${question}`;

const scan = {
  ...{ success: true, id: 'b1', kind: 'scan', scannerName: 'Feeder', createdAt: '2026-01-01T00:00:00.000Z', notes: [] },
  ...{ state: 'running', pageCount: 0, pages: [], progress: { scanned: 0, finished: 0 } },
};
const answers: Readonly<Record<string, object>> = {
  'GET /': { service: 'fake', status: 'running' },
  'GET /api/twain/scanners': { success: true, scanners: [] },
  'POST /api/scans': scan,
  'GET /api/scans': { success: true, scans: [], count: 0 },
  'POST /api/twain/autoscan/enable': { success: true, message: 'on' },
};

/** @param stream what the events of auto-scan say before they end */
export function consentService({ pass, stream = '' }: { pass?: string; stream?: string } = {}): ConsentService {
  const sent: Sent[] = [];
  let may: readonly Right[] | undefined;
  let questions = 0;
  let isOpen = false;
  let isAway = false;
  const rightOf = (call: string): Right => (call.includes('/autoscan/') ? 'auto-scan' : 'scan');
  const link = (): string => (isOpen ? linkTo(questions) : `${baseUrl}/origins/`);
  const put = (): void => {
    if (!isOpen) questions++;
    isOpen = true;
  };
  const state = (): string => (may ? (may.length > 0 ? 'granted' : 'refused') : isOpen ? 'asked' : 'none');
  const answer = (value: object, status = 200, header?: object): Response =>
    Response.json(value, { status, ...(header ? { headers: { 'platen-error': JSON.stringify(header) } } : {}) });

  function answerTo(call: string, headers: Sent['headers'], body: unknown): Response {
    if (call === 'POST /api/consent') {
      const wanted = (body as { may: Right[] }).may;
      if (may?.length !== 0 && !wanted.every(each => may?.includes(each))) put();
    }
    if (call.endsWith(' /api/consent'))
      return answer({
        ...{ success: true, mode: 'ask', state: state(), may: may ?? [], link: link() },
        ...(pass !== undefined && call.startsWith('POST') ? { pass } : {}),
      });
    const right = rightOf(call);
    const isProven = pass === undefined || headers['authorization'] === `Bearer ${pass}`;
    if (call.includes('/api/') && !(may?.includes(right) && isProven)) {
      const isNo = may?.length === 0;
      // With a pass, the question is that of the page which has it.
      if (!isNo && pass === undefined) put();
      const code = isNo ? 'consent-refused' : 'consent-required';
      return answer({ success: false, error: `A sentence with ${link()}` }, 403, { code, link: link(), may: [right] });
    }
    if (call.startsWith('GET /api/twain/autoscan/events'))
      return new Response(stream, { headers: { 'content-type': 'text/event-stream', 'x-autoscan-series': '1' } });
    return answer(answers[call] ?? { success: true, message: 'done' });
  }

  return {
    sent,
    of: call => sent.filter(each => each.call === call),
    async fetch(input, init = {}) {
      const { pathname } = new URL(String(input));
      const call = `${init.method ?? 'GET'} ${pathname}`;
      const headers = init.headers as Sent['headers'];
      const body = typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined;
      init.signal?.throwIfAborted();
      sent.push({ call, headers, body });
      if (isAway) throw new TypeError('Failed to fetch');
      return answerTo(call, headers, body);
    },
    allow(...rights) {
      [may, isOpen] = [rights, false];
    },
    refuse() {
      [may, isOpen] = [[], false];
    },
    lapse: () => void (isOpen = false),
    revoke() {
      [may, isOpen] = [undefined, false];
    },
    away: is => void (isAway = is),
  };
}

/** Advances the mocked clock in small steps until it is so. */
export async function passUntil(isSo: () => boolean): Promise<void> {
  for (let steps = 0; !isSo(); steps++) {
    if (steps > 2000) throw new Error('It never became so.');
    mock.timers.tick(100);
    await new Promise(resolve => setImmediate(resolve));
  }
}

/** The same until it settles. */
export async function passing<T>(promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const end = (): void => void (isSettled = true);
  promise.then(end, end);
  await passUntil(() => isSettled);
  return promise;
}

/** Lets everything happen that needs no time. */
export async function settle(): Promise<void> {
  for (let turns = 0; turns < 20; turns++) await new Promise(resolve => setImmediate(resolve));
}
