/** A scan in the service, over a connection that breaks and a service that ends; the routes are tested in test/scan. */
import { createHash } from 'node:crypto';
import { codeOf, ScanError, type FinishedPage } from '@platen/core';
import t from 'tap';
import { NoReply } from '../../machine/ask.js';
import type { WritePage } from './backend.js';
import type { Asked, ServiceCalls } from './serviceCalls.js';
import { startServiceScan } from './serviceScan.js';

type Event = readonly [event: 'page' | 'state' | 'progress', data: object] | 'break';

const dataOf = (number: number): Buffer => Buffer.from(`page ${number}`);
const page = (number: number, more: object = {}): Event => {
  const bytes = dataOf(number);
  const facts = { sheet: number, side: 'front', width: 8, height: 9, format: 'Png', mimeType: 'image/png' };
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const url = `/api/scans/s/pages/${number}`;
  const read = { barcodes: [], ocrText: '', report: [] };
  return ['page', { number, ...facts, ...read, resolution: 75, bytes: bytes.length, sha256, url, ...more }];
};
const state = (name: string, more: object = {}): Event => ['state', { state: name, notes: [], pageCount: 0, ...more }];

interface Told {
  /** What each stream of events sends. */
  readonly streams: readonly (readonly Event[] | Error)[];
  readonly write?: WritePage;
  /** Replaces the bytes of pages. */
  readonly bytes?: (path: string) => Promise<Buffer>;
  readonly start?: () => Promise<object>;
}

/** A scan in a service that answers as told; `asked` are the calls with a verb and the ids that streams began after. */
function scanning({ streams, write, bytes, start }: Told) {
  const asked: string[] = [];
  const written: FinishedPage[] = [];
  let stream = 0;
  const calls: Omit<ServiceCalls, 'stream'> = {
    address: { host: 'localhost', port: 1 },
    async json<T>(path: string, { method = 'POST' }: Asked = {}) {
      asked.push(`${method} ${path}`);
      return (path === '/api/scans' && start ? await start() : { id: 's' }) as T;
    },
    bytes: bytes ?? (async path => dataOf(Number(path.split('/').at(-1)))),
    async events(_path, lastId = '') {
      asked.push(`events ${lastId}`.trim());
      const told = streams[stream++] ?? [];
      if (told instanceof Error) throw told;
      const events = [...told];
      return {
        midway: false,
        close: () => undefined,
        async next() {
          const event = events.shift();
          if (event === undefined || event === 'break') return 'end' as const;
          const [name, data] = event;
          const id = name === 'page' ? String((data as { number: number }).number) : '';
          return { event: name, id, data: JSON.stringify(data) };
        },
      };
    },
    async patiently(work) {
      for (let tries = 0; ; tries += 1) {
        try {
          return await work(() => (tries = 0));
        } catch (error) {
          if (!(error instanceof NoReply) || tries === 2) throw error;
        }
      }
    },
  };
  const run = startServiceScan(
    { scannerName: 'A', parameters: {} },
    {
      calls,
      async write(each) {
        const failure = await write?.(each);
        if (!failure) written.push(each);
        return failure;
      },
      leftOver: (id, pages) => `LEFT ${id} ${pages?.join() ?? 'all'}`,
    },
  );
  return { run, asked, written: () => written.map(({ pageNumber }) => pageNumber) };
}

t.test(
  'service scan: writes the pages in order, lets the scan go, has its notes with what follows the field',
  async t => {
    const notes = [
      { code: 'page-size-changed', text: 'pageSize A4 is too large.', field: 'pageSize' },
      { code: 'one-side-only', text: 'One side.', field: 'duplexMode' },
    ];
    const { run, asked, written } = scanning({
      streams: [[page(1), ['progress', { scanned: 2, finished: 1 }], page(2), state('completed', { notes })]],
    });
    t.equal(await run.over, undefined);
    t.same(written(), [1, 2]);
    t.same(asked, ['POST /api/scans', 'events', 'DELETE /api/scans/s']);
    t.same(run.notes, [{ ...notes[0], says: 'A4 is too large.' }, notes[1]]);
  },
);

t.test('service scan: a lost connection, continues after the last page that was written', async t => {
  let lost = 0;
  const { run, asked, written } = scanning({
    streams: [
      [page(1), 'break'],
      [],
      [page(2), page(3)],
      [page(3), state('failed', { code: 'paper-jam', error: 'Jam.' })],
    ],
    async bytes(path) {
      if (path.endsWith('3') && lost++ === 0) throw new NoReply('foreign', 'lost');
      return dataOf(Number(path.at(-1)));
    },
  });
  t.match(await run.over, { code: 'paper-jam', message: 'Jam.' });
  t.same(written(), [1, 2, 3]);
  t.same(asked, ['POST /api/scans', 'events', 'events 1', 'events 1', 'events 2', 'DELETE /api/scans/s']);
});

