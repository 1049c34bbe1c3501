/** Errors: the codes of an answer and of a scan's status. */
import t from 'tap';
import { codeOfAnswer, codeOfStatus, refusalIn } from './errors.js';

const answer = (status: number, header?: string): Response =>
  new Response('', { status, ...(header === undefined ? {} : { headers: { 'platen-error': header } }) });

t.test("codeOfAnswer: the service's own code, also one that this module does not know", async t => {
  for (const code of ['origin-refused', 'device-not-found', 'unknown-path', 'busy', 'storage-full', 'something-new'])
    t.equal(codeOfAnswer(answer(500, JSON.stringify({ code }))), code);
});

t.test('codeOfAnswer: no code, not an answer of the service', async t => {
  for (const header of [undefined, '', 'not JSON', 'null', '"busy"', '{}', '{"code":7}', '{"code":"Not a code"}'])
    t.equal(codeOfAnswer(answer(404, header)), 'unexpected-answer', String(header));
});

t.test('codeOfStatus: the code of which a status is the name', async t => {
  const cases = {
    Cancelled: 'cancelled',
    InvalidValue: 'invalid-value',
    NoSourceOpen: 'no-source-open',
    DeviceOffline: 'device-offline',
    InternalError: 'internal',
    '': 'internal',
    'a b': 'internal',
  };
  for (const [status, meant] of Object.entries(cases)) t.equal(codeOfStatus(status), meant, status);
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
  t.same(refusalIn(answer(400)), {}, 'without the header');
  t.same(refusalIn(answer(400, 'not JSON')), {});
});

t.test('codeOfAnswer, refusalIn: without the header, from the body', async t => {
  const body = { code: 'invalid-value', field: 'sheets', allowed: [1] };
  t.equal(codeOfAnswer(answer(409), body), 'invalid-value');
  t.same(refusalIn(answer(409), body), { field: 'sheets', allowed: [1] });
  t.equal(codeOfAnswer(answer(409, '{"code":"busy"}'), body), 'busy', 'the header goes first');
  t.same(refusalIn(answer(409, '{"code":"busy"}'), body), {});
});
