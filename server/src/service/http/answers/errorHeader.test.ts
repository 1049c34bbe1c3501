import { InvalidValue, ScanError } from '@platen/core';
import t from 'tap';
import { errorHeaderOf, isAddition } from './errorHeader.js';
import { failureOf, oneOrigin, testApp } from '../testApp.test.kit.js';

t.test('Platen-Error: ASCII JSON, with field and allowed for an invalid value', async t => {
  t.equal(errorHeaderOf('paper-jam', new ScanError('paper-jam', 'Stuck.')), '{"code":"paper-jam"}');
  t.equal(errorHeaderOf('unknown-path'), '{"code":"unknown-path"}');
  t.equal(
    errorHeaderOf('internal', { field: 'a', allowed: ['b'] }),
    '{"code":"internal"}',
    'of nothing that is unknown',
  );

  const wrong = (field: string, allowed?: unknown[]) =>
    errorHeaderOf('invalid-value', new InvalidValue(field, 'words', allowed));
  t.equal(wrong('jpegQuality'), '{"code":"invalid-value","field":"jpegQuality"}');
  t.equal(
    wrong('size', ['A4', 'Ä\n\u007f', 200, true]),
    String.raw`{"code":"invalid-value","field":"size","allowed":["A4","\u00c4\n\u007f",200,true]}`,
  );
  t.equal(
    wrong('n', Array(5000).fill(1)),
    '{"code":"invalid-value","field":"n"}',
    'a list that is too long is left out',
  );
  t.equal(errorHeaderOf('invalid-value', { field: 7, allowed: 'b' }), '{"code":"invalid-value"}');
});

t.test('Platen-Error: on every error answer, readable by pages, and the body is unchanged', async t => {
  const origin = 'https://app.example:8443';
  const { app } = await testApp(oneOrigin);
  const json = { 'content-type': 'application/json' };
  const cases = [
    [{ url: '/code/busy' }, { code: 'busy' }],
    [{ url: '/nothing' }, { code: 'unknown-path' }],
    [{ url: '/secret' }, { code: 'internal' }],
    [{ url: '/invalid' }, { code: 'invalid-value', field: 'size', allowed: ['A4', 'A5'] }],
    [
      { method: 'POST', url: '/checked', payload: {} },
      { code: 'invalid-value', field: 'name' },
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
    '/api/separator?size=A4',
  ])
    t.ok(isAddition(path), path);
  for (const path of ['/', '/api', '/api/twain', '/api/twain/scan', '/api/scanso', '/app/scans', '/x/api/scans'])
    t.notOk(isAddition(path), path);
});
