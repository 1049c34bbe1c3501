/** Limits of auto-scan, in real time: no reader, failing captures, a full outbox. */
import { sheets, type Ink } from '../topology/sheets.js';
import type { EventStream } from '../topology/events.js';
import { untilListed } from '../topology/fixture.js';
import type { Fixture, Role, Topology } from '../topology/topology.js';
import { disable, enable, enableWith, eventLines, listen, quick } from './autoscanCalls.js';
import { MARGIN_MS, PAPER_POLL_MS, pause, until } from './calls.js';
import { direct } from './directCalls.js';
import { share, spec, start } from './specTest.js';

/** `autoscan.idleSeconds` here: shorter than a busy machine may take, so what must be in time is tried again. */
const IDLE_MS = 1000;

const idling = (topology: Topology): Promise<Fixture> =>
  share(topology, { config: { autoscan: { idleSeconds: IDLE_MS / 1000 } } });

async function confined(topology: Topology, role: Role): Promise<Fixture> {
  const fixture = await share(topology, { config: { autoscan: { maxFailures: 2, outboxPages: 2 } } });
  // On a busy machine, a service can answer before its driver has looked.
  await untilListed(fixture.port, [fixture.name(role)]);
  return fixture;
}

const enableQuickly = async (fixture: Fixture): Promise<number> =>
  (await enableWith(fixture, { scannerName: fixture.name('duplex'), parameters: quick })).status;

/** Enables auto-scan, and reads its events before the idle time is over. */
async function read(fixture: Fixture): Promise<EventStream> {
  for (;;) {
    await enableQuickly(fixture);
    const stream = await fixture.events();
    if (stream.status === 200) return stream;
  }
}

/** How often auto-scan ended because nobody read its events. */
const idleEnds = (fixture: Fixture): number => fixture.log().split('its events for 1 second').length - 1;

export const autoscanLimits = [
  spec(
    'Limits: auto-scan ends after the idle time without a reader, counted from enable; undelivered pages are discarded',
    ['states.autoscan.idle', 'limits.idle', 'events.3'],
    async (t, _fixture, topology) => {
      const fixture = await idling(topology);
      await fixture.load('duplex', sheets(1));
      while ((await fixture.scanned('duplex')) === 0) {
        const before = idleEnds(fixture);
        t.equal(await enableQuickly(fixture), 200);
        await until(async () => idleEnds(fixture) > before);
      }
      t.equal(await fixture.scanned('duplex'), 1);
      t.equal((await fixture.events()).status, 409);
      const stream = await read(fixture);
      await fixture.insert('duplex', sheets(5));
      t.same(await eventLines(await stream.come(1)), ['1: 5']);
      await disable(fixture);
    },
    ['duplex'],
  ),

  spec(
    'Limits: a reader keeps auto-scan enabled past the idle time, which restarts when it leaves',
    ['states.autoscan.idle', 'limits.idle', 'events.3'],
    async (t, _fixture, topology) => {
      const fixture = await idling(topology);
      await fixture.load('duplex', []);
      const stream = await read(fixture);
      const before = idleEnds(fixture);
      await pause(2 * IDLE_MS + MARGIN_MS);
      await fixture.insert('duplex', sheets(2));
      t.same(await eventLines(await stream.come(1)), ['1: 2']);
      t.equal(idleEnds(fixture), before);
      stream.hangUp();
      await until(async () => idleEnds(fixture) > before);
      t.equal((await fixture.events()).status, 409);
    },
    ['duplex'],
  ),

  spec(
    'States, auto-scan: three failed captures in a row disable it, with the reason; there are five seconds between them',
    ['states.autoscan.failures', 'limits.failures', 'events.disabled'],
    async (t, _fixture, topology) => {
      const fixture = await start(t, topology, { faults: { duplex: [{ sheet: 'always', fault: 'paper-jam' }] } });
      await fixture.load('duplex', []);
      await enable(t, fixture, 'duplex');
      const stream = await listen(t, fixture);
      const began = performance.now();
      await fixture.insert('duplex', sheets(1));
      t.match(await eventLines(await stream.ended), [
        /^disabled: Auto-scan was turned off after 3 failed or empty scans in a row\. .*jam/i,
      ]);
      t.ok(performance.now() - began > 9500, 'two pauses of five seconds');
      t.equal(await fixture.waiting('duplex'), 1, 'the sheet is still there');
      t.equal(fixture.log().match(/A capture of auto-scan failed with paper-jam/g)?.length, 3);
    },
    ['duplex'],
  ),

  spec(
    'Limits: autoscan.maxFailures sets how many; new paper is tried at once; pages before a failure are delivered',
    ['limits.failures', 'states.autoscan.failures'],
    async (t, _fixture, topology) => {
      const fixture = await confined(topology, 'jamming');
      await fixture.load('jamming', []);
      await enable(t, fixture, 'jamming');
      const stream = await listen(t, fixture);
      await fixture.insert('jamming', sheets(1, 2));
      await stream.come(1);
      await until(async () => fixture.log().includes('failed with paper-jam'));
      await fixture.insert('jamming', sheets(3));
      t.match(await eventLines(await stream.ended), ['1: 1', '2: 2', /^disabled: .*2 failed or empty scans/]);
    },
    ['jamming'],
  ),

  spec(
    'Limits: a full outbox stops the feeding; no page is dropped, and a reader restarts it',
    ['events.image', 'limits.sizes'],
    async (t, _fixture, topology) => {
      const fixture = await confined(topology, 'duplex');
      await fixture.load('duplex', sheets(1, 2, 3, 4, 5, 6));
      await enable(t, fixture, 'duplex');
      await until(async () => (await fixture.scanned('duplex')) === 2);
      await pause(PAPER_POLL_MS + MARGIN_MS);
      t.equal(await fixture.waiting('duplex'), 4);
      t.same(await eventLines(await (await listen(t, fixture)).come(6)), [
        '1: 1',
        '2: 2',
        '3: 3',
        '4: 4',
        '5: 5',
        '6: 6',
      ]);
    },
    ['duplex'],
  ),

  spec(
    'States, auto-scan: pages that an ended auto-scan left come first, no number comes twice, and disable discards them',
    ['states.autoscan.disable', 'endpoints.autoscan.disable', 'resources.image.pageNumber'],
    async (t, fixture) => {
      /** Captures without a reader, and ends other than by request. */
      const leave = async (...inks: readonly Ink[]): Promise<void> => {
        await fixture.load('duplex', sheets(...inks));
        await enable(t, fixture, 'duplex');
        await until(async () => (await fixture.waiting('duplex')) === 0);
        await direct(fixture, 'closeSource');
      };
      await leave(1, 2);
      await fixture.load('duplex', []);
      await enable(t, fixture, 'duplex');
      const stream = await listen(t, fixture);
      await fixture.insert('duplex', sheets(3));
      t.same(await eventLines(await stream.come(3)), ['1: 1', '2: 2', '3: 3']);
      await disable(fixture);

      await leave(4, 5);
      const headers = { origin: 'https://another.example' };
      t.match(
        await fixture.request('POST', '/api/twain/autoscan/disable', { headers }),
        { json: { message: /^Auto-scan was not enabled\.$/ } },
        'only its own',
      );
      t.match((await disable(fixture)).json, { message: 'Auto-scan was not enabled. Discarded undelivered pages: 2.' });
      t.equal((await fixture.events()).status, 409);
      t.match((await enable(t, fixture, 'duplex')).json, { message: /^Auto-scan is enabled\.$/ });
    },
    ['duplex'],
  ),
];
