/** A scan that changes while it is described: an answer and a stream never call it complete with fewer pages. */
import { type KeptScan, type StoredPage } from '@platen/core';
import { fakeClock, recordingLog } from '@platen/conformance';
import fastify from 'fastify';
import { FastifySSEPlugin } from 'fastify-sse-v2';
import t from 'tap';
import { scanBody } from '../shapes/scanBody.js';
import { createClients } from './clients.js';
import { kept, limits } from './eventStream.test.kit.js';
import { sendScanEvents } from './scanEvents.js';

const asIs = (sentence: string): string => sentence;

const pageOf = (pageNumber: number, check = async (): Promise<void> => undefined): StoredPage => {
  const stored = kept(5, { check });
  return { ...stored, page: { ...stored.page, pageNumber, sheet: pageNumber } };
};

/** @param onCheck called while the first page is checked */
function changing(
  state: KeptScan['state'],
  count: number,
  onCheck: (scan: { -readonly [K in keyof KeptScan]: KeptScan[K] }) => void,
) {
  let checks = 0;
  const check = async (): Promise<void> => void (checks++ === 0 && onCheck(scan));
  const pages = Array.from({ length: count }, (_, at) => pageOf(at + 1, check));
  const waits: (() => void)[] = [];
  const scan = {
    id: 's',
    origins: [''],
    kind: 'scan' as const,
    scannerName: 'Desk',
    createdAt: 5,
    state,
    notes: [],
    pages,
    get progress() {
      return { scanned: pages.length, finished: pages.length };
    },
    changed: () => new Promise<void>(resolve => waits.push(resolve)),
    cancel: () => undefined,
  };
  return { scan: scan as KeptScan, pages, waits };
}

t.test('scan: its last page comes while its pages are checked, it is not completed without that page', async t => {
  const { scan, pages } = changing('running', 2, its => {
    pages.push(pageOf(3));
    its.state = 'completed';
  });
  t.match(await scanBody(scan, asIs), { state: 'running', pageCount: 2, pages: { length: 2 } });
  t.match(await scanBody(scan, asIs), { state: 'completed', pageCount: 3, pages: { length: 3 } });
});

async function streamed(scan: KeptScan, isKept: () => boolean): Promise<string> {
  const app = fastify();
  await app.register(FastifySSEPlugin);
  const clock = fakeClock();
  const tools = { clients: createClients(limits, clock), clock, log: recordingLog(), forPages: asIs };
  app.get('/', async (_request, reply) => {
    sendScanEvents(scan, { after: 0, isKept }, reply, tools);
    return reply;
  });
  const { body } = await app.inject('/');
  return body;
}

t.test('events: the scan is let go while they are sent, the stream ends without a state', async t => {
  let isKept = true;
  const { scan, pages } = changing('completed', 3, () => {
    isKept = false;
    pages.splice(0);
  });
  const text = await streamed(scan, () => isKept);
  t.match(text, /^event: page$/m);
  t.notMatch(text, /^event: state$/m);
});

t.test('events: of a scan that ended, nothing waits for its next change', async t => {
  const { scan, waits } = changing('completed', 3, () => undefined);
  t.match(await streamed(scan, () => true), /^id: 3\.completed$/m);
  t.equal(waits.length, 0);
});
