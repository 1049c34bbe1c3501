/** `POST /api/documents` with `interleave`: the fronts and backs of a stack as one file; and what is refused. */
import type { Test } from 'tap';
import t from 'tap';
import { documentService, isWhole, optionsOf, pagesOf } from './scans/document.test.kit.js';
import { A, B, codeOf } from './scans/scans.test.kit.js';

const url = '/api/documents';

/** Two scans that are over. */
async function twoPasses(t: Test, [sheets, sheetsAgain] = [3, 3], options = {}, headers = {}) {
  const made = await documentService(t, { sheets }, options);
  const fronts = await made.ended(await made.started(headers), headers);
  made.driver.load(sheetsAgain);
  const backs = await made.ended(await made.started(headers), headers);
  const interleave = { fronts: fronts.id, backs: backs.id };
  const post = (body: object, more = headers) => made.call('POST', url, more, body);
  return { ...made, fronts, backs, interleave, post };
}

t.test('interleave: fronts and backs in turn, in both orders of the backs, byte for byte', async t => {
  const { fronts, backs, interleave, post } = await twoPasses(t);
  const [f, b] = [fronts, backs].map(({ pages }) => pages.map(({ sha256 }) => sha256));
  for (const [more, order] of [
    [{}, [2, 1, 0]],
    [{ backsOrder: 'Reversed' }, [2, 1, 0]],
    [{ backsOrder: 'same' }, [0, 1, 2]],
  ] as const) {
    const { statusCode, headers, body } = await post({ interleave: { ...interleave, ...more } });
    t.equal(statusCode, 200, body);
    t.strictSame(
      pagesOf(body).map(({ sha256 }) => sha256),
      order.flatMap((back, front) => [f?.[front], b?.[back]]),
    );
    t.ok(isWhole(body));
    t.strictSame(optionsOf(body), { createdAt: Date.parse(fronts.createdAt), barcodes: false });
    t.match(headers, { 'content-disposition': /scan-\d{8}-\d{4}\.pdf"/ });
    t.notOk(headers['platen-scan'], 'of no single scan');
  }
});

t.test('interleave: the title, and turns by the number of the page in the document', async t => {
  const { interleave, post } = await twoPasses(t);
  const { body } = await post({ title: 'Both', interleave: { ...interleave, rotate: '2:180,all:90' } });
  t.match(optionsOf(body), { title: 'Both' });
  t.same(
    pagesOf(body).map(({ turn }) => turn),
    [90, 180, 90, 90, 90, 90],
  );
});

t.test('interleave: unequal counts are refused with both of them; nothing is lost', async t => {
  const { interleave, post, read, format } = await twoPasses(t, [3, 2]);
  const answer = await post({ interleave });
  t.equal(answer.statusCode, 400);
  t.match(codeOf(answer), { code: 'invalid-value', field: 'interleave' });
  t.match(answer.json(), { success: false, error: /fronts have 3, the backs have 2/ });
  t.equal(format.begun, 0);
  t.same([(await read(interleave.fronts)).pageCount, (await read(interleave.backs)).pageCount], [3, 2]);
});

t.test('interleave: each wrong value is a 400 with its field', async t => {
  const { interleave, post } = await twoPasses(t, [1, 1]);
  const pages = [{ scan: interleave.fronts, page: 1 }];
  for (const [body, field, allowed] of [
    [{ pages: null, interleave: null }, 'pages'],
    [{ pages, interleave }, 'interleave'],
    [{ interleave: 'both' }, 'interleave'],
    [{ interleave: { backs: interleave.backs } }, 'interleave.fronts'],
    [{ interleave: { fronts: interleave.fronts } }, 'interleave.backs'],
    [{ interleave: { ...interleave, backs: '' } }, 'interleave.backs'],
    [{ interleave: { ...interleave, backs: interleave.fronts } }, 'interleave.backs'],
    [{ interleave: { ...interleave, backsOrder: 'upside' } }, 'interleave.backsOrder', ['reversed', 'same']],
    [{ interleave: { ...interleave, rotate: 90 } }, 'interleave.rotate'],
    [{ interleave: { ...interleave, rotate: '1:45' } }, 'interleave.rotate'],
    [{ interleave, format: 'docx' }, 'format', ['pdf']],
  ] as const) {
    const answer = await post(body);
    const what = `${field} ${answer.body}`;
    t.equal(answer.statusCode, 400, what);
    t.match(codeOf(answer), { code: 'invalid-value', field, ...(allowed ? { allowed } : {}) }, what);
    t.ok(answer.json<{ error: string }>().error.includes(field), what);
  }
});

t.test('interleave: both scans must be over', async t => {
  const { interleave, post, driver, started, ended } = await twoPasses(t, [1, 1]);
  driver.load(1);
  driver.hold();
  const id = await started();
  for (const side of ['fronts', 'backs']) {
    const answer = await post({ interleave: { ...interleave, [side]: id } });
    t.equal(answer.statusCode, 400);
    t.match(codeOf(answer), { code: 'invalid-value', field: `interleave.${side}` });
  }
  driver.release();
  await ended(id);
  t.ok(isWhole((await post({ interleave: { ...interleave, backs: id } })).body));
});

t.test('interleave: a scan of another origin does not exist, nor does one that was deleted', async t => {
  const { interleave, post, call } = await twoPasses(t, [1, 1], {}, { origin: A });
  t.equal((await post({ interleave })).statusCode, 200);
  t.match(await post({ interleave }, { origin: B }), { statusCode: 404 });
  await call('DELETE', `/api/scans/${interleave.backs}`, { origin: A });
  const gone = await post({ interleave });
  t.same([gone.statusCode, codeOf(gone)], [404, { code: 'scan-not-found' }]);
  t.match(gone.json(), { error: /interleave\.backs/ });
});

t.test('interleave: two scans without pages, 404 no-pages', async t => {
  const { interleave, post } = await twoPasses(t, [0, 0]);
  const answer = await post({ interleave });
  t.same([answer.statusCode, codeOf(answer)], [404, { code: 'no-pages' }]);
});
