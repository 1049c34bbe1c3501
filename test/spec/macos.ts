/** The parts of the interface for macOS only. */
import { millimetres } from '@platen/core/driver';
import { sheets } from '../topology/sheets.js';
import { disable, enable, listen, eventLines } from './autoscanCalls.js';
import { get, MARGIN_MS, PAPER_POLL_MS, pause, scan } from './calls.js';
import { spec, start, type SpecTest } from './specTest.js';

interface Capabilities {
  readonly capabilities: {
    readonly supportedPageSizes: readonly (keyof typeof millimetres | 'Auto')[];
    readonly supportedOcrLanguages?: readonly string[];
  };
}

const pathOf = (name: string): string => `/api/twain/scanners/${encodeURIComponent(name)}/capabilities`;

export const macos: readonly SpecTest[] = [
  spec(
    'Resources, platform differences: macOS: the OCR languages are listed, none without OCR',
    ['resources.capabilities.ocrLanguages', 'resources.platform.macos'],
    async (t, fixture, topology) => {
      t.strictSame(
        (await get<Capabilities>(fixture, pathOf(fixture.name('duplex')))).json.capabilities.supportedOcrLanguages,
        [],
      );
      const reading = await start(t, topology, { recognisers: ['@platen/ocr'] });
      t.strictSame(
        (await get<Capabilities>(reading, pathOf(fixture.name('duplex')))).json.capabilities.supportedOcrLanguages,
        ['eng'],
      );
    },
    ['duplex'],
  ),

  spec(
    'Resources, platform differences: macOS: the sizes that fit are listed, and a scan always covers the whole area',
    ['resources.capabilities.macSizes', 'resources.platform.macos'],
    async (t, fixture) => {
      const { supportedPageSizes } = (await get<Capabilities>(fixture, pathOf(fixture.name('flatbed')))).json
        .capabilities;
      t.ok(supportedPageSizes.includes('Letter') && supportedPageSizes.includes('A6'));
      t.notOk(supportedPageSizes.includes('Legal') || supportedPageSizes.includes('A3'), 'longer than the flatbed');
      const { json } = await scan(fixture, 'flatbed', { resolution: 75, pageSize: 'A6' });
      t.match(json.images[0], {
        width: Math.floor((millimetres.Letter.width / 25.4) * 75),
        height: Math.floor((millimetres.Letter.height / 25.4) * 75),
      });
      t.match(json.message, /pageSize A6 was not applied/);
      t.notMatch((await scan(fixture, 'flatbed', { resolution: 75, pageSize: 'Letter' })).json.message, /pageSize/);
    },
    ['flatbed'],
  ),

  spec(
    'Resources, platform differences: macOS: auto-scan works on a sheetfed scanner that reports paper, and captures nothing on one with a flatbed',
    ['resources.platform.macosAutoScan'],
    async (t, fixture) => {
      await enable(t, fixture, 'duplex');
      const stream = await listen(t, fixture);
      await fixture.insert('duplex', sheets(4));
      t.strictSame(await eventLines(await stream.come(1)), ['1: 4']);
      await disable(fixture);
      await enable(t, fixture, 'both');
      await fixture.insert('both', sheets(1, 2));
      await pause(2 * PAPER_POLL_MS + MARGIN_MS);
      t.equal(await fixture.waiting('both'), 2);
    },
    ['duplex', 'both'],
  ),
];
