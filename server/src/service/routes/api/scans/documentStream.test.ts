/** A document over a connection: while its scan runs, broken off, left by its client, and at the client's pace. */
import { readdir, rm, truncate } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fakeClock } from '@platen/conformance';
import { deferred, type DocumentPage } from '@platen/core';
import t from 'tap';
import { allPagesArrive, documentService, isWhole, lines, numbersOf, pagesOf, reading } from './document.test.kit.js';
import { codeOf } from './scans.test.kit.js';

/** Only a test's time limit ends it. */
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(2);
}

/** Holds a document before it writes a page. */
function held(pageNumber: number) {
  const [reached, released] = [deferred<void>(), deferred<void>()];
  return {
    async before(page: DocumentPage): Promise<void> {
      if (page.pageNumber !== pageNumber) return;
      reached.resolve();
      await released.promise;
    },
    reached: reached.promise,
    release: () => released.resolve(),
  };
}

const quick = { config: { scan: { graceSeconds: 0.05, deadlineGraceSeconds: 0.05 } } };

t.test('document: streams while the scan runs; the trailer says how it ended', async t => {
  const driver = { sheets: 3, faults: { 3: 'hang' } } as const;
  const { started, serve, path, call, ended } = await documentService(t, driver, quick);
  const request = await serve();
  const id = await started();
  const document = reading(await request(path(id)));
  await until(() => numbersOf(document.text()).length === 2);
  t.equal(document.headers['platen-scan'], 'running');
  t.notOk(isWhole(document.text()));
  await call('POST', `/api/scans/${id}/cancel`);
  t.equal(await document.ended, true);
  t.ok(isWhole(document.text()));
  t.same(numbersOf(document.text()), [1, 2]);
  t.match(await ended(id), { state: 'cancelled' });
  t.same(document.trailers, { 'platen-scan': 'cancelled;code=cancelled' });
});

t.test('document: a jam at sheet 7, a whole document of six pages that the answer calls failed', async t => {
  const driver = { sheets: 10, faults: { 7: 'paper-jam' } } as const;
  const { started, serve, path, driver: scanner, ended, call } = await documentService(t, driver);
  const request = await serve();
  scanner.hold();
  const id = await started();
  const early = request(path(id));
  scanner.release();
  const document = reading(await early);
  t.equal(await document.ended, true);
  t.same(document.trailers, { 'platen-scan': 'failed;code=paper-jam' });
  await ended(id);
  const late = await call('GET', path(id));
  t.match(late, { headers: { 'platen-scan': 'failed;code=paper-jam' } });
  t.same(late.trailers, { 'platen-scan': 'failed;code=paper-jam' });
  for (const text of [document.text(), late.body]) {
    t.same(numbersOf(text), [1, 2, 3, 4, 5, 6]);
    t.ok(isWhole(text));
  }
});

t.test('document: the scan is continued while it is written, its pages follow', async t => {
  const page = held(1);
  const driver = { sheets: 5, faults: { 3: 'paper-jam' } } as const;
  const made = await documentService(t, driver, { lines: lines(page) });
  const { started, ended, serve, path, call } = made;
  const request = await serve();
  const id = await started();
  await ended(id);
  const document = reading(await request(path(id)));
  await page.reached;
  made.driver.clearFaults();
  made.driver.hold();
  t.equal((await call('POST', `/api/scans/${id}/continue`)).statusCode, 200);
  page.release();
  await until(() => numbersOf(document.text()).length === 2);
  made.driver.release();
  t.equal(await document.ended, true);
  const { pages } = await ended(id);
  t.same(
    numbersOf(document.text()),
    pages.map(({ number }) => number),
  );
  t.ok(pages.length > 2);
  t.equal(document.headers['platen-scan'], 'failed;code=paper-jam');
  t.same(document.trailers, { 'platen-scan': 'completed' });
});

t.test('document: the scan is continued after its last page, the trailer says how the scan was then', async t => {
  const inner = lines();
  const [reached, released] = [deferred<void>(), deferred<void>()];
  const slow = {
    ...inner,
    async *write(...asked: Parameters<typeof inner.write>) {
      for await (const chunk of inner.write(...asked)) {
        if (String(chunk).startsWith('end')) {
          reached.resolve();
          await released.promise;
        }
        yield chunk;
      }
    },
  };
  const made = await documentService(t, { sheets: 5, faults: { 3: 'paper-jam' } }, { lines: slow });
  const { started, serve, path, driver: scanner, ended, call } = made;
  const request = await serve();
  const id = await started();
  await ended(id);
  const document = reading(await request(path(id)));
  await reached.promise;
  scanner.clearFaults();
  t.equal((await call('POST', `/api/scans/${id}/continue`)).statusCode, 200);
  t.match(await ended(id), { state: 'completed' });
  released.resolve();
  t.equal(await document.ended, true);
  t.same(numbersOf(document.text()), [1, 2]);
  t.same(document.trailers, { 'platen-scan': 'failed;code=paper-jam' });
});

