/** Errors of the scanner: scanned pages are never discarded because a later sheet failed. */
import { sheets } from '../topology/sheets.js';
import type { Fault, Fixture, Role, Topology } from '../topology/topology.js';
import { get, inksOf, scan, until, untilFed } from './calls.js';
import { canHappen, share, spec } from './specTest.js';

/** By scanner, what happens at a sheet of each scan; over two services, because each scanner has one fault. */
const scripted = {
  first: {
    duplex: { sheet: 2, fault: 'paper-jam' },
    both: { sheet: 2, fault: 'double-feed' },
    slow: { sheet: 2, fault: 'cover-open' },
    jamming: { sheet: 2, fault: 'timeout' },
    hanging: { sheet: 2, fault: 'driver-failed' },
    blind: { sheet: 2, fault: 'device-offline' },
  },
  second: {
    duplex: { sheet: 1, fault: 'busy' },
    both: { sheet: 2, fault: 'unsupported' },
    slow: { sheet: 2, fault: 'busy' },
    jamming: { sheet: 2, fault: 'cancelled' },
    hanging: { sheet: 2, fault: 'not-connected' },
    blind: { sheet: 2, fault: 'device-not-found' },
  },
} as const satisfies Readonly<Record<string, Partial<Record<Role, Fault>>>>;

/** One of the services, without the faults that the topology's scanners cannot have. */
export const faulty = (topology: Topology, which: keyof typeof scripted): Promise<Fixture> =>
  share(topology, {
    faults: Object.fromEntries(
      Object.entries<Fault>(scripted[which])
        .filter(([, { fault }]) => topology.faults === 'all' || topology.faults.includes(fault))
        .map(([role, fault]) => [role, [fault]]),
    ),
  });

/** The result of a fault at sheet 2: HTTP status, the scan's status. */
type Row = readonly [http: number, status: string];

const rows = {
  first: {
    both: [500, 'DoubleFeed'],
    slow: [500, 'CoverOpen'],
    jamming: [504, 'Timeout'],
    hanging: [500, 'DriverFailed'],
    blind: [500, 'DeviceOffline'],
  },
  second: {
    both: [500, 'Unsupported'],
    slow: [409, 'Busy'],
    jamming: [200, 'Cancelled'],
    hanging: [503, 'NotConnected'],
    blind: [404, 'DeviceNotFound'],
  },
} as const satisfies Readonly<Record<keyof typeof scripted, Partial<Record<Role, Row>>>>;

