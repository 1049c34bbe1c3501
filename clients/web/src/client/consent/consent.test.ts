/** Consent: calls that wait for the person's answer, over a service that asks. */
import { mock } from 'node:test';
import t, { type Test } from 'tap';
import { createClient, type ClientOptions, type ConsentQuestion, type OnConsent } from '../index.js';
import { baseUrl, consentService, linkTo, passing, passUntil, settle } from './consentService.test.kit.js';

t.beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
t.afterEach(() => mock.timers.reset());

function start(given: Parameters<typeof consentService>[0] = {}, options: ClientOptions & { answer?: OnConsent } = {}) {
  const service = consentService(given);
  const questions: ConsentQuestion[] = [];
  const { answer = () => undefined, ...rest } = options;
  const onConsent: OnConsent = question => {
    questions.push(question);
    return answer(question);
  };
  const client = createClient({ baseUrl, fetch: service.fetch, onConsent, ...rest });
  return { service, questions, client };
}

const polls = ({ of }: ReturnType<typeof consentService>): number => of('GET /api/consent').length;

t.test('onConsent: calls that wait together ask once; after a yes each is made again, as it was', async t => {
  const { service, questions, client } = start();
  const calls = Promise.all([
    client.listScanners(),
    client.listScans(),
    client.startScan('Feeder', { resolution: 300 }, { key: 'k1', requestId: 'r1' }),
  ]);
  await passUntil(() => polls(service) > 2);
  t.match(questions, [{ link: linkTo(1), origin: '', may: ['scan'] }]);
  t.equal(questions.length, 1);
  t.notOk(questions[0]?.signal.aborted, 'still shown');
  t.same(
    service.of('POST /api/consent').map(({ body }) => body),
    [{ may: ['scan'] }],
  );
  service.allow('scan');
  const [scanners, scans, scan] = await passing(calls);
  t.same([scanners, scans, scan.id], [[], [], 'b1']);
  t.ok(questions[0]?.signal.aborted);
  const [first, second, ...more] = service.of('POST /api/scans');
  t.same(more, []);
  t.same(second, first, 'the same body and headers');
  t.match(second, {
    headers: { 'idempotency-key': 'k1', 'content-type': 'application/json' },
    body: { scannerName: 'Feeder', parameters: { resolution: 300 }, requestId: 'r1' },
  });
  await client.listScanners();
  t.equal(questions.length, 1);
});

t.test('without onConsent: consent-required, with the link and what the call needs', async t => {
  const { service, client } = start({}, { onConsent: undefined });
  await t.rejects(client.startScan('Feeder'), {
    code: 'consent-required',
    httpStatus: 403,
    link: linkTo(1),
    may: ['scan'],
    message: /#q1/,
  });
  await t.rejects(client.autoScan('Feeder').next(), { code: 'consent-required', may: ['auto-scan'] });
  t.same(service.of('POST /api/consent'), [], 'nobody is waited for');
});

t.test('a no: consent-refused with the link; the next call does not ask', async t => {
  const { service, questions, client } = start();
  const calls = [client.listScanners(), client.startScan('Feeder')];
  const outcomes = Promise.allSettled(calls);
  await passUntil(() => polls(service) > 0);
  service.refuse();
  for (const outcome of await passing(outcomes))
    t.match(outcome, {
      reason: { code: 'consent-refused', httpStatus: 403, link: `${baseUrl}/origins/`, may: ['scan'] },
    });
  await t.rejects(client.listScans(), { code: 'consent-refused' });
  t.equal(questions.length, 1);
});

t.test('a question that nobody answered for long: asked again, with the other link', async t => {
  const { service, questions, client } = start();
  const call = client.listScanners();
  await passUntil(() => polls(service) > 0);
  service.lapse();
  await passUntil(() => questions.length > 1);
  t.same(
    questions.map(({ link, signal }) => [link, signal.aborted]),
    [
      [linkTo(1), true],
      [linkTo(2), false],
    ],
  );
  service.allow('scan');
  t.same(await passing(call), []);
});

t.test('the signal ends the wait of its call; when the last one left, the service is left alone', async t => {
  const { service, questions, client } = start();
  const [first, second] = [new AbortController(), new AbortController()];
  const calls = [
    client.listScanners({ signal: first.signal }),
    client.startScan('Feeder', {}, { signal: second.signal }),
  ];
  const [one, other] = calls.map(call => call.catch((error: unknown) => error));
  await passUntil(() => polls(service) > 0);
  first.abort();
  t.match(await one, { code: 'cancelled' });
  t.notOk(questions[0]?.signal.aborted, 'the other one waits');
  second.abort(new DOMException('', 'TimeoutError'));
  t.match(await passing(other as Promise<unknown>), { code: 'timeout' });
  t.ok(questions[0]?.signal.aborted);
  const before = polls(service);
  mock.timers.tick(5000);
  await settle();
  t.equal(polls(service), before);
  const again = client.listScanners();
  await passUntil(() => questions.length === 2);
  service.allow('scan');
  t.same(await passing(again), []);
  t.equal(service.of('POST /api/scans').length, 1, 'nothing is started');
});

