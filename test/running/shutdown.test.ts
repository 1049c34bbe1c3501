/** The end of a service: a running scan finishes its sheet, its answer is sent, and the exit code is 0. */
import t, { type Test } from 'tap';
import { inksOf, scan, until, untilFed, untilHanging } from '../spec/calls.js';
import { start } from '../spec/specTest.js';
import { sheets } from '../topology/sheets.js';
import type { Fixture } from '../topology/topology.js';
import { virtualTopology as topology } from '../topology/virtualTopology.js';

const stack = sheets(1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4, 5);

t.test('shutdown: SIGTERM during a scan, no further sheet, the answer has the pages so far, exit code 0', async t => {
  const fixture = await start(t, topology);
  await fixture.load('slow', stack);
  const scanning = scan(fixture, 'slow', { resolution: 75, colorMode: 'Color' });
  await untilFed(fixture, 'slow');
  fixture.signal('SIGTERM');
  const { status, json } = await scanning;
  t.equal(status, 200);
  t.match(json, { success: false, status: 'Cancelled', error: /stopping/ });
  t.ok(json.imageCount >= 1 && json.imageCount < stack.length);
  t.same(
    await inksOf(json),
    stack.slice(0, json.imageCount).map(each => each.front),
  );
  const { code, log } = await fixture.ended;
  t.equal(code, 0);
  t.match(log, /Stopping: SIGTERM/);
  t.equal(await fixture.scanned('slow'), json.imageCount);
  await t.rejects(fixture.request('GET', '/'), { code: 'ECONNREFUSED' });
});

t.test('shutdown: a scanner hangs, the service ends all the same', async t => {
  const fixture = await start(t, topology, { config: { scan: { graceSeconds: 0.3 } } });
  await fixture.load('hanging', sheets(3, 1));
  const scanning = scan(fixture, 'hanging', { resolution: 75, colorMode: 'Color' });
  await untilHanging(fixture, 'hanging');
  fixture.signal('SIGTERM');
  const { json } = await scanning;
  t.match(json, { status: 'Cancelled', imageCount: 1 });
  t.equal((await fixture.ended).code, 0);
});

t.test('shutdown: SIGINT, exit code 0; silent, idle and half-sent connections do not delay the end', async t => {
  const fixture = await start(t, topology);
  await hangOn(t, fixture);
  fixture.signal('SIGINT');
  const { code, log } = await fixture.ended;
  t.equal(code, 0);
  t.match(log, /Stopping: SIGINT/);
  t.notMatch(log, /did not stop/);
});

/** Silent, idle and half-sent connections, which must not delay the end. */
async function hangOn(t: Test, fixture: Fixture): Promise<void> {
  const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n';
  const body =
    'POST /api/twain/scan HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"scann';
  for (const sent of ['', 'GET /', request, `${request}\r\n`, body]) {
    const socket = await fixture.connect();
    t.teardown(() => socket.destroy());
    socket.on('error', () => undefined);
    if (sent) socket.write(sent);
    if (sent.endsWith('\r\n\r\n')) await new Promise(resolve => socket.once('data', resolve));
  }
}

t.test('shutdown: second signal, ends at once', async t => {
  const fixture = await topology.start({ config: { scan: { graceSeconds: 300 } } });
  t.teardown(() => fixture.stop());
  await fixture.load('hanging', sheets(3, 1));
  const scanning = scan(fixture, 'hanging', { resolution: 75 }).catch((error: unknown) => error);
  await untilHanging(fixture, 'hanging');
  fixture.signal('SIGTERM');
  let seen = false;
  await until(async () => {
    // The service has taken the first signal when it refuses what is new.
    seen ||= (await scan(fixture, 'flatbed').catch(() => undefined))?.text.includes('stopping') ?? true;
    return seen;
  });
  fixture.signal('SIGTERM');
  t.equal((await fixture.ended).code, 1);
  t.type(await scanning, Error);
});