t.test('service scan: the service does not come back, the scan stays', async t => {
  const { run, asked, written } = scanning({ streams: [[page(1)]] });
  t.match(await run.over, { code: 'service-ended', message: /LEFT s all/ });
  t.same(written(), [1]);
  t.notOk(asked.some(each => each.startsWith('DELETE')));
});

t.test('service scan: a page that arrives changed is not written; the scan is cancelled and stays', async t => {
  const { run, asked, written } = scanning({
    streams: [[page(1), page(2), page(3), state('cancelled', { code: 'cancelled', error: 'Cancelled.' })]],
    bytes: async path => (path.endsWith('2') ? Buffer.from('PAGE 2') : dataOf(Number(path.at(-1)))),
  });
  t.match(await run.over, { code: 'storage-failed', message: /Page 2 .*LEFT s 2$/ });
  t.same(written(), [1, 3]);
  t.ok(asked.includes('POST /api/scans/s/cancel'));
  t.notOk(asked.some(each => each.startsWith('DELETE')));
});

t.test('service scan: a damaged page and a full disk, the first is the reason', async t => {
  const { run, written } = scanning({
    streams: [[page(1), page(2), page(3), state('completed')]],
    async bytes(path) {
      if (path.endsWith('1')) throw new ScanError('storage-failed', 'Page 1 is damaged.');
      return dataOf(Number(path.at(-1)));
    },
    write: async ({ pageNumber }) => (pageNumber === 2 ? new ScanError('storage-failed', 'Full.') : undefined),
  });
  t.match(await run.over, { code: 'storage-failed', message: 'Page 1 is damaged. LEFT s 1,2' });
  t.same(written(), [3]);
});

t.test('service scan: refused, and stopped before it began', async t => {
  const busy = scanning({ streams: [], start: () => Promise.reject(new ScanError('busy', 'Busy.')) });
  t.match(await busy.run.over, { code: 'busy', message: 'Busy.' });
  t.same(busy.asked, ['POST /api/scans']);

  let refuse = (_: Error): void => undefined;
  const opening = scanning({ streams: [], start: () => new Promise((_, reject) => (refuse = reject)) });
  const reason = new ScanError('cancelled', 'Stopped.');
  opening.run.end(reason);
  opening.run.end(new ScanError('cancelled', 'Stopped again.'));
  refuse(new ScanError('busy', 'The scan was cancelled before paper moved.'));
  t.equal(await opening.run.over, reason);
  t.same(opening.asked, ['POST /api/scans', 'POST /api/twain/cancel']);
});

t.test('service scan: stopped while the service starts it, cancels the scan that it gets', async t => {
  let accept = (_: object): void => undefined;
  const { run, asked } = scanning({
    streams: [[state('cancelled', { code: 'cancelled', error: 'Cancelled.' })]],
    start: () => new Promise(resolve => (accept = resolve)),
  });
  run.end(new ScanError('cancelled', 'Stopped.'));
  accept({ id: 's' });
  t.match(await run.over, { message: 'Stopped.' });
  t.ok(asked.includes('POST /api/scans/s/cancel'));
});

t.test('service scan: interrupted by the end of the service, all its pages are written', async t => {
  const { run, asked } = scanning({
    streams: [[page(1), state('interrupted', { code: 'service-ended', error: 'It ended.' })]],
  });
  t.equal(codeOf(await run.over), 'service-ended');
  t.equal(asked.at(-1), 'DELETE /api/scans/s');
});

const http = (code: string): Error => Object.assign(new Error(code), { code });

t.test('service scan: a refusal by HTTP is an error of the command', async t => {
  for (const code of ['unknown-path', 'host-refused'])
    await t.rejects(scanning({ streams: [], start: () => Promise.reject(http(code)) }).run.over, { code });
});

t.test('service scan: the restarted service does not have the scan', async t => {
  const { run, written } = scanning({ streams: [[page(1)], http('scan-not-found')] });
  t.equal(codeOf(await run.over), 'service-ended');
  t.same(written(), [1]);
});

t.test('service scan: the events are refused, the scan is cancelled and stays', async t => {
  const { run, asked } = scanning({ streams: [http('too-many-streams')] });
  t.match(await run.over, { code: 'internal', message: /LEFT s all$/ });
  t.equal(asked.at(-1), 'POST /api/scans/s/cancel');
});
