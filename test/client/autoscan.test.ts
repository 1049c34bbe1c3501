/** autoScan() in Node: each page once, whatever happens to the connection; off when the loop ends. */
import { createClient, type AutoScan, type ScannedPage } from '@platen/client';
import t from 'tap';
import { until } from '../spec/calls.js';
import { start } from '../spec/specTest.js';
import { sheets, whichSide, type Ink } from '../topology/sheets.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { relayTo } from './relay.js';

const fixture = await start(t, virtualTopology, {
  config: { autoscan: { idleSeconds: 300, maxFailures: 3, outboxPages: 4 } },
});
const relay = await relayTo(t, fixture);
const client = createClient({ baseUrl: relay.url });
const name = fixture.name('duplex');
const small = { resolution: 75, colorMode: 'Color' } as const;

const inkOf = async ({ blob }: ScannedPage): Promise<Ink> =>
  (await whichSide(new Uint8Array(await blob.arrayBuffer()))).ink;

async function next(scan: AutoScan): Promise<ScannedPage> {
  const { value } = await scan.next();
  if (!value) throw new Error(`The loop ended: ${scan.end?.message}`);
  return value;
}

async function isOff(of = fixture): Promise<boolean> {
  const stream = await of.events();
  stream.hangUp();
  return stream.status === 409;
}

t.test('autoScan: documents as they are inserted; the loop ends, off', async t => {
  await fixture.load('duplex', sheets(1));
  const scan = client.autoScan(name, small);
  const seen: [number, Ink][] = [];
  for await (const page of scan) {
    seen.push([page.pageNumber, await inkOf(page)]);
    t.equal(scan.end, undefined);
    if (seen.length === 3) break;
    await fixture.insert('duplex', sheets((seen.length + 1) as Ink));
  }
  t.same(seen, [
    [1, 1],
    [2, 2],
    [3, 3],
  ]);
  t.match(scan.end, { reason: 'left' });
  t.equal(await isOff(), true);
  t.same(await scan.next(), { value: undefined, done: true });
});

t.test('autoScan: a loop that throws, off; a loop that never starts, never on', async t => {
  await fixture.load('duplex', sheets(1));
  await t.rejects(async () => {
    for await (const page of client.autoScan(name, small)) throw new Error(`cannot show page ${page.pageNumber}`);
  }, /cannot show page 1/);
  t.equal(await isOff(), true);
  const asked = relay.requests.length;
  const scan = client.autoScan(name, small);
  t.equal(relay.requests.length, asked);
  t.same(await scan.return?.(), { value: undefined, done: true });
  t.equal(relay.requests.length, asked);
});

t.test('autoScan: aborted by the signal, pages scanned so far arrive, the loop ends', async t => {
  await fixture.load('duplex', sheets(1, 2, 3));
  const stop = new AbortController();
  const scan = client.autoScan(name, small, { signal: stop.signal });
  const pages: number[] = [];
  for await (const page of scan) {
    if (pages.length === 0) await until(async () => (await fixture.scanned('duplex')) > 1);
    stop.abort();
    pages.push(page.pageNumber);
  }
  t.ok(pages.length >= 2, `${pages.length} pages`);
  t.match(scan.end, { reason: 'aborted' });
  t.equal(await isOff(), true);
  t.equal(await scan.message, 'Auto-scan is enabled.');
  const again = client.autoScan(name, small, { signal: stop.signal });
  t.match(await again.next(), { done: true });
  t.match(again.end, { reason: 'aborted' });
  t.equal(await again.message, undefined);
});

t.test('autoScan: left while waiting for paper, ends at once', async t => {
  await fixture.load('duplex', []);
  const scan = client.autoScan(name, small);
  const waiting = scan.next();
  await until(async () => relay.streams === 1);
  await scan.return?.();
  t.match(await waiting, { done: true });
  t.equal(await isOff(), true);
});