t.test('document: the client hangs up, the work ends and its place is free', async t => {
  const page = held(2);
  const format = lines(page);
  const config = { clients: { maxDocuments: 1 } };
  const { started, ended, serve, path, call } = await documentService(t, { sheets: 3 }, { lines: format, config });
  const request = await serve();
  const id = await started();
  await ended(id);
  const document = reading(await request(path(id)));
  await page.reached;
  t.same(codeOf(await call('GET', path(id))), { code: 'too-many-streams' });
  document.hangUp();
  await until(() => format.signals[0]?.aborted === true);
  page.release();
  await until(() => format.over === 1);
  await until(async () => (await call('HEAD', path(id))).statusCode === 200);
  t.same(numbersOf((await call('GET', path(id))).body), [1, 2, 3]);
});

t.test('document: the client hangs up while no page is there, nothing waits for the scan', async t => {
  const config = { clients: { maxDocuments: 1 } };
  const { app, started, ended, serve, path, driver, call, format } = await documentService(
    t,
    { sheets: 1 },
    { config },
  );
  const request = await serve();
  const other = await started();
  await ended(other);
  driver.load(1);
  driver.hold();
  const id = await started();
  const [connected, asked] = [once(app.server, 'connection'), once(app.server, 'request')];
  const never = request(path(id));
  const [[client]] = (await Promise.all([connected, asked])) as [[Socket], unknown];
  const status = async (): Promise<number> => (await call('HEAD', path(other))).statusCode;
  t.equal(await status(), 429);
  client.destroy();
  await t.rejects(never);
  await until(async () => (await status()) === 200);
  driver.release();
  await ended(id);
  t.equal(format.begun, 1, 'of the other scan');
});

t.test('document: the scan is deleted meanwhile, broken off', async t => {
  for (const [number, keep] of [
    [1, true],
    [2, true],
    [3, true],
    [2, false],
  ] as const) {
    const page = held(number);
    const options = { lines: lines(page), config: { scans: { keep } } };
    const { started, ended, serve, path, call } = await documentService(t, { sheets: 3 }, options);
    const request = await serve();
    const id = await started();
    await ended(id);
    const document = reading(await request(path(id)));
    await page.reached;
    t.equal((await call('DELETE', `/api/scans/${id}`)).statusCode, 200);
    page.release();
    t.equal(await document.ended, false, `before page ${number} is read, keep ${keep}`);
    t.notOk(isWhole(document.text()));
  }
});

t.test('document: a damaged page, an error before the first byte, broken off after it', async t => {
  const { started, ended, serve, path, call, dataDir } = await documentService(t, { sheets: 4 });
  const request = await serve();
  const id = await started();
  await ended(id);
  const file = (n: number): string => join(dataDir, 'scans', id, `${n}.page`);
  await truncate(file(3), 10);
  const broken = reading(await request(path(id)));
  t.equal(broken.status, 200);
  t.equal(await broken.ended, false);
  t.same(numbersOf(broken.text()), [1, 2]);
  t.same(numbersOf((await call('GET', path(id, 'pages=1,2,4'))).body), [1, 2, 4], 'a document without it is whole');
  await rm(file(1));
  for (const method of ['GET', 'HEAD'] as const) {
    const refused = await call(method, path(id));
    t.equal(refused.statusCode, 500);
    t.same(codeOf(refused), { code: 'storage-failed' });
    t.match(refused.headers['content-type'], /json/);
    t.notOk(refused.headers['content-disposition'] ?? refused.headers['platen-scan']);
  }
});

t.test('document: a wanted page that never comes, refused, or broken off if pages were sent', async t => {
  const { started, serve, path, driver, ended } = await documentService(t, { sheets: 2 });
  const request = await serve();
  driver.hold();
  const id = await started();
  const [never, late] = [request(path(id, 'pages=3,1')), request(path(id, 'pages=2,3'))];
  driver.release();
  const refused = reading(await never);
  t.equal(refused.status, 400);
  t.match(codeOf(refused), { code: 'invalid-value', field: 'pages' });
  const broken = reading(await late);
  t.equal(broken.status, 200);
  t.equal(await broken.ended, false);
  t.same(numbersOf(broken.text()), [2]);
  await ended(id);
});

t.test('document: the format fails, an error before its first chunk, broken off after it', async t => {
  const failing = (extension: string, before: () => AsyncGenerator<Uint8Array>) => ({
    ...lines({ extension }),
    write: before,
  });
  const documents = [
    // oxlint-disable-next-line require-yield
    failing('early', async function* () {
      throw new Error('/home/anna/secret');
    }),
    failing('empty', async function* () {
      // Writes nothing.
    }),
    failing('late', async function* () {
      yield Buffer.from('begin {}\n');
      throw new Error('late');
    }),
  ];
  const { started, ended, serve, path } = await documentService(t, { sheets: 1 }, { documents });
  const request = await serve();
  const id = await started();
  await ended(id);
  for (const name of ['early', 'empty']) {
    const answer = reading(await request(path(id, `format=${name}`)));
    t.equal(await answer.ended, true);
    t.equal(answer.status, 500, name);
    t.same(codeOf(answer), { code: 'internal' });
    t.notMatch(answer.text(), /secret/);
  }
  const late = reading(await request(path(id, 'format=late')));
  t.equal(late.status, 200);
  t.equal(await late.ended, false);
});

