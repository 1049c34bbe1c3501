/** `Idempotency-Key`: a repeated request gets the same scan and feeds no paper. */
import t from 'tap';
import { B, codeOf, service } from './scans.test.kit.js';

t.test('Idempotency-Key: two at once, one scan; the paper is fed once', async t => {
  const { start, ended, list, driver } = await service(t, { sheets: 1 });
  const key = { 'idempotency-key': 'k-1' };
  const bodies = [
    { requestId: 'r', parameters: { colorMode: 'color', resolution: 200 } },
    { parameters: { resolution: 200, colorMode: 'Color', other: 1 }, requestId: 'r' },
  ];
  const answers = await Promise.all(bodies.map(body => start(key, body)));
  t.same(
    answers.map(({ statusCode }) => statusCode),
    [201, 200],
  );
  const [one, two] = answers.map(each => each.json<{ id: string }>().id);
  t.equal(one, two);
  t.equal(answers[1]?.headers.location, `/api/scans/${one}`);
  await ended(one ?? '');
  t.match((await start(key, bodies[0])).json(), { id: one, state: 'completed', pageCount: 1 }, 'as it is now');
  t.same([driver.scans, (await list()).count], [1, 1]);
  t.equal((await start({ ...key, origin: B })).statusCode, 201, 'for another origin the key is another one');
});

t.test('Idempotency-Key: the opaque origin, a key that strangers could guess is rejected', async t => {
  const { start } = await service(t, { sheets: 1 });
  const origin = 'null';
  const guessed = await start({ origin, 'idempotency-key': '1' });
  t.match([guessed.statusCode, codeOf(guessed)], [400, { code: 'invalid-value', field: 'Idempotency-Key' }]);
  t.equal((await start({ origin, 'idempotency-key': 'c'.repeat(22) })).statusCode, 201);
});

t.test('Idempotency-Key: another body, a deleted scan, a refused request', async t => {
  const { call, start, started, ended, driver } = await service(t, { sheets: 1 });
  const key = { 'idempotency-key': 'k' };
  t.same(codeOf(await start(key, { scannerName: 'B' })), { code: 'device-not-found' });
  const id = await started(key);
  t.ok(id, 'the refused request freed its key');
  await ended(id);
  t.match(codeOf(await start(key, { requestId: 'other' })), { code: 'invalid-value', field: 'Idempotency-Key' });
  await call('DELETE', `/api/scans/${id}`);
  t.same(codeOf(await start(key)), { code: 'scan-not-found' });
  t.equal(driver.scans, 1);
});

t.test('Idempotency-Key: 1 to 255 visible ASCII characters', async t => {
  const { start, list } = await service(t, { sheets: 1 });
  for (const key of ['', ' ', 'a b', 'ü', 'x'.repeat(256)])
    t.match(codeOf(await start({ 'idempotency-key': key })), { code: 'invalid-value', field: 'Idempotency-Key' }, key);
  t.same((await list()).scans, []);
  t.equal((await start({ 'idempotency-key': 'x'.repeat(255) })).statusCode, 201);
});