t.test('autoScan: started while another ends, stays on', async t => {
  await fixture.load('duplex', []);
  for (const last of [3, 4] as const) {
    const stop = new AbortController();
    const first = client.autoScan(name, small, { signal: stop.signal });
    const waiting = first.next();
    // Immediately, and once it is on.
    if (last === 4) await until(async () => relay.streams === 1);
    stop.abort();
    const second = client.autoScan(name, small);
    const page = next(second);
    t.match(await waiting, { done: true });
    await fixture.insert('duplex', sheets(last));
    t.equal(await inkOf(await page), last);
    await second.return?.();
  }
});

t.test('autoScan: turned off elsewhere, the loop ends and says so', async t => {
  await fixture.load('duplex', sheets(1));
  const scan = client.autoScan(name, small);
  await next(scan);
  await fixture.request('POST', '/api/twain/autoscan/disable');
  t.match(await scan.next(), { done: true });
  t.match(scan.end, { reason: 'disabled', message: /\w/ });
});

t.test('autoScan: the connection is cut repeatedly, every page once, in order', async t => {
  await fixture.load('duplex', []);
  const told: boolean[] = [];
  const scan = client.autoScan(name, small, { onConnection: is => told.push(is) });
  const seen: [number, Ink][] = [];
  const inks: Ink[] = [1, 2, 3, 4, 5, 6];
  for (const ink of inks) {
    const page = next(scan);
    await until(async () => relay.streams === 1);
    if (ink % 2) relay.cut();
    await fixture.insert('duplex', sheets(ink));
    seen.push([(await page).pageNumber, await inkOf(await page)]);
    if (ink === 4) {
      // Sheets are scanned while no client can connect.
      relay.down = true;
      relay.cut();
      await fixture.insert('duplex', sheets(7));
      await until(async () => (await fixture.scanned('duplex')) === 5 && told.length > 0);
      relay.down = false;
      seen.push([(await next(scan)).pageNumber, 7]);
    }
  }
  t.same(seen, [
    [1, 1],
    [2, 2],
    [3, 3],
    [4, 4],
    [5, 7],
    [6, 5],
    [7, 6],
  ]);
  t.same(told, [false, true], 'only a lasting loss is reported');
  await scan.return?.();
  const streams = relay.requests.filter(({ path }) => path.endsWith('/events'));
  t.ok(
    streams.some(({ lastEventId }) => lastEventId?.endsWith('-4')),
    'it sends its last id',
  );
});

for (const [count, more] of [
  [9, 8],
  [60, 0],
] as const) {
  t.test(
    `autoScan: a loop that takes no pages, stops the scanner, then gets every page: ${count} sheets, then ${more}`,
    async t => {
      const stack = (length: number) => Array.from({ length }, (_each, at) => ({ front: (at % 8) as Ink }));
      await fixture.load('duplex', stack(count));
      const scan = client.autoScan(name, small);
      const numbers = [(await next(scan)).pageNumber];
      // Some pages wait in the module, four at the service, and the feeder has stopped.
      await until(async () => relay.requests.at(-1)?.path.endsWith('/events') === true && relay.streams === 0);
      await fixture.insert('duplex', stack(more));
      t.ok((await fixture.waiting('duplex')) > 0);
      while (numbers.length < count + more) numbers.push((await next(scan)).pageNumber);
      t.same(
        numbers,
        Array.from({ length: count + more }, (_, at) => at + 1),
      );
      await scan.return?.();
    },
  );
}

t.test('autoScan: off or another auto-scan when the connection comes back, autoscan-off', async t => {
  await fixture.load('duplex', sheets(1));
  const scan = client.autoScan(name, small);
  await next(scan);
  relay.down = true;
  relay.cut();
  await fixture.request('POST', '/api/twain/autoscan/disable');
  relay.down = false;
  await t.rejects(scan.next(), { code: 'autoscan-off' });
  t.match(scan.end, { reason: 'failed' });

  await fixture.load('duplex', sheets(1));
  const second = client.autoScan(name, small);
  await next(second);
  relay.down = true;
  relay.cut();
  await fixture.request('POST', '/api/twain/autoscan/disable');
  await fixture.request('POST', '/api/twain/autoscan/enable', { body: { scannerName: name } });
  await fixture.insert('duplex', sheets(2));
  relay.down = false;
  await t.rejects(second.next(), { code: 'autoscan-off' });
  t.equal(await isOff(), false, 'the other one stays on');
  await fixture.request('POST', '/api/twain/autoscan/disable');
});

