/** Events and the states of auto-scan: which reader gets which pages, and how the stream ends. */
import { spawn } from 'node:child_process';
import { sheets } from '../topology/sheets.js';
import { disable, enable, enableWith, eventLines, imageOf, listen, quick } from './autoscanCalls.js';
import { get, MARGIN_MS, pause, SLOW_SHEET_MS, until, untilSettled } from './calls.js';
import { direct } from './directCalls.js';
import { spec } from './specTest.js';

const BY_REQUEST = 'disabled: Auto-scan was turned off by request.';

export const events = [
  spec(
    'Events: disable sends a disabled event with its reason, and ends the stream',
    ['events.disabled', 'events.1', 'states.autoscan.disable', 'endpoints.autoscan.disable'],
    async (t, fixture) => {
      await fixture.load('duplex', sheets(1));
      await enable(t, fixture, 'duplex');
      const stream = await listen(t, fixture);
      await stream.come(1);
      const curious = await fixture.events({ report: true });
      await disable(fixture);
      t.same(await eventLines(await stream.ended), ['1: 1', BY_REQUEST]);
      t.same(Object.keys((await stream.ended).at(-1)?.data as object), ['message'], 'only fields of the interface');
      t.match(
        (await curious.ended).at(-1),
        { event: 'disabled', data: { code: 'requested' } },
        'with the code if requested',
      );
      t.equal((await fixture.events()).status, 409, 'a browser that reconnects does not retry');
    },
    ['duplex'],
  ),

  spec(
    'Events: only image, disabled and error, with or without an id, and comments',
    'events.4',
    async (t, fixture) => {
      await fixture.load('duplex', sheets(1, 2));
      await enable(t, fixture, 'duplex');
      const stream = await listen(t, fixture);
      await stream.come(2);
      await disable(fixture);
      await stream.ended;
      const fields = stream.text
        .split('\n')
        .filter(line => line !== '')
        .map(line => line.slice(0, line.indexOf(':')));
      t.same(fields, ['retry', 'id', 'event', 'data', 'id', 'event', 'data', 'event', 'data'], 'one line of data each');
    },
    ['duplex'],
  ),

  spec(
    'Events: one image event per side, numbered from enable',
    ['events.image', 'resources.image.pageNumber'],
    async (t, fixture) => {
      await fixture.load('duplex', [
        { front: 1, back: 2 },
        { front: 3, back: 4 },
      ]);
      await enable(t, fixture, 'duplex', { ...quick, duplexMode: 'DuplexLongEdge' });
      t.same(await eventLines(await (await listen(t, fixture)).come(4)), ['1: 1', '2: 2', '3: 3', '4: 4']);
    },
    ['duplex'],
  ),

  spec(
    'Events: pages captured without a reader wait for the next reader',
    'events.image',
    async (t, fixture) => {
      await fixture.load('duplex', sheets(2, 4, 6));
      await enable(t, fixture, 'duplex');
      await until(async () => (await fixture.waiting('duplex')) === 0);
      t.same(await eventLines(await (await listen(t, fixture)).come(3)), ['1: 2', '2: 4', '3: 6']);
    },
    ['duplex'],
  ),

  spec(
    'Events: two readers both get every page; one that reconnects continues',
    ['events.image', 'limits.streams', 'endpoints.autoscan.events'],
    async (t, fixture) => {
      await fixture.load('duplex', []);
      await enable(t, fixture, 'duplex');
      const [one, two] = [await listen(t, fixture), await listen(t, fixture)];
      await fixture.insert('duplex', sheets(1));
      t.same(await eventLines(await one.come(1)), await eventLines(await two.come(1)));
      one.hangUp();
      await fixture.insert('duplex', sheets(2));
      await two.come(2);
      const again = await listen(t, fixture, one.events[0]?.id);
      t.same(await eventLines(await again.come(1)), ['2: 2'], 'the page that it missed');
      await fixture.insert('duplex', sheets(3));
      t.same(await eventLines(await again.come(2)), ['2: 2', '3: 3']);
      t.same(await eventLines(await two.come(3)), ['1: 1', '2: 2', '3: 3']);
      await disable(fixture);
      for (const each of [two, again]) t.equal((await eventLines(await each.ended)).at(-1), BY_REQUEST);
    },
    ['duplex'],
  ),

  spec(
    'Events: Last-Event-ID repeats the pages after it; an id of another series is ignored',
    'endpoints.autoscan.events',
    async (t, fixture) => {
      await fixture.load('duplex', sheets(1, 2, 3, 4, 5, 6, 7, 1, 2, 3));
      await enable(t, fixture, 'duplex');
      const first = await listen(t, fixture);
      const ids = (await first.come(10)).map(each => each.id);
      const numbers = async (lastEventId: string | undefined, count: number) => {
        const stream = await listen(t, fixture, lastEventId);
        const got = (await stream.come(count)).map(each => imageOf(each.data).pageNumber);
        stream.hangUp();
        return got;
      };
      t.same(await numbers(ids[7], 2), [9, 10]);
      t.same(await numbers(ids[0], 9), [2, 3, 4, 5, 6, 7, 8, 9, 10]);
      const series = ids[0]?.split('-')[0];
      const unknown = await Promise.all(
        ['1-3', `${series}-99`, 'nonsense', `${series}-`].map(id => listen(t, fixture, id)),
      );
      await fixture.insert('duplex', sheets(6));
      for (const each of unknown) t.same(await eventLines(await each.come(1)), ['11: 6']);
    },
    ['duplex'],
  ),

  spec(
    'Events: a killed reader delays neither pages nor paper nor the other reader',
    'endpoints.autoscan.events',
    async (t, fixture) => {
      await fixture.load('duplex', []);
      await enable(t, fixture, 'duplex', { ...quick, resolution: 150 });
      const script = `require('https').get({host:'127.0.0.1',port:${fixture.port},path:'/api/twain/autoscan/events',headers:{host:'localhost'},rejectUnauthorized:false},r=>{r.pause();console.log('open')})`;
      const killed = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
      t.teardown(() => void killed.kill('SIGKILL'));
      await new Promise(resolve => killed.stdout.once('data', resolve));
      const stream = await listen(t, fixture);
      await fixture.insert('duplex', sheets(1, 2));
      await stream.come(2);
      killed.kill('SIGKILL');
      await fixture.insert('duplex', sheets(3, 4, 5));
      t.same(await eventLines(await stream.come(5)), ['1: 1', '2: 2', '3: 3', '4: 4', '5: 5']);
    },
    ['duplex'],
  ),

  spec(
    'States, auto-scan: enable while enabled is 200, and the new parameters apply from the next document',
    ['states.autoscan.enable', 'endpoints.autoscan.enable'],
    async (t, fixture) => {
      await fixture.load('duplex', []);
      await enable(t, fixture, 'duplex');
      const stream = await listen(t, fixture);
      await fixture.insert('duplex', sheets(1));
      await stream.come(1);
      // A device that feeds continuously also takes sheets inserted while it runs: they belong to the first document.
      await untilSettled(fixture);
      t.match(await enableWith(fixture, { parameters: { resolution: 150, imageFormat: 'Jpeg' } }), { status: 200 });
      await fixture.insert('duplex', sheets(1));
      const [, second] = await stream.come(2);
      t.match(second?.data, { resolution: 150, format: 'Jpeg', pageNumber: 2 });
      t.match(
        await enableWith(fixture, { parameters: { resolution: 1 } }),
        { status: 400 },
        'invalid ones change nothing',
      );
      await fixture.insert('duplex', sheets(1));
      t.match((await stream.come(3))[2]?.data, { resolution: 150, format: 'Jpeg' });
    },
    ['duplex'],
  ),

  spec(
    'States, auto-scan: disable in the middle of a stack finishes the sheet in the path and feeds no other',
    ['states.autoscan.disable', 'endpoints.autoscan.disable'],
    async (t, fixture) => {
      const stack = sheets(1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4, 5);
      await fixture.load('slow', stack);
      await enable(t, fixture, 'slow');
      const stream = await listen(t, fixture);
      await stream.come(1);
      await disable(fixture);
      const [scanned, waiting] = [await fixture.scanned('slow'), await fixture.waiting('slow')];
      t.equal(scanned + waiting, stack.length);
      t.ok(waiting > 0, `${waiting} still in the feeder`);
      t.equal((await eventLines(await stream.ended)).at(-1), BY_REQUEST);
      await pause(SLOW_SHEET_MS + 2 * MARGIN_MS);
      t.equal(await fixture.waiting('slow'), waiting);
    },
    ['slow'],
  ),

  spec(
    'States, source: closing the scanner ends auto-scan first; opening it again does not',
    ['states.source.methods', 'events.disabled'],
    async (t, fixture) => {
      await enable(t, fixture, 'duplex');
      const stream = await listen(t, fixture);
      t.match(await direct(fixture, 'openSource', { sourceName: fixture.name('duplex') }), {
        json: { results: { success: true } },
      });
      t.match(await direct(fixture, 'closeSource'), { json: { results: { success: true } } });
      t.match(await eventLines(await stream.ended), [/^disabled: .*the scanner was closed/]);
      t.match((await get(fixture, '/api/twain/status')).json, { scannerStatus: { isSourceOpen: false } });
    },
    ['duplex'],
  ),

  spec(
    'Events: a lost scanner sends an error event and ends the stream; when it returns, auto-scan can be enabled again',
    ['events.error', 'errors.body'],
    async (t, fixture) => {
      await fixture.load('small', []);
      await enable(t, fixture, 'small', { resolution: 150 });
      const stream = await listen(t, fixture);
      await fixture.unplug('small');
      // Reported by its state, or by the driver if it was just reading the tray.
      t.match(await eventLines(await stream.ended), [/^error: .*(offline|does not exist)/]);
      t.equal((await fixture.events()).status, 409);
      await fixture.plugIn('small');
      await until(
        async () =>
          (await enableWith(fixture, { scannerName: fixture.name('small'), parameters: { resolution: 150 } }))
            .status === 200,
      );
      const again = await listen(t, fixture);
      await fixture.insert('small', sheets(1));
      t.equal((await again.come(1))[0]?.event, 'image');
    },
    ['small'],
  ),

  spec(
    'Events: the service stops, the stream gets a disabled event and ends normally',
    'events.disabled',
    async (t, _fixture, topology) => {
      const fixture = await topology.start();
      await enableWith(fixture, { scannerName: fixture.name('duplex') });
      const stream = await fixture.events();
      t.equal(stream.status, 200);
      const { code } = await fixture.stop();
      t.equal(code, 0);
      t.same(await eventLines(await stream.ended), ['disabled: The service is stopping.']);
    },
    ['duplex'],
  ),
];
