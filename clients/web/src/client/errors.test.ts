/** Errors: the codes for an answer, a scan's status and the end of an auto-scan. */
import t from 'tap';
import { codeOfEnd } from './endCodes.js';
import { codeOfAnswer, codeOfScan, refusalIn } from './errors.js';

const answer = (status: number, header?: string): Response =>
  new Response('', { status, ...(header === undefined ? {} : { headers: { 'platen-error': header } }) });

t.test('codeOfAnswer: a code in the header, takes precedence over the HTTP status', async t => {
  const cases = [
    [403, 'origin-refused', 'origin-refused'],
    [403, 'cors-required', 'failed'],
    [404, 'device-not-found', 'scanner-not-found'],
    [404, 'unknown-path', 'wrong-version'],
    [409, 'busy', 'busy'],
    [409, 'no-source-open', 'no-scanner-open'],
    [409, 'autoscan-off', 'autoscan-off'],
    [429, 'too-many-streams', 'busy'],
    [500, 'device-offline', 'offline'],
    [503, 'not-connected', 'desktop-app-away'],
  ] as const;
  for (const [status, code, meant] of cases)
    t.equal(codeOfAnswer(answer(status, JSON.stringify({ code }))), meant, code);
});

t.test('codeOfAnswer: no known code, the HTTP status decides; 404 is an older service', async t => {
  const headers = [
    undefined,
    '',
    'not JSON',
    'null',
    '"busy"',
    '{}',
    '{"code":7}',
    '{"code":"constructor"}',
    '{"code":"something-new"}',
  ];
  const cases = [
    [400, 'refused'],
    [403, 'origin-refused'],
    [404, 'wrong-version'],
    [409, 'busy'],
    [500, 'failed'],
    [503, 'desktop-app-away'],
    [504, 'timeout'],
  ] as const;
  for (const header of headers)
    for (const [status, meant] of cases) t.equal(codeOfAnswer(answer(status, header)), meant, `${status} ${header}`);
});

t.test('codeOfScan: a known status is its code in kebab case; an unknown one is `failed`', async t => {
  const cases = {
    Cancelled: 'cancelled',
    InvalidValue: 'refused',
    NoSourceOpen: 'no-scanner-open',
    PaperJam: 'paper-jam',
    DeviceOffline: 'offline',
    InternalError: 'failed',
    ToString: 'failed',
  };
  for (const [status, meant] of Object.entries(cases)) t.equal(codeOfScan(status), meant, status);
});

t.test('codeOfEnd: only failures have a code', async t => {
  t.same(['failing', 'unread', 'device-lost', 'not-connected', 'storage-failed'].map(codeOfEnd), [
    'failing',
    'unread',
    'offline',
    'desktop-app-away',
    'failed',
  ]);
  for (const code of [undefined, '', 'requested', 'scanner-closed', 'driver-failed', 'constructor'])
    t.equal(codeOfEnd(code), undefined, String(code));
});

t.test('refusalIn: the field and its values; what cannot be read is absent', async t => {
  const cases = [
    [
      { code: 'invalid-value', field: 'sheets', allowed: [1, 'two', true] },
      { field: 'sheets', allowed: [1, 'two', true] },
    ],
    [{ code: 'invalid-value', field: 'area.x' }, { field: 'area.x' }],
    [{ code: 'invalid-value', field: 'area', allowed: [{}] }, { field: 'area' }],
    [{ code: 'invalid-value', field: 'area', allowed: 'all' }, { field: 'area' }],
    [{ code: 'busy', allowed: [1] }, {}],
    [{ field: 7 }, {}],
    [null, {}],
  ] as const;
  for (const [header, found] of cases) t.same(refusalIn(answer(400, JSON.stringify(header))), found);
  t.same(refusalIn(answer(400)), {}, 'an older service');
  t.same(refusalIn(answer(400, 'not JSON')), {});
});

t.test('codeOfAnswer, refusalIn: without the header, from the body', async t => {
  const body = { code: 'invalid-value', field: 'sheets', allowed: [1] };
  t.equal(codeOfAnswer(answer(409), body), 'refused');
  t.same(refusalIn(answer(409), body), { field: 'sheets', allowed: [1] });
  t.equal(codeOfAnswer(answer(409, '{"code":"busy"}'), body), 'busy', 'the header goes first');
  t.same(refusalIn(answer(409, '{"code":"busy"}'), body), {});
});
