/** Resources and their fields: root, status, version, scanners, capabilities. */
import { get, refusedScan, scan, until } from './calls.js';
import { sheets } from '../topology/sheets.js';
import type { Role } from '../topology/topology.js';
import { spec } from './specTest.js';

interface Scanner {
  readonly name: string;
  readonly hasFeeder: boolean;
  readonly supportsDuplex: boolean;
}

export const resources = [
  spec(
    'Resources, root info: the service is running, with its version',
    ['resources.root', 'endpoints.root', 'resources.timestamps'],
    async (t, fixture) => {
      const before = Date.now();
      const { status, headers, json } = await get<{ timestamp: string }>(fixture, '/');
      t.equal(status, 200);
      t.match(headers['content-type'], /^application\/json/);
      t.match(json, {
        service: /./,
        version: /^\d+(\.\d+){3}$/,
        status: 'running',
        timestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
      });
      t.ok(Math.abs(Date.parse(json.timestamp) - before) < 60_000, 'the time is now, in UTC');
    },
  ),

  spec(
    'Resources, service status: every field, without an open scanner',
    ['resources.status.fields', 'endpoints.status', 'resources.status.ocrEnabled'],
    async (t, fixture) => {
      const { status, json } = await get<{ timestamp: string }>(fixture, '/api/twain/status');
      t.equal(status, 200);
      const { timestamp, ...rest } = json;
      t.same(rest, {
        success: true,
        serviceOnline: true,
        desktopAppConnected: true,
        scannerStatus: { isOnline: true, isPaperLoaded: false, isSourceOpen: false, ocrEnabled: false },
      });
      t.match(timestamp, /Z$/);
    },
  ),

  spec(
    'Resources, service status: a scanning scanner is open and online, and its paper is reported',
    [
      'resources.status.isOnline',
      'resources.status.isPaperLoaded',
      'resources.status.isSourceOpen',
      'states.source.isSourceOpen',
    ],
    async (t, fixture) => {
      await fixture.load('slow', sheets(1, 2, 3, 4));
      const scanning = scan(fixture, 'slow', { resolution: 75 });
      let over = false;
      void scanning.finally(() => (over = true));
      let seen: { isPaperLoaded?: boolean } | undefined;
      // A scanner is open for a moment before its paper is checked.
      await until(async () => {
        seen = (await get<{ scannerStatus: object }>(fixture, '/api/twain/status')).json.scannerStatus;
        return over || seen?.isPaperLoaded === true;
      });
      t.match(seen, { isOnline: true, isPaperLoaded: true, isSourceOpen: true });
      t.equal((await scanning).json.success, true);
      t.match((await get(fixture, '/api/twain/status')).json, {
        scannerStatus: { isPaperLoaded: false, isSourceOpen: false },
      });
    },
    ['slow'],
  ),

  spec(
    'Resources, version info: every field; in a service with its own drivers both versions are its own',
    ['resources.version.fields', 'resources.version.fourPart', 'endpoints.version', 'versioning.1.service'],
    async (t, fixture) => {
      const { status, json } = await get<{ serviceVersion: string; desktopVersion: string }>(
        fixture,
        '/api/twain/version',
      );
      t.equal(status, 200);
      t.match(json, { success: true, productName: /./, desktopAppConnected: true, timestamp: /Z$/ });
      t.match(json.serviceVersion, /^\d+\.\d+\.\d+\.\d+$/);
      t.equal(json.desktopVersion, json.serviceVersion);
    },
  ),

  spec(
    'Resources, scanner: every field of every scanner, and their count',
    ['resources.scanner.fields', 'endpoints.scanners.200'],
    async (t, fixture, topology) => {
      const list = () => get<{ scanners: Scanner[]; count: number }>(fixture, '/api/twain/scanners');
      // A scanner that has not answered yet is listed with a guess.
      await until(async () => {
        const { scanners } = (await list()).json;
        const of = (role: Role) => scanners.find(each => each.name === fixture.name(role));
        return of('duplex')?.supportsDuplex === true && of('both')?.hasFeeder === true;
      });
      const { status, json } = await list();
      t.equal(status, 200);
      t.equal(json.count, json.scanners.length);
      for (const role of topology.roles)
        t.ok(
          json.scanners.some(each => each.name === fixture.name(role)),
          role,
        );
      const named = (name: string): Scanner | undefined => json.scanners.find(each => each.name === name);
      t.match(named(fixture.name('duplex')), {
        manufacturer: /./,
        model: /./,
        isOnline: true,
        hasFeeder: true,
        hasFlatbed: false,
        supportsDuplex: true,
      });
      t.match(named(fixture.name('flatbed')), { hasFeeder: false, hasFlatbed: true, supportsDuplex: false });
      t.match(named(fixture.name('both')), { hasFeeder: true, hasFlatbed: true });
    },
    ['duplex', 'flatbed', 'both'],
  ),

  spec(
    'Resources, scanner: any name works URL-encoded',
    ['resources.scanner.name', 'endpoints.capabilities'],
    async (t, fixture, topology) => {
      for (const role of topology.roles) {
        const { status, json } = await get<object>(
          fixture,
          `/api/twain/scanners/${encodeURIComponent(fixture.name(role))}/capabilities`,
        );
        t.equal(status, 200, fixture.name(role));
        t.match(json, { success: true });
      }
      for (const name of ['Unknown', '%', '%zz', 'a%2Fb', '..', '%2e%2e', 'x'.repeat(900), '%00']) {
        const answer = await fixture.request('GET', `/api/twain/scanners/${name}/capabilities`);
        t.equal(answer.status, 404, name.slice(0, 20));
      }
      const { json } = await get<{ error: string }>(fixture, '/api/twain/scanners/Unknown/capabilities');
      t.ok(
        json.error.includes('"Unknown"') && json.error.includes(fixture.name('duplex')),
        'the error has the requested name and the existing ones',
      );
    },
  ),

  spec(
    'Resources, capabilities: every field',
    'resources.capabilities.fields',
    async (t, fixture) => {
      const of = async (name: string) =>
        (await get<{ capabilities: object }>(fixture, `/api/twain/scanners/${encodeURIComponent(name)}/capabilities`))
          .json.capabilities;
      t.match(await of(fixture.name('duplex')), {
        resolutions: [75, 100, 150, 200, 300],
        colorModes: ['Color', 'Grayscale', 'BlackAndWhite'],
        supportsDuplex: true,
        supportsAutoRotate: false,
        supportsAutoDeskew: false,
        supportsAutoCrop: false,
        supportedPageSizes: Array,
      });
      const { supportedPageSizes } = (await of(fixture.name('duplex'))) as { supportedPageSizes: string[] };
      for (const size of ['Letter', 'Legal', 'A4', 'A5', 'A6', 'B5', 'Auto'])
        t.ok(supportedPageSizes.includes(size), size);
      t.match(await of(fixture.name('flatbed')), { supportsDuplex: false });
      t.same(
        Object.keys(await of(fixture.name('small'))).includes('supportedOcrLanguages'),
        false,
        'only some drivers list languages',
      );
    },
    ['duplex', 'flatbed', 'small'],
  ),

  spec(
    'Resources, capabilities: Executive may be listed, and a scan rejects it',
    'resources.capabilities.sizes',
    async (t, fixture) => {
      const path = `/api/twain/scanners/${encodeURIComponent(fixture.name('small'))}/capabilities`;
      const { json } = await get<{ capabilities: { supportedPageSizes: string[] } }>(fixture, path);
      const listed = json.capabilities.supportedPageSizes;
      t.ok(listed.includes('Executive') && listed.includes('A5') && !listed.includes('Letter'), listed.join(', '));
      for (const pageSize of ['Executive', 'A3']) {
        const refused = await refusedScan(fixture, 'small', { pageSize });
        t.equal(refused.status, 400);
        t.match(refused.json.error, /pageSize takes .*Letter, Legal, A4, A5, A6, B5, Auto/);
      }
    },
    ['small'],
  ),

  spec(
    'Resources, capabilities: A3 may be listed, and a scan rejects it',
    'resources.capabilities.sizes',
    async (t, fixture, topology) => {
      const path = `/api/twain/scanners/${encodeURIComponent(fixture.name('blind'))}/capabilities`;
      const { json } = await get<{ capabilities: { supportedPageSizes: string[] } }>(fixture, path);
      const isListed = json.capabilities.supportedPageSizes.includes('A3');
      t.ok(isListed || topology.name !== 'virtual in the service', json.capabilities.supportedPageSizes.join(', '));
      await fixture.load('blind', sheets(1));
      const refused = await refusedScan(fixture, 'blind', { pageSize: 'A3' });
      t.match(refused, { status: 400, json: { error: /^pageSize takes .*Letter, Legal, A4, A5, A6, B5, Auto/ } });
      t.equal(await fixture.waiting('blind'), 1, 'no paper moved');
    },
    ['blind'],
  ),
];
