/** `GET /api/scans/{id}/events`: every page once, in order, whoever reconnects. */
import type { IncomingMessage } from 'node:http';
import { fakeClock, fakeFormat } from '@platen/conformance';
import t from 'tap';
import { codeOf, service } from './scans.test.kit.js';

interface ServerEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: Record<string, unknown>;
}

function eventsOf(text: string): ServerEvent[] {
  return text
    .split('\n\n')
    .map(block => Object.fromEntries([...block.matchAll(/^(\w+): (.*)$/gm)].map(([, name, value]) => [name, value])))
    .flatMap(({ id, event, data }) =>
      event && data ? [{ id, event, data: JSON.parse(data) as ServerEvent['data'] }] : [],
    );
}
const idsOf = (events: readonly ServerEvent[]) => events.flatMap(({ id }) => id ?? []);

/** Reads events until `enough` of them are there, then hangs up. */
async function read(
  response: IncomingMessage,
  enough: (events: readonly ServerEvent[]) => boolean,
): Promise<ServerEvent[]> {
  let text = '';
  for await (const part of response.setEncoding('utf8')) {
    text += String(part);
    if (enough(eventsOf(text))) break;
  }
  return eventsOf(text);
}

t.test('events: pages, progress and how the scan ended', async t => {
  const { call, started, read: readScan } = await service(t, { sheets: 2 });
  const id = await started();
  const { statusCode, headers, body } = await call('GET', `/api/scans/${id}/events`);
  t.equal(statusCode, 200);
  t.match(headers, { 'content-type': /^text\/event-stream/, 'cache-control': /^no-store\b/ });
  const events = eventsOf(body);
  t.same(idsOf(events), ['1', '2', '2.completed']);
  const scan = await readScan(id);
  const pages = events.filter(({ event }) => event === 'page');
  t.same(
    pages.map(({ data }) => data),
    scan.pages,
  );
  t.same(events.at(-1), {
    id: '2.completed',
    event: 'state',
    data: { state: 'completed', notes: scan.notes, pageCount: 2 },
  });
  const progress = events.filter(({ event }) => event === 'progress').map(({ data }) => data);
  t.same(progress.at(-1), { scanned: 2, finished: 2 });
  t.same(new Set(progress.map(each => JSON.stringify(each))).size, progress.length, 'only what changed');
});

t.test('events: a failed scan has its code; continued, its stream goes on after the last page', async t => {
  const { call, started, driver } = await service(t, { sheets: 3, faults: { 2: 'paper-jam' } });
  const id = await started();
  const events = async (last?: string) => {
    const answer = await call('GET', `/api/scans/${id}/events`, last === undefined ? {} : { 'last-event-id': last });
    return { status: answer.statusCode, events: eventsOf(answer.body) };
  };
  const { events: first } = await events();
  t.match(first.at(-1), { id: '1.failed', data: { state: 'failed', code: 'paper-jam', error: /./, pageCount: 1 } });
  t.equal((await events('1.failed')).status, 204);
  driver.clearFaults();
  driver.load(2);
  await call('POST', `/api/scans/${id}/continue`);
  const { events: second } = await events('1.failed');
  t.equal(second.find(({ event }) => event === 'page')?.id, '2');
  t.match(second.at(-1), { data: { state: 'completed' } });
});

t.test('Last-Event-ID: from the page after it on', async t => {
  const { call, started, ended } = await service(t, { sheets: 3 });
  const id = await started();
  await ended(id);
  for (const [last, expected] of [
    ['0', ['1', '2', '3', '3.completed']],
    ['1', ['2', '3', '3.completed']],
    ['3', ['3.completed']],
    ['2.failed', ['3', '3.completed']],
    ['99', ['1', '2', '3', '3.completed']],
    ['nonsense', ['1', '2', '3', '3.completed']],
  ] as const) {
    const { body } = await call('GET', `/api/scans/${id}/events`, { 'last-event-id': last });
    t.same(idsOf(eventsOf(body)), expected, last);
  }
  const over = await call('GET', `/api/scans/${id}/events`, { 'last-event-id': '3.completed' });
  t.same([over.statusCode, over.body], [204, '']);
  t.equal((await call('HEAD', `/api/scans/${id}/events`)).statusCode, 404);
});

t.test('events: a reader that hangs up after each event and reconnects gets each page once', async t => {
  const { serve, started, driver } = await service(t, { sheets: 12 });
  const request = await serve();
  driver.hold();
  const id = await started();
  driver.release();
  const seen: string[] = [];
  for (let last: string | undefined; !last?.includes('.');) {
    const response = await request(`/api/scans/${id}/events`, last === undefined ? {} : { 'last-event-id': last });
    const [next] = idsOf(await read(response, events => idsOf(events).length > 0));
    if (next === undefined) t.fail('the stream ended without an event');
    last = next ?? '.';
    seen.push(last);
  }
  t.same(seen, [...Array.from({ length: 12 }, (_, at) => `${at + 1}`), '12.completed']);
});

t.test('events: a page is announced and can be fetched while the next one is encoded', async t => {
  const png = fakeFormat({ name: 'Png', mimeType: 'image/png' });
  let go = (): void => undefined;
  const held = new Promise<void>(resolve => (go = resolve));
  const encode: typeof png.encode = async (page, ...rest) => {
    if (page.sheet === 2) await held;
    return png.encode(page, ...rest);
  };
  const {
    serve,
    call,
    started,
    read: readScan,
  } = await service(t, { sheets: 2 }, { formats: [], more: [{ ...png, encode }] });
  const id = await started();
  const response = await (await serve())(`/api/scans/${id}/events`);
  const events = await read(response, some => some.some(({ event }) => event === 'page'));
  const page = events.find(({ event }) => event === 'page');
  t.match(page, { id: '1', data: { number: 1 } });
  t.equal((await call('GET', String(page?.data['url']))).statusCode, 200);
  t.match(await readScan(id), { state: 'running', pageCount: 1 });
  const second = call('GET', `/api/scans/${id}/pages/2?wait=60`);
  go();
  t.equal((await second).statusCode, 200);
});

t.test('events: an idle stream gets a comment, and its end frees its place', async t => {
  const clock = fakeClock();
  const options = { clock, config: { clients: { maxStreams: 1, maxUnread: 2, stallSeconds: 30 } } };
  const { serve, call, started, driver } = await service(t, { sheets: 1 }, options);
  driver.hold();
  const id = await started();
  const request = await serve();
  const response = await request(`/api/scans/${id}/events`);
  const full = await call('GET', `/api/scans/${id}/events`);
  t.equal(full.statusCode, 429);
  t.same(codeOf(full), { code: 'too-many-streams' });
  let text = '';
  response.setEncoding('utf8').on('data', (part: string) => (text += part));
  const over = new Promise(resolve => response.once('close', resolve));
  while (!text.includes(': still here')) await clock.advance(1000);
  driver.release();
  await over;
  t.same(idsOf(eventsOf(text)), ['1', '1.completed']);
  t.equal((await call('GET', `/api/scans/${id}/events`)).statusCode, 200);
});
