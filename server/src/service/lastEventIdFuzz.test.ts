/** Streams of a kept scan with a damaged Last-Event-ID: the pages after it, or all of them, in order, and how the scan ended. */
import { damaged, fuzzed } from '@platen/conformance/fuzz';
import * as fc from 'fast-check';
import t from 'tap';
import { documentService } from './routes/api/scans/document.test.kit.js';

const RUNS = 200;
const PAGES = 3;

const { app, ended, started } = await documentService(t, { devices: [{ name: 'A' }], sheets: PAGES });
const { id } = await ended(await started());
const over = `${PAGES}.completed`;

const ids = ['1', '2', '3', over, '2.running', '1.failed', '0', '-1', '4', '1e3', '9007199254740993', '1.completed.1'];
/** What a header of HTTP may have. */
const lastId = fc.oneof(
  fc.constantFrom(...ids),
  damaged(ids.map(each => Buffer.from(each))).map(bytes =>
    [...bytes.toString('latin1')].filter(c => c === '\t' || (c >= ' ' && c !== '\x7f')).join(''),
  ),
);

t.test('Last-Event-ID: damaged, no page that the client may lack is left out', async () => {
  await fc.assert(
    fc.asyncProperty(lastId, async last => {
      const url = `/api/scans/${id}/events`;
      const { statusCode, body } = await app.inject({ url, headers: { 'last-event-id': last } });
      if (statusCode === 204 && last === over) return;
      if (statusCode !== 200 || last === over) throw new Error(`${statusCode}: ${body}`);
      const events = body.split('\n\n').filter(each => /^event: (page|state)$/m.test(each));
      const words = events.map(each => /^event: (.*)$/m.exec(each)?.[1]);
      const numbers = events.slice(0, -1).map(each => Number(/^id: (.*)$/m.exec(each)?.[1]));
      const has = Number(/^0*([123])(?:$|\.[a-z]+$)/.exec(last)?.[1] ?? 0);
      const wanted = [1, 2, 3].filter(number => number > has);
      if (String(numbers) !== String(wanted) || words.at(-1) !== 'state')
        throw new Error(`after ${JSON.stringify(last)}: pages ${numbers.join(', ')}, then ${words.at(-1)}`);
    }),
    fuzzed(RUNS),
  );
});
