/** The old scan calls and their clients: what was scanned is lost only where nothing may be kept. */
import { once } from 'node:events';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { codeOf, service } from '../scans/scans.test.kit.js';
import { until } from '../../../responses/eventStream.test.kit.js';

type Service = Awaited<ReturnType<typeof service>>;
const origin = 'https://a.example';
const large = { page: { width: 4000, height: 3000, pixels: 'rgb24' } } as const;

/** Sends a request to scan on a connection of its own. */
async function client(t: Test, { app }: Service, path = '/api/twain/scan') {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const gone = new Promise<void>(resolve =>
    app.server.once('request', (_request: IncomingMessage, response: ServerResponse) =>
      response.once('close', resolve),
    ),
  );
  const headers = { host: 'localhost', origin, 'content-type': 'application/json' };
  const request = httpRequest({ host: '127.0.0.1', port, path, method: 'POST', agent: false, headers });
  request
    .on('error', () => undefined)
    .end(JSON.stringify({ scannerName: 'A', kind: 'twainlocalscanner', method: 'scan' }));
  t.teardown(() => request.destroy());
  return {
    /** Resolves when the service has learnt of it. */
    async hangUp() {
      request.destroy();
      await gone;
    },
    async response(): Promise<IncomingMessage> {
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      return response.on('error', () => undefined);
    },
  };
}

t.test('scan: its client has the whole answer, nothing stays', async t => {
  const made = await service(t, { sheets: 2 });
  const response = await (await client(t, made)).response();
  let text = '';
  for await (const part of response.setEncoding('utf8')) text += String(part);
  t.match(JSON.parse(text), { success: true, imageCount: 2 });
  await until(() => made.kept.list(origin).length === 0);
  await made.scans.close('The test is over.');
  t.same(await readdir(join(made.dataDir, 'scans')), []);
});

for (const path of ['/api/twain/scan', '/api/twain'])
  t.test(`${path}: its client hangs up, the scan is cancelled and its pages stay for its origin`, async t => {
    const made = await service(t, { sheets: 5 });
    const { driver, ended, list, call } = made;
    if (path === '/api/twain') await made.scans.open('A');
    driver.hold();
    const { hangUp } = await client(t, made, path);
    await driver.whenFed(1);
    const [running] = (await list({ origin })).scans;
    t.match(running, { state: 'running', kind: 'scan', scannerName: 'A' });
    await hangUp();
    driver.release();
    const scan = await ended(running?.id ?? '', { origin });
    t.match(scan, { state: 'cancelled', code: 'cancelled', pageCount: 1 });
    t.equal(driver.fed, 1, 'no further sheet');
    t.equal((await list()).count, 0, 'of that origin only');
    t.equal((await call('GET', scan.pages[0]?.url ?? '', { origin })).statusCode, 200);
  });

t.test('scan: its client hangs up in the answer, the completed scan stays', async t => {
  const made = await service(t, { sheets: 1, ...large });
  const { response, hangUp } = await client(t, made);
  await response();
  await hangUp();
  await made.scans.close('The test is over.');
  t.match((await made.list({ origin })).scans, [{ state: 'completed', pageCount: 1 }]);
});

t.test('scan: its client hangs up when the system has all of the answer, the completed scan stays', async t => {
  const made = await service(t, { sheets: 1, page: { width: 700, height: 500, pixels: 'rgb24' } });
  const { call, list, app } = made;
  const sent = new Promise<Promise<unknown>[]>(resolve => {
    app.server.once('request', (request: IncomingMessage, response: ServerResponse) => {
      const closed = once(request.socket, 'close').catch(() => undefined);
      response.once('finish', () => resolve([closed]));
    });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const body = JSON.stringify({ scannerName: 'A' });
  const head = `Host: localhost\r\nOrigin: ${origin}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  socket.on('error', () => undefined).write(`POST /api/twain/scan HTTP/1.1\r\n${head}\r\n\r\n${body}`);
  // Reads nothing.
  const [closed] = await sent;
  socket.destroy();
  await closed;
  const remove = async (): Promise<boolean> => {
    const [scan] = (await list({ origin })).scans;
    t.match(scan, { state: 'completed', pageCount: 1 });
    return (await call('DELETE', `/api/scans/${scan?.id}`, { origin })).statusCode === 200;
  };
  // Busy while the service waits for the receipt.
  while (!(await remove())) await new Promise(resolve => setImmediate(resolve));
});

t.test('scan: keep is false, a client that hangs up loses its pages', async t => {
  const made = await service(t, { sheets: 5 }, { config: { scans: { keep: false } } });
  const { driver, list } = made;
  driver.hold();
  const { hangUp } = await client(t, made);
  await driver.whenFed(1);
  t.equal((await list({ origin })).count, 1);
  await hangUp();
  driver.release();
  await until(() => made.kept.list(origin).length === 0);
  t.equal(driver.fed, 1);
});

t.test('scan: rejected, there is no scan', async t => {
  const { call, list } = await service(t);
  const answer = await call('POST', '/api/twain/scan', {}, { scannerName: 'B' });
  t.same(codeOf(answer), { code: 'device-not-found' });
  t.equal((await list()).count, 0);
});

t.test('scan: no room for kept scans, or the folder refuses them: it answers all the same', async t => {
  const { call, start, started, ended, list, driver, dataDir, lines } = await service(
    t,
    {},
    { config: { scans: { keepBytes: 1 } } },
  );
  const scan = async () => {
    driver.load(1);
    const answer = await call('POST', '/api/twain/scan', {}, { scannerName: 'A' });
    t.match(answer.json(), { success: true, imageCount: 1 });
    return answer;
  };
  await rm(join(dataDir, 'scans'), { recursive: true });
  await writeFile(join(dataDir, 'scans'), '');
  await scan();
  t.match(lines.join('\n'), /wait in the spool instead/);
  t.same(codeOf(await start()), { code: 'storage-failed' });
  await rm(join(dataDir, 'scans'));
  driver.load(1);
  await ended(await started());
  t.equal((await start()).statusCode, 507);
  await scan();
  t.equal((await list()).count, 1);
});