t.test('autoScan: failed scans, a lost scanner, no open scanner, the code of each', async t => {
  const faulty = await start(t, virtualTopology, {
    faults: { duplex: [{ sheet: 'always', fault: 'paper-jam' }] },
    config: { autoscan: { idleSeconds: 300, maxFailures: 1, outboxPages: 4 } },
  });
  const itsRelay = await relayTo(t, faulty);
  const failing = createClient({ baseUrl: itsRelay.url });
  await t.rejects(failing.autoScan(undefined).next(), { code: 'no-source-open', httpStatus: 409 });
  await faulty.load('duplex', []);
  const jamming = failing.autoScan(name, small).next();
  await until(async () => itsRelay.streams === 1);
  await faulty.insert('duplex', sheets(1));
  await t.rejects(jamming, { code: 'failing' });
  await until(async () => itsRelay.streams === 0);
  await faulty.load('both', []);
  const scan = failing.autoScan(faulty.name('both'), small);
  const waiting = scan.next();
  await until(async () => itsRelay.streams === 1);
  await faulty.unplug('both');
  await t.rejects(waiting, { code: 'device-lost', message: /Feeder and flatbed/ });

  const letGo = itsRelay.hold('/api/twain/autoscan/events');
  const unread = failing.autoScan(faulty.name('both'), small);
  const lost = unread.next();
  await unread.message;
  await until(() => isOff(faulty));
  letGo();
  await t.rejects(
    lost,
    { code: 'device-offline', message: /Feeder and flatbed/ },
    'a scanner lost before the stream opens is offline, too',
  );
});

t.test('autoScan: no pages taken for too long, unread', async t => {
  const hasty = await start(t, virtualTopology, {
    config: { autoscan: { idleSeconds: 10, maxFailures: 3, outboxPages: 4 } },
  });
  const its = await relayTo(t, hasty);
  await hasty.load(
    'duplex',
    Array.from({ length: 9 }, () => ({ front: 1 as Ink })),
  );
  const scan = createClient({ baseUrl: its.url }).autoScan(name, small);
  const numbers = [(await next(scan)).pageNumber];
  await until(async () => hasty.log().includes('read its events'));
  await t.rejects(
    async () => {
      for (;;) numbers.push((await next(scan)).pageNumber);
    },
    { code: 'unread' },
  );
  t.same(numbers, [1, 2, 3, 4, 5, 6, 7, 8, 9], 'pages that had arrived come first');
  await hasty.request('POST', '/api/twain/autoscan/enable', { body: { scannerName: name } });
});

t.test('autoScan: a gap in the page numbers, pages-lost', async t => {
  const streams = [[1, 2], [5]];
  const image = (n: number): string =>
    `id: 7-${n}\nevent: image\ndata: {"base64Data":"AAAA","pageNumber":${n},"mimeType":"image/png"}\n\n`;
  const asked: string[] = [];
  const service: typeof fetch = async (input, init) => {
    asked.push(`${String(input)} ${new Headers(init?.headers).get('last-event-id') ?? ''}`.trim());
    return String(input).includes('/events')
      ? new Response(streams.shift()?.map(image).join(''))
      : Response.json({ success: true, message: '' });
  };
  const scan = createClient({ baseUrl: 'https://service', fetch: service }).autoScan(undefined);
  t.match([(await next(scan)).pageNumber, (await next(scan)).pageNumber], [1, 2]);
  await t.rejects(scan.next(), { code: 'pages-lost', message: /2 pages .*page 5/, pages: [{ pageNumber: 5 }] });
  t.same(
    asked.map(each => each.replace('https://service/api/twain/autoscan/', '')),
    ['enable', 'events?report=true', 'events?report=true 7-2', 'disable'],
  );
});

