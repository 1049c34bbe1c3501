import { InvalidValue, ScanError } from '@platen/core';
import t from 'tap';
import { errorHeaderOf, factsOf, isAddition } from './errorHeader.js';
import { failureOf, oneOrigin, testApp } from '../testApp.test.kit.js';

const headerOf = (code: 'paper-jam' | 'internal' | 'invalid-value', thrown: unknown): string =>
  errorHeaderOf(factsOf(code, thrown, sentence => sentence.replace('/home/eve', '~')));

t.test('Platen-Error: ASCII JSON, with field and what it takes for an invalid value', async t => {
  t.equal(headerOf('paper-jam', new ScanError('paper-jam', 'Stuck.')), '{"code":"paper-jam"}');
  t.equal(errorHeaderOf({ code: 'unknown-path' }), '{"code":"unknown-path"}');
  t.equal(
    headerOf('internal', { field: 'a', accepts: 'b', allowed: ['b'] }),
    '{"code":"internal"}',
    'of nothing that is unknown',
  );

  const wrong = (field: string, accepts: string, allowed?: unknown[]) =>
    headerOf('invalid-value', new InvalidValue(field, accepts, allowed));
  t.equal(wrong('n', 'one of /home/eve'), '{"code":"invalid-value","field":"n","accepts":"one of ~"}');
  t.equal(
    wrong('size', 'a size', ['A4', 'Ä\n\u007f', 200, true]),
    String.raw`{"code":"invalid-value","field":"size","accepts":"a size","allowed":["A4","\u00c4\n\u007f",200,true]}`,
  );
  t.equal(
    wrong('n', 'a number', Array(5000).fill(1)),
    '{"code":"invalid-value","field":"n","accepts":"a number"}',
    'a list that is too long is left out',
  );
  t.equal(wrong('n', 'x'.repeat(5000), [1]), '{"code":"invalid-value","field":"n"}', 'and words that are too long');
  t.equal(headerOf('invalid-value', { field: 7, allowed: 'b' }), '{"code":"invalid-value"}');
});

t.test('Platen-Error: on every error answer, readable by pages, and the body is unchanged', async t => {
  const origin = 'https://app.example:8443';
  const { app } = await testApp(oneOrigin);
  const json = { 'content-type': 'application/json' };
  const cases = [
    [{ url: '/code/busy' }, { code: 'busy' }],
    [{ url: '/nothing' }, { code: 'unknown-path' }],
    [{ url: '/secret' }, { code: 'internal' }],
    [{ url: '/invalid' }, { code: 'invalid-value', field: 'size', accepts: 'one of A4, A5', allowed: ['A4', 'A5'] }],
    [
      { method: 'POST', url: '/checked', payload: {} },
      { code: 'invalid-value', field: 'name', accepts: 'a string' },
    ],
    [{ method: 'POST', url: '/echo', payload: '{', headers: json }, { code: 'invalid-json' }],
  ] as const;
  for (const [request, expected] of cases) {
    const headers = 'headers' in request ? request.headers : {};
    const response = await app.inject({ ...request, headers: { ...headers, origin } });
    failureOf(response);
    t.same(JSON.parse(String(response.headers['platen-error'])), expected, request.url);
    t.match(response.headers['access-control-expose-headers'], /Platen-Error/);
  }
  t.notOk('platen-error' in (await app.inject('/ok')).headers);
});

t.test('errors of additions to the interface: the body says what the header says, of unknown paths too', async t => {
  const { app } = await testApp(oneOrigin);
  const answer = await app.inject('/api/scans/1/nothing');
  t.same(answer.json(), { success: false, error: 'There is no GET /api/scans/1/nothing.', code: 'unknown-path' });
  t.match(answer.headers, { 'platen-error': '{"code":"unknown-path"}', 'content-type': /^application\/json/ });
  t.same(Object.keys((await app.inject('/api/twain/nothing')).json()), ['success', 'error'], "the interface's own");
  for (const path of [
    '/api/scans',
    '/api/scans?state=failed',
    '/api/scans/1/pages/2',
    '/api/profiles',
    '/api/features',
    '/api/features/events',
    '/api/separator?size=A4',
  ])
    t.ok(isAddition(path), path);
  for (const path of ['/', '/api', '/api/twain', '/api/twain/scan', '/api/scanso', '/app/scans', '/x/api/scans'])
    t.notOk(isAddition(path), path);
});
