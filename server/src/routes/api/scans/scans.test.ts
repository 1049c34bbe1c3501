/** Scans as resources through HTTP: started, listed, read, continued and deleted. */
import { fakeDriver } from '@platen/conformance';
import t from 'tap';
import { testService } from '../../../service.test.kit.js';

t.test('scans: started, its events, its pages, its list, deleted', async t => {
  const { app } = await testService(t, fakeDriver({ devices: [{ name: 'A' }], sheets: 2 }));
  const made = await app.inject({ method: 'POST', url: '/api/scans', payload: { scannerName: 'A' } });
  t.equal(made.statusCode, 201);
  const { id } = made.json<{ id: string }>();
  t.equal(made.headers.location, `/api/scans/${id}`);
  const events = (await app.inject(`/api/scans/${id}/events`)).body;
  t.same(
    [...events.matchAll(/^id: (.*)$/gm)].map(([, each]) => each),
    ['1', '2', '2.completed'],
  );
  const scan = (await app.inject(`/api/scans/${id}`)).json<{ pages: { url: string; bytes: number }[] }>();
  t.match(scan, { success: true, state: 'completed', pageCount: 2, pages: [{ number: 1 }, { number: 2 }] });
  for (const { url, bytes } of scan.pages) t.equal((await app.inject(url)).rawPayload.length, bytes);
  t.match((await app.inject('/api/scans')).json(), { count: 1, scans: [{ id }] });
  t.equal((await app.inject({ method: 'DELETE', url: `/api/scans/${id}` })).statusCode, 200);
  t.equal((await app.inject(`/api/scans/${id}`)).statusCode, 404);
});