t.test('an aborted or left auto-scan that waits ends', async t => {
  const { questions, client } = start();
  const stop = new AbortController();
  const loop = client.autoScan('Feeder', {}, { signal: stop.signal });
  const next = loop.next();
  await passUntil(() => questions.length === 1);
  t.same(questions[0]?.may, ['auto-scan']);
  stop.abort();
  t.match(await passing(next), { done: true });
  t.match(loop.end, { reason: 'aborted' });
  const left = client.autoScan('Feeder');
  const coming = left.next();
  await passUntil(() => questions.length === 2);
  await passing(Promise.resolve(left.return?.()));
  t.match(await coming, { done: true });
});

t.test('onConsent returns false, throws or rejects: consent-required, and the wait ends', async t => {
  const failure = new Error('No dialogue here.');
  const endings: [string, OnConsent, unknown][] = [
    ['false', () => false, undefined],
    ['a promise of false', async () => false, undefined],
    [
      'throws',
      () => {
        throw failure;
      },
      failure,
    ],
    ['rejects', () => Promise.reject(failure), failure],
  ];
  for (const [name, answer, cause] of endings) {
    const { service, questions, client } = start({}, { answer });
    const calls = [client.listScanners(), client.listScans()].map(call => call.catch((error: unknown) => error));
    for (const error of await passing(Promise.all(calls)))
      t.match(error, { code: 'consent-required', link: linkTo(1), may: ['scan'], cause }, name);
    t.ok(questions[0]?.signal.aborted);
    mock.timers.tick(5000);
    await settle();
    t.equal(polls(service), 0, name);
  }
});

t.test('a promise of onConsent that stays open: the answer counts', async t => {
  const { service, client } = start({}, { answer: () => new Promise(() => undefined) });
  const call = client.listScanners();
  await passUntil(() => polls(service) > 0);
  service.allow('scan');
  t.same(await passing(call), []);
});

t.test('a yes without the right that the call needs: consent-required, asked once', async t => {
  const { service, questions, client } = start();
  const next = client.autoScan('Feeder').next();
  const outcome = next.catch((error: unknown) => error);
  await passUntil(() => polls(service) > 0);
  service.allow('scan');
  t.match(await passing(outcome), { code: 'consent-required', may: ['auto-scan'], link: linkTo(2) });
  t.equal(questions.length, 1);
});

t.test('a call that needs more than the question that is open: asks for it afterwards', async t => {
  const { service, questions, client } = start({ stream: 'event: disabled\ndata: {"message":"off"}\n\n' });
  const list = client.listScanners();
  await passUntil(() => questions.length === 1);
  const next = client.autoScan('Feeder').next();
  await passUntil(() => polls(service) > 1);
  t.equal(questions.length, 1);
  service.allow('scan');
  t.same(await passing(list), []);
  await passUntil(() => questions.length === 2);
  t.same(questions[1]?.may, ['auto-scan']);
  service.allow('scan', 'auto-scan');
  t.match(await passing(next), { done: true });
});

t.test('done, and the cancel of a scan that waits, ask nobody', async t => {
  const { service, questions, client } = start();
  service.allow('scan');
  const scan = await client.startScan('Feeder');
  service.revoke();
  await t.rejects(scan.done(), { code: 'consent-required' });
  t.same(questions, []);
  const stop = new AbortController();
  const call = client.startScan('Feeder', {}, { signal: stop.signal }).catch((error: unknown) => error);
  await passUntil(() => questions.length === 1);
  stop.abort();
  t.match(await passing(call), { code: 'cancelled' });
  await settle();
  t.equal(questions.length, 1);
});

t.test('the service is away for a moment while it waits: goes on', async t => {
  const { service, client } = start();
  const call = client.listScanners();
  await passUntil(() => polls(service) > 0);
  service.away(true);
  const before = polls(service);
  await passUntil(() => polls(service) > before + 2);
  service.away(false);
  service.allow('scan');
  t.same(await passing(call), []);
});

t.test('auto-scan whose consent ends: consent-ended at once, and no other connection', async t => {
  for (const event of ['error', 'disabled']) {
    const ended = `event: ${event}\ndata: {"message":"over","error":"over","code":"consent-ended"}\n\n`;
    const { service, client } = start({ stream: ended });
    service.allow('scan', 'auto-scan');
    const loop = client.autoScan('Feeder');
    await t.rejects(loop.next(), { code: 'consent-ended', message: 'over', link: `${baseUrl}/origins/` });
    t.match(loop.end, { reason: 'failed' });
    t.equal(service.of('GET /api/twain/autoscan/events').length, 1);
  }
});