export const failures = [
  spec(
    'Errors: a jam at sheet 2 is 500, with page 1, status PaperJam and the error',
    ['errors.500', 'endpoints.scan.errors', 'resources.result.status'],
    async (t, fixture) => {
      await fixture.load('jamming', sheets(5, 1, 2));
      const { status, json } = await scan(fixture, 'jamming', { resolution: 75, colorMode: 'Color' });
      t.equal(status, 500);
      t.match(json, { success: false, status: 'PaperJam', error: /jam/i, message: /jam/i, imageCount: 1 });
      t.same(await inksOf(json), [5]);
      t.equal(await fixture.waiting('jamming'), 2, 'the jammed sheet is still in the feeder');
      const next = await scan(fixture, 'jamming', { resolution: 75, colorMode: 'Color' });
      t.same(await inksOf(next.json), [1], 'the next scan begins with it');
      t.equal(next.status, 500);
      t.equal((await scan(fixture, 'jamming', { resolution: 75 })).status, 200, 'a single sheet does not jam');
    },
    ['jamming'],
  ),

  spec(
    'Errors: a jam with both sides keeps both sides of sheet 1',
    'errors.500',
    async (t, _fixture, topology) => {
      const fixture = await faulty(topology, 'first');
      await fixture.load('duplex', [
        { front: 1, back: 2 },
        { front: 3, back: 4 },
      ]);
      const { status, json } = await scan(fixture, 'duplex', {
        resolution: 75,
        colorMode: 'Color',
        duplexMode: 'DuplexLongEdge',
      });
      t.equal(status, 500);
      t.same(await inksOf(json), [1, 2]);
    },
    ['duplex'],
  ),

  spec(
    'Errors: an empty feeder is 500, status NoPaper, without pages',
    ['errors.500', 'resources.result.status'],
    async (t, fixture) => {
      await fixture.load('duplex', []);
      const { status, json } = await scan(fixture, 'duplex');
      t.equal(status, 500);
      t.match(json, { success: false, status: 'NoPaper', error: /no paper/i, images: [], imageCount: 0 });
    },
    ['duplex'],
  ),

  spec(
    'Errors: a scanner in use by another program is 409, status Busy, without pages',
    ['errors.body', 'resources.result.status'],
    async (t, _fixture, topology) => {
      if (!canHappen(t, topology, 'busy')) return;
      const fixture = await faulty(topology, 'second');
      await fixture.load('duplex', sheets(3));
      const { status, json } = await scan(fixture, 'duplex', { resolution: 75, colorMode: 'Color' });
      t.equal(status, 409);
      t.match(json, { success: false, status: 'Busy', error: /./, images: [], imageCount: 0 });
      t.equal(await fixture.waiting('duplex'), 1);
    },
    ['duplex'],
  ),

  ...(['first', 'second'] as const).map((which, at) =>
    spec(
      `Errors: each failure of a scanner has its status, and keeps page 1 (${at + 1})`,
      ['errors.500', 'resources.result.status'],
      async (t, _fixture, topology) => {
        const fixture = await faulty(topology, which);
        for (const [role, [http, name]] of Object.entries(rows[which]) as [keyof (typeof rows)['first'], Row][]) {
          const { fault } = scripted[which][role];
          if (!canHappen(t, topology, fault)) continue;
          await fixture.load(role, sheets(3, 1));
          const { status, json } = await scan(fixture, role, { resolution: 75, colorMode: 'Color' });
          t.equal(status, http, fault);
          t.match(json, { success: false, status: name, error: /./, imageCount: 1 }, fault);
          t.same(await inksOf(json), [3], fault);
          t.equal(
            (await get<{ scannerStatus: { isSourceOpen: boolean } }>(fixture, '/api/twain/status')).json.scannerStatus
              .isSourceOpen,
            false,
          );
        }
        await fixture.load('small', sheets(1));
        t.equal((await scan(fixture, 'small')).status, 200, 'the service continues');
      },
      ['both', 'slow', 'jamming', 'hanging', 'blind', 'small'],
    ),
  ),

  spec(
    'Errors: 409 for a second scan on the scanner that scans; another scanner scans beside it; the first is not affected',
    'errors.body',
    async (t, fixture) => {
      await whileScanning(fixture, async () => {
        const second = await scan(fixture, 'slow', { resolution: 75 });
        t.match(second, { status: 409, json: { success: false, error: /try again/i } });
        const other = await scan(fixture, 'flatbed', { resolution: 75 });
        t.match(other, { status: 200, json: { success: true, imageCount: 1 } }, 'another scanner');
        t.equal(
          (await scan(fixture, 'flatbed', { jpegQuality: 0 }, { asIs: true })).status,
          400,
          'a bad request is reported first',
        );
      }).then(({ status, json }) => t.match({ status, json }, { status: 200, json: { success: true, imageCount: 8 } }));
      t.equal((await scan(fixture, 'flatbed', { resolution: 75 })).status, 200);
    },
    ['slow', 'flatbed'],
  ),

  spec(
    'Endpoints: while a scan runs, all other endpoints answer',
    ['endpoints.status', 'endpoints.scanners.200', 'endpoints.health', 'endpoints.capabilities'],
    async (t, fixture) => {
      const path = (role: Role): string => `/api/twain/scanners/${encodeURIComponent(fixture.name(role))}/capabilities`;
      await fixture.request('GET', path('duplex'));
      await whileScanning(fixture, async () => {
        for (const each of ['/', '/health', '/api/twain/status', '/api/twain/version', '/api/twain/scanners']) {
          t.equal((await fixture.request('GET', each)).status, 200, each);
        }
        const { json } = await get<{ scanners: { name: string }[] }>(fixture, '/api/twain/scanners');
        t.ok(json.scanners.some(each => each.name === fixture.name('slow')));
        t.equal((await fixture.request('GET', path('slow'))).status, 200, 'capabilities of the scanning scanner');
        t.equal((await fixture.request('GET', path('duplex'))).status, 200, 'capabilities that are already known');
      });
    },
    ['slow', 'duplex'],
  ),

  spec(
    'Errors: 404 for a scanner that does not exist, naming those that do',
    ['errors.body', 'endpoints.scan.errors'],
    async (t, fixture) => {
      for (const scannerName of [
        'Unknown',
        `${fixture.name('duplex')} `,
        fixture.name('duplex').toLowerCase(),
        '__proto__',
      ]) {
        const { status, json } = await fixture.request('POST', '/api/twain/scan', { body: { scannerName } });
        t.equal(status, 404, scannerName);
        t.match(json, { success: false, error: new RegExp(`no scanner named .*${fixture.name('duplex')}`) });
        t.notOk('images' in (json as object));
      }
    },
    ['duplex'],
  ),

  spec(
    'Errors: a scanner that went offline is 500, status DeviceOffline, with the fix; it works when it returns',
    ['errors.500', 'resources.status.isOnline'],
    async (t, fixture) => {
      await fixture.unplug('small');
      const isOnline = async (role: Role): Promise<boolean | undefined> => {
        const { json } = await get<{ scanners: { name: string; isOnline: boolean }[] }>(fixture, '/api/twain/scanners');
        return json.scanners.find(each => each.name === fixture.name(role))?.isOnline;
      };
      const { status, json } = await scan(fixture, 'small');
      t.equal(status, 500);
      t.match(json, {
        success: false,
        status: 'DeviceOffline',
        error: /tray .* does not exist|switched on/,
        images: [],
      });
      await until(async () => (await isOnline('small')) === false);
      t.equal(await isOnline('duplex'), true);
      await fixture.plugIn('small');
      await fixture.load('small', sheets(2));
      t.equal((await scan(fixture, 'small')).status, 200);
      await until(async () => (await isOnline('small')) === true);
    },
    ['small', 'duplex'],
  ),
];

async function whileScanning(fixture: Fixture, body: () => Promise<void>): ReturnType<typeof scan> {
  await fixture.load('slow', sheets(1, 2, 3, 4, 5, 6, 7, 1));
  const scanning = scan(fixture, 'slow', { resolution: 75 });
  await untilFed(fixture, 'slow');
  await body();
  return scanning;
}