t.test('document: two of one scan at once, one of them held', async t => {
  const page = held(3);
  const { started, ended, serve, path } = await documentService(t, { sheets: 3 }, { lines: lines(page) });
  const request = await serve();
  const id = await started();
  await ended(id);
  const one = reading(await request(path(id)));
  await page.reached;
  const two = reading(await request(path(id, 'pages=2,1')));
  t.equal(await two.ended, true);
  t.same(numbersOf(two.text()), [2, 1]);
  page.release();
  t.equal(await one.ended, true);
  t.same(numbersOf(one.text()), [1, 2, 3]);
});

t.test('document: a client that reads nothing is disconnected; one that waits for a page is not', async t => {
  const clock = fakeClock();
  const large = lines({ bytes: 30_000_000 });
  const documents = [large, lines({ extension: 'small' })];
  const made = await documentService(t, { sheets: 2, faults: { 2: 'hang' } }, { clock, documents });
  const { app, started, serve, path, call, ended } = made;
  const request = await serve();
  const id = await started();
  const waits = reading(await request(path(id, 'format=small')));
  await until(() => numbersOf(waits.text()).length === 1);
  let isOver = false;
  app.server.once('connection', (socket: Socket) => socket.once('close', () => (isOver = true)));
  const stalled = await request(path(id, 'format=pdf&pages=1'));
  stalled.on('error', () => undefined);
  while (!isOver) await clock.advance(1000);
  t.equal(stalled.complete, false);
  await until(() => large.over === 1);
  await call('POST', `/api/scans/${id}/cancel`);
  let isDone = false;
  void waits.ended.then(() => (isDone = true));
  while (!isDone) await clock.advance(1000);
  t.equal(await waits.ended, true);
  t.ok(isWhole(waits.text()));
  await ended(id);
});

t.test('document: delivers its pages when the client has all of it', async t => {
  const config = { scans: { keepBytes: 1 } };
  const { started, ended, path, call, start } = await documentService(t, { sheets: 2 }, { config });
  const id = await started();
  await ended(id);
  const isFull = async (): Promise<boolean> => (await start()).statusCode === 507;
  await call('HEAD', path(id));
  t.equal(await isFull(), true, 'HEAD delivers nothing');
  t.equal((await call('GET', path(id, 'pages=2'))).statusCode, 200);
  t.equal(await isFull(), true, 'page 1 was not delivered');
  t.equal((await call('GET', path(id, 'pages=1'))).statusCode, 200);
  await until(async () => !(await isFull()));
});

t.test('document: broken off, delivers nothing', async t => {
  const page = held(2);
  const config = { scans: { keepBytes: 1 } };
  const made = await documentService(t, { sheets: 2 }, { config, lines: lines(page) });
  const { started, ended, path, serve, start, format } = made;
  const request = await serve();
  const id = await started();
  await ended(id);
  const document = reading(await request(path(id)));
  await page.reached;
  document.hangUp();
  page.release();
  await until(() => format.over === 1);
  t.equal((await start()).statusCode, 507);
});

t.test('document: written whole, and its client hangs up with bytes unread, delivers nothing', async t => {
  const config = { scans: { keepBytes: 1 } };
  const made = await documentService(t, { sheets: 2 }, { config, lines: lines({ bytes: 300_000 }) });
  const { app, started, ended, path, serve, start, format } = made;
  const request = await serve();
  const id = await started();
  await ended(id);
  let closed: Promise<unknown> | undefined;
  app.server.once('connection', (socket: Socket) => (closed = once(socket, 'close').catch(() => undefined)));
  const document = await request(path(id), { connection: 'keep-alive' });
  await until(() => format.over === 1);
  document.on('error', () => undefined).destroy();
  await closed;
  t.equal((await start()).statusCode, 507);
});

t.test('document: with scans.keep false, the same', async t => {
  const config = { scans: { keep: false } };
  const { started, ended, path, call, dataDir } = await documentService(t, { sheets: 3 }, { config });
  const id = await started();
  await ended(id);
  const { body, headers } = await call('GET', path(id, 'pages=3,1&rotate=1:90'));
  t.same(
    pagesOf(body).map(({ number, turn }) => [number, turn]),
    [
      [3, 0],
      [1, 90],
    ],
  );
  t.equal(headers['platen-scan'], 'completed');
  t.same(await readdir(join(dataDir, 'scans')), []);
});

t.test('document: three hundred pages', async t => allPagesArrive(t, 300));