t.test('a stream that is refused when it connects again: consent-required, and nobody is asked', async t => {
  const { service, questions, client } = start();
  service.allow('scan', 'auto-scan');
  const scan = await client.startScan('Feeder');
  const next = client
    .autoScan('Feeder')
    .next()
    .catch((error: unknown) => error);
  await passUntil(() => service.of('GET /api/twain/autoscan/events').length > 0);
  service.revoke();
  t.match(await passing(next), { code: 'consent-required', link: linkTo(1) });
  await t.rejects(scan.pages().next(), { code: 'consent-required', link: linkTo(1), may: ['scan'], pages: [] });
  t.same(questions, []);
});

function fakeStorage(t: Test, items: Map<string, string> | undefined): void {
  const broken = (): never => {
    throw new DOMException('', 'SecurityError');
  };
  const localStorage = items
    ? {
        getItem: (name: string) => items.get(name) ?? null,
        setItem: (name: string, value: string) => void items.set(name, value),
      }
    : { getItem: broken, setItem: broken };
  const fakes = { document: {}, localStorage };
  for (const [name, value] of Object.entries(fakes))
    Object.defineProperty(globalThis, name, { value, configurable: true });
  t.teardown(() => Object.keys(fakes).forEach(name => Reflect.deleteProperty(globalThis, name)));
}

t.test('the pass: kept by the browser, and sent with each request from then on', async t => {
  const items = new Map<string, string>();
  fakeStorage(t, items);
  const { service, client } = start({ pass: 'secret' });
  const call = client.listScanners();
  await passUntil(() => polls(service) > 0);
  t.equal(items.get(`platen.pass:${baseUrl}`), 'secret');
  t.match(service.of('GET /api/consent')[0]?.headers, { authorization: 'Bearer secret' });
  service.allow('scan');
  await passing(call);
  const other = consentService({ pass: 'secret' });
  other.allow('scan');
  t.same(await createClient({ baseUrl, fetch: other.fetch }).listScanners(), [], 'another page of the origin');
  t.match(other.sent, [{ headers: { authorization: 'Bearer secret' } }]);
});

t.test('the pass: another page of the origin got a newer one, which counts', async t => {
  const items = new Map<string, string>();
  fakeStorage(t, items);
  const { service, client } = start({ pass: 'old' });
  const call = client.listScanners();
  await passUntil(() => polls(service) > 0);
  service.allow('scan');
  await passing(call);
  items.set(`platen.pass:${baseUrl}`, 'new');
  const newer = start({ pass: 'new' });
  newer.service.allow('scan');
  t.same(await passing(newer.client.listScanners()), []);
  t.same(newer.questions, [], 'nobody is asked');
});

t.test('the pass: no storage, it lasts as long as the page', async t => {
  fakeStorage(t, undefined);
  const { service, client } = start({ pass: 'secret two' });
  const call = client.listScanners();
  await passUntil(() => polls(service) > 0);
  service.allow('scan');
  await passing(call);
  await client.listScans();
  t.match(service.sent.at(-1)?.headers, { authorization: 'Bearer secret two' });
});

t.test('token: sent with each request; an answer that wants it, token-required', async t => {
  const { service, client } = start({}, { token: 'of the data folder' });
  service.allow('scan');
  await client.listScanners();
  await client.health().catch(() => undefined);
  for (const { headers } of service.sent) t.match(headers, { authorization: 'Bearer of the data folder' });
  const wants = (async () =>
    Response.json({ success: false, code: 'token-required', error: 'no' }, { status: 401 })) as typeof fetch;
  await t.rejects(createClient({ baseUrl, fetch: wants }).listScanners(), { code: 'token-required', httpStatus: 401 });
});

t.test('diagnose: not allowed yet, refused, or no token; it asks nobody', async t => {
  const { service, questions, client } = start();
  const found = async (): Promise<unknown> => (await client.diagnose()).findings;
  t.match(await found(), [{ problem: 'consent-required', remedy: new RegExp(linkTo(1)), values: { link: linkTo(1) } }]);
  service.refuse();
  t.match(await found(), [{ problem: 'consent-refused', remedy: /\/origins\// }]);
  t.same(questions, []);
  const wants: typeof fetch = async input =>
    new URL(String(input)).pathname === '/'
      ? Response.json({ service: 'fake', status: 'running' })
      : Response.json({ success: false }, { status: 401, headers: { 'platen-error': '{"code":"token-required"}' } });
  const { findings } = await createClient({ baseUrl, fetch: wants }).diagnose();
  t.match(findings, [{ problem: 'token-required', values: { address: baseUrl } }]);
});