t.test('autoScan: of a named scanner, its pages only, and numbers between them are of others', async t => {
  const image = (n: number): string =>
    `id: 7-${n}\nevent: image\ndata: {"base64Data":"AAAA","pageNumber":${n},"mimeType":"image/png"}\n\n`;
  const end = 'event: disabled\ndata: {"message":"over","code":"requested"}\n\n';
  const streams = [`${image(1)}${image(4)}${end}`, image(1)];
  const asked: string[] = [];
  const service: typeof fetch = async (input, init) => {
    const body = typeof init?.body === 'string' ? init.body : '';
    asked.push(`${String(input).replace('https://service/api/twain/autoscan/', '')} ${body}`.trim());
    return String(input).includes('/events')
      ? new Response(streams.shift())
      : Response.json({ success: true, message: '' });
  };
  const scan = createClient({ baseUrl: 'https://service', fetch: service }).autoScan('Desk & co');
  t.match([(await next(scan)).pageNumber, (await next(scan)).pageNumber], [1, 4]);
  t.match(await scan.next(), { done: true });
  const again = createClient({ baseUrl: 'https://service', fetch: service }).autoScan('Desk & co');
  await again.next();
  await again.return?.();
  t.match(asked.slice(0, 2), [/^enable .*Desk & co/, 'events?report=true&scannerName=Desk%20%26%20co']);
  t.equal(asked.at(-1), 'disable {"scannerName":"Desk & co"}', 'others go on');
});

t.test('autoScan: the service reports missing pages, pages-lost', async t => {
  const image = 'id: 7-1\nevent: image\ndata: {"base64Data":"AAAA","pageNumber":1,"mimeType":"image/png"}\n\n';
  const streams = [image, 'id: 7-4\nevent: error\ndata: {"error":"Pages 2 to 4 are gone."}\n\n'];
  const service: typeof fetch = async input =>
    String(input).includes('/events')
      ? new Response(streams.shift(), { headers: { 'x-autoscan-series': '7' } })
      : Response.json({ success: true, message: '' });
  const scan = createClient({ baseUrl: 'https://service', fetch: service }).autoScan('any');
  t.equal((await next(scan)).pageNumber, 1);
  await t.rejects(scan.next(), { code: 'pages-lost', message: 'Pages 2 to 4 are gone.' });
});

t.test("autoScan: the last event's code, becomes the error's code; messages are not parsed", async t => {
  const ends = [
    ['disabled', { message: 'x', code: 'failing' }, 'failing'],
    ['disabled', { message: 'x', code: 'unread' }, 'unread'],
    ['error', { error: 'x', code: 'device-lost' }, 'device-lost'],
    ['error', { error: 'x', code: 'not-connected' }, 'not-connected'],
    ['error', { error: 'x' }, 'internal'],
  ] as const;
  const ending = (event: string, data: object): AutoScan => {
    const service: typeof fetch = async input =>
      String(input).includes('/events')
        ? new Response(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`, {
            headers: { 'x-autoscan-series': '7' },
          })
        : Response.json({ success: true, message: '', scannerStatus: {} });
    return createClient({ baseUrl: 'https://service', fetch: service }).autoScan(undefined);
  };
  for (const [event, data, code] of ends)
    await t.rejects(ending(event, data).next(), { code, message: 'x' }, JSON.stringify(data));
  const off = ending('disabled', { message: 'Auto-scan was turned off after 3 failed or empty scans in a row.' });
  t.match(await off.next(), { done: true });
  t.match(off.end, { reason: 'disabled' });
});

t.test('autoScan: report is true, notes with codes', async t => {
  await fixture.load('blind', []);
  const scan = client.autoScan(fixture.name('blind'), { ...small, report: true });
  const first = scan.next();
  t.match(await scan.notes, [{ code: 'paper-unknown' }]);
  await scan.return?.();
  await first;
});
