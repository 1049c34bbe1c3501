/** `GET /metrics`: off by default, for programs only, and what it counts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fakeDriver } from '@platen/conformance';
import t, { type Test } from 'tap';
import { parsed, type Read } from '../metrics/parse.test.kit.js';
import { testService } from '../service.test.kit.js';
import { createCertificate } from '../../machine/tls/certificate.js';

const A = 'https://a.example';
const host = 'localhost:53052';

const started = (t: Test, config: object = {}, faults = {}) =>
  testService(t, fakeDriver({ devices: [{ name: 'Secret scanner', flatbed: false }], sheets: 3, faults }), {
    config: { metrics: { enabled: true }, ...config },
  });
type Started = Awaited<ReturnType<typeof started>>;

const read = async ({ app }: Started, headers: Record<string, string> = {}): Promise<Read & { text: string }> => {
  const { body, statusCode, headers: given } = await app.inject({ url: '/metrics', headers: { host, ...headers } });
  t.equal(statusCode, 200);
  t.equal(given['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
  t.equal(given['cache-control'], 'no-store');
  return { ...parsed(body), text: body };
};
const scan = ({ app }: Started, headers: Record<string, string> = {}, url = '/api/twain/scan') =>
  app.inject({ method: 'POST', url, headers: { host, ...headers }, payload: { scannerName: 'Secret scanner' } });

t.test('metrics: off by default, 404 with the error body of the house', async t => {
  const { app } = await testService(t, fakeDriver());
  const answer = await app.inject({ url: '/metrics', headers: { host } });
  t.equal(answer.statusCode, 404);
  t.equal(answer.headers['platen-error'], '{"code":"unknown-path"}');
  t.match(answer.json(), { success: false, error: /metrics\.enabled/ });
});

t.test('metrics: scans and pages by code, the seconds of the stages, what is held now', async t => {
  const made = await started(t, {}, { 3: 'paper-jam' });
  await createCertificate(made.dataDir);
  t.equal((await scan(made)).statusCode, 500);
  await made.app.inject({ method: 'POST', url: '/api/twain/scan', headers: { host }, payload: {} });
  const { value, text } = await read(made);
  t.equal(value('platen_scans_total{kind="on-demand",code="paper-jam"}'), 1);
  t.equal(value('platen_scans_total{kind="on-demand",code="complete"}'), 0);
  t.equal(value('platen_pages_total{kind="on-demand"}'), 2);
  t.equal(value('platen_error_answers_total{code="paper-jam"}'), 1);
  t.equal(value('platen_error_answers_total{code="invalid-value"}'), 1);
  for (const stage of ['queue', 'encode', 'store'])
    t.equal(value(`platen_stage_seconds_count{stage="${stage}"}`), 2, stage);
  t.equal(value('platen_stage_seconds_count{stage="feed"}'), 3, 'two pages, and the jam');
  t.equal(value('platen_stage_seconds_count{stage="prepare"}'), 1);
  t.equal(value('platen_scans_running'), 0);
  t.equal(value('platen_page_tasks_waiting'), 0);
  t.ok(value('platen_certificate_remaining_seconds')! > 300 * 86_400);
  t.ok(value('process_resident_memory_bytes')! > 1e6);
  t.ok(value('nodejs_heap_size_used_bytes')! > 1e6);
  t.equal(value('platen_spool_bytes{place="disk"}'), 0);
  t.match(
    text,
    /^platen_build_info\{version="1\.2\.3\.0",node="\d+\.\d+\.\d+",platform="[a-z0-9]+",arch="[a-z0-9]+"\} 1$/m,
  );
  t.notMatch(text, /Secret scanner/);
});

t.test('metrics: kept scans and their bytes; without a certificate, no time of it', async t => {
  const made = await started(t);
  const { id } = (await scan(made, {}, '/api/scans')).json<{ id: string }>();
  // It ends with the scan.
  await made.app.inject({ url: `/api/scans/${id}/events`, headers: { host } });
  const { value, names } = await read(made);
  t.equal(value('platen_kept_scans'), 1);
  t.ok(value('platen_kept_bytes')! > 0);
  t.equal(value('platen_scans_total{kind="on-demand",code="complete"}'), 1);
  t.equal(value('platen_pages_total{kind="on-demand"}'), 3);
  t.notOk(names.includes('platen_certificate_remaining_seconds'));
});

t.test('metrics: origins only if asked for', async t => {
  const [without, withThem] = [await started(t), await started(t, { metrics: { enabled: true, origins: true } })];
  for (const made of [without, withThem]) {
    await scan(made, { origin: A });
    await scan(made);
  }
  t.notMatch((await read(without)).text, /example|by_origin/);
  const { value } = await read(withThem);
  t.equal(value(`platen_scans_by_origin_total{origin="${A}"}`), 1);
  t.equal(value('platen_scans_by_origin_total{origin=""}'), 1);
});

t.test('metrics: no page reads it, not even the own one; a person may type the address', async t => {
  const made = await started(t);
  const own = `http://${host}`;
  for (const headers of [
    { origin: A },
    { origin: 'null' },
    { origin: own },
    { origin: own, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' },
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' },
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' },
    { origin: A, upgrade: 'websocket', connection: 'upgrade' },
  ] as readonly Record<string, string>[]) {
    const { statusCode, body } = await made.app.inject({ url: '/metrics', headers: { host, ...headers } });
    t.equal(statusCode, 403, JSON.stringify(headers));
    t.notMatch(body, /platen_/);
  }
  await read(made, { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' });
  t.equal((await made.app.inject({ url: '/metrics', headers: { host: 'evil.example' } })).statusCode, 421);
});

t.test('metrics: with localPrograms "token", only with the token', async t => {
  const made = await started(t, { security: { origins: 'ask', localPrograms: 'token' } });
  const { statusCode, headers } = await made.app.inject({ url: '/metrics', headers: { host } });
  t.equal(statusCode, 401);
  t.equal(headers['platen-error'], '{"code":"token-required"}');
  const token = readFileSync(join(made.dataDir, 'local.token'), 'utf8').trim();
  const authorization = `Bearer ${token}`;
  t.equal((await read(made, { authorization })).value('platen_error_answers_total{code="token-required"}'), 1);
  const page = await made.app.inject({ url: '/metrics', headers: { host, authorization, origin: A } });
  t.equal(page.statusCode, 403);
});
