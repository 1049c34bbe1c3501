/** Resources, scan parameters: what is ignored: null, additions of ours with foreign values, and misplaced parameters. */
import { sheets } from '../topology/sheets.js';
import { disable, enableWith, quick } from './autoscanCalls.js';
import { scan } from './calls.js';
import { direct, directScan, open } from './directCalls.js';
import { rows } from './refusals.js';
import { ended } from './scanCalls.js';
import { spec } from './specTest.js';

/** Additions to the interface, each with values that it does not take. */
const strangers: Readonly<Record<string, readonly unknown[]>> = {
  source: ['ADF', 3, []],
  sheets: [0, '2', 1.5],
  area: ['Letter', { x: 0 }, { x: 0, y: 0, width: '1', height: 1 }],
  brightness: [0.5, 101, 'auto'],
  contrast: [true, -101],
  threshold: [256, '128'],
  driverOptions: ['x', { lamp: null }, { lamp: { on: true } }],
  blankPages: ['remove', true],
  process: [true, { despeckle: 1 }],
  recognise: ['all', []],
  readers: ['x', { barcode: 7 }],
  profile: [7, {}],
};

export const additions = [
  spec(
    'Resources, parameters: null in an optional field counts as absent',
    ['errors.unknownField', 'resources.parameters.unknown', 'endpoints.autoscan.enable', 'endpoints.direct.scan'],
    async (t, fixture) => {
      const names = [...rows.map(({ field }) => field), ...Object.keys(strangers), 'report'];
      const parameters = Object.fromEntries(names.map(name => [name, null]));
      const body = { scannerName: fixture.name('flatbed'), parameters, requestId: null };
      t.match(await fixture.request('POST', '/api/twain/scan', { body, asIs: true }), {
        status: 200,
        json: { status: 'Success', message: 'Scanned 1 page.' },
      });
      const started = await fixture.request('POST', '/api/scans', { body, asIs: true });
      t.match(started, { status: 201, json: { success: true } });
      await ended(fixture, (started.json as { id: string }).id);
      await open(t, fixture, 'duplex');
      for (const scannerName of [null, ''])
        t.match(await enableWith(fixture, { scannerName, parameters }, true), {
          status: 200,
          json: { message: 'Auto-scan is enabled.' },
        });
      t.match(await disable(fixture), { json: { message: 'Auto-scan is disabled.' } }, 'on the open scanner');
      await fixture.load('duplex', sheets(1));
      const command = await direct(fixture, 'scan', { ...parameters, outputFormat: null }, { commandId: null });
      t.match(command.json, { results: { code: 'success' }, data: { message: 'Scanned 1 page.' } });
      t.match(await direct(fixture, 'getCapabilities', { sourceName: null, details: null }), {
        json: { results: { code: 'success' } },
      });
      t.match(await direct(fixture, 'openSource', { sourceName: null }), {
        json: { results: { jsonKey: 'sourceName' } },
      });
    },
    ['flatbed', 'duplex'],
  ),

  spec(
    'Resources, parameters: an addition of ours with a foreign value is ignored, and the answer says so',
    ['errors.unknownField', 'resources.parameters.unknown', 'endpoints.autoscan.enable', 'endpoints.direct.scan'],
    async (t, fixture) => {
      const codes = (notes: readonly { code: string; field?: string }[] = []) =>
        notes.map(({ code, field }) => `${code} ${field}`);
      await open(t, fixture, 'duplex');
      for (const [field, values] of Object.entries(strangers)) {
        for (const value of values) {
          const title = `${field}: ${JSON.stringify(value)}`;
          const parameters = { ...quick, [field]: value, report: true };
          const refused = await fixture.request('POST', '/api/scans', {
            body: { scannerName: fixture.name('duplex'), parameters },
            asIs: true,
          });
          t.match(refused, { status: 400, json: { code: 'invalid-value', field: new RegExp(`^${field}`) } }, title);
          const enabled = await enableWith(fixture, { parameters }, true);
          t.equal(enabled.status, 200, title);
          t.match(enabled.json.message, `${field} was ignored: ${field}`);
          t.ok(codes(enabled.json.notes).includes(`field-ignored ${field}`));
        }
      }
      await disable(fixture);

      const all = Object.fromEntries(Object.entries(strangers).map(([field, values]) => [field, values[0]]));
      const expected = Object.keys(all).map(field => `field-ignored ${field}`);
      await fixture.load('duplex', sheets(1));
      const scanned = await scan(
        fixture,
        'duplex',
        { ...quick, ...all, report: true },
        {
          asIs: true,
          more: { requestId: 12345 },
        },
      );
      t.equal(scanned.status, 200);
      t.same(codes(scanned.json.notes).sort(), [...expected, 'field-ignored requestId'].sort());
      for (const field of Object.keys(all)) t.match(scanned.json.message, `${field} was ignored`);

      await fixture.load('duplex', sheets(1));
      const command = await directScan(fixture, { resolution: 75, ...all, report: true }, { commandId: 7 });
      t.match(command.json, { commandId: /^[0-9a-f]{8}-/, results: { code: 'success' } });
      t.same(codes(command.json.data.notes).sort(), [...expected, 'field-ignored commandId'].sort());

      await fixture.load('duplex', sheets(1));
      const plain = await scan(fixture, 'duplex', { ...quick, report: 'yes' }, { asIs: true });
      t.match(plain, { status: 200, json: { message: /report was ignored/ } });
      t.notOk('notes' in plain.json);
      t.match((await enableWith(fixture, { scannerName: 5 }, true)).json.message, /scannerName was ignored/);
      await disable(fixture);
    },
    ['duplex'],
  ),

  spec(
    'Resources, parameters: a parameter beside the parameters is ignored, and the answer says where it belongs',
    ['errors.unknownField', 'resources.parameters.unknown', 'endpoints.autoscan.enable', 'endpoints.direct.scan'],
    async (t, fixture) => {
      const says = /ocrEnabled stands beside param\w+ and was ignored: put it into param/;
      const stray = { ocrEnabled: true, somethingElse: 1 };
      const more = { ...stray, parameters: { ...quick, report: true } };
      t.match((await scan(fixture, 'flatbed', undefined, { more })).json, {
        success: true,
        message: says,
        notes: [{ code: 'field-ignored', field: 'ocrEnabled' }],
      });
      const { json } = await fixture.request('POST', '/api/scans', {
        body: { scannerName: fixture.name('flatbed'), ...more },
      });
      t.match(await ended(fixture, (json as { id: string }).id), {
        notes: [{ code: 'field-ignored', text: says, field: 'ocrEnabled' }],
      });
      await open(t, fixture, 'duplex');
      t.match((await enableWith(fixture, stray)).json.message, says);
      await disable(fixture);
      await fixture.load('duplex', sheets(1));
      t.match((await directScan(fixture, { resolution: 75 }, stray)).json.data.message, says);
      t.notMatch(
        (await scan(fixture, 'flatbed', quick, { more: { ocrEnabled: null, toString: 1 } })).json.message,
        says,
      );
    },
    ['flatbed', 'duplex'],
  ),
];
