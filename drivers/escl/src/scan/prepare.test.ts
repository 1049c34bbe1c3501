/** Levels and options of the driver: what the device lists, on its own scales. */
import type { ScanOrder } from '@platen/core/plugin';
import t from 'tap';
import { createJob, type JobParts } from './scanJob.js';
import { capabilitiesOf } from '../protocol/capabilities.js';
import { capabilitiesOfFixture } from '../fixtures.test.kit.js';
import { prepare } from './prepare.js';
import { standard } from '../protocol/quirks.js';
import { orderOf, quick } from '../rig.test.kit.js';
import { readScannerCapabilities, type ScannerCapabilities } from '../protocol/scannerCapabilities.js';
import { writeScanSettings } from '../protocol/scanSettings.js';

const supports = (name: string, range: Readonly<Record<string, number | string>>) =>
  `<s:${name}Support>${Object.entries(range)
    .map(([each, value]) => `<s:${each}>${value}</s:${each}>`)
    .join('')}</s:${name}Support>`;

function device(...supported: string[]): ScannerCapabilities {
  const modes =
    '<s:ColorModes><s:ColorMode>RGB24</s:ColorMode><s:ColorMode>BlackAndWhite1</s:ColorMode></s:ColorModes>';
  const formats = '<s:DocumentFormats><s:DocumentFormat>image/png</s:DocumentFormat></s:DocumentFormats>';
  const size = '<s:MaxWidth>2550</s:MaxWidth><s:MaxHeight>3508</s:MaxHeight>';
  const profiles = `<s:SettingProfiles><s:SettingProfile>${modes}${formats}</s:SettingProfile></s:SettingProfiles>`;
  const platen = `<s:Platen><s:PlatenInputCaps>${size}${profiles}</s:PlatenInputCaps></s:Platen>`;
  return readScannerCapabilities(
    Buffer.from(`<s:ScannerCapabilities xmlns:s="x">${platen}${supported.join('')}</s:ScannerCapabilities>`),
  );
}

const full = device(
  supports('Brightness', { Min: 0, Max: 2000, Normal: 500, Step: 100 }),
  supports('Threshold', { Min: 0, Max: 100, Normal: 50, Step: 1 }),
  supports('Gamma', { Min: 1, Max: 30, Normal: 10, Step: 1 }),
);
const settings = (order: Partial<ScanOrder>) =>
  prepare(full, 'flatbed', orderOf({ source: 'flatbed', colorMode: 'BlackAndWhite', ...order }), 'A').settings;

t.test('levels: those with a normal value between the ends; a threshold needs 1-bit pages', async t => {
  t.strictSame(capabilitiesOf(full).flatbed?.controls, ['area', 'brightness', 'threshold']);
  const oneWay = device(
    supports('Brightness', { Min: 0, Max: 9, Normal: 0 }),
    supports('Contrast', { Min: 0, Max: 9 }),
  );
  t.strictSame(capabilitiesOf(oneWay).flatbed?.controls, ['area']);
  t.strictSame(capabilitiesOf(device(supports('Contrast', { Min: 'low', Max: 9 }))).flatbed?.driverOptions, undefined);
});

t.test("levels: normal is 0, the ends are -100 and 100, on the device's steps", async t => {
  const brightness = (level: number) => settings({ brightness: level }).values['Brightness'];
  t.strictSame([-100, -50, 0, 50, 100].map(brightness), [0, 300, 500, 1300, 2000]);
  t.strictSame(settings({ threshold: 255 }).values, { Threshold: 100 });
  t.strictSame(settings({}).values, {}, 'nothing is sent that was not asked for');
});

t.test('options: as the device lists them; one of a level says so', async t => {
  t.strictSame(capabilitiesOf(full).flatbed?.driverOptions, [
    {
      name: 'Brightness',
      type: 'integer',
      minimum: 0,
      maximum: 2000,
      step: 100,
      default: 500,
      controls: ['brightness'],
    },
    { name: 'Gamma', type: 'integer', minimum: 1, maximum: 30, step: 1, default: 10 },
    { name: 'Threshold', type: 'integer', minimum: 0, maximum: 100, step: 1, default: 50, controls: ['threshold'] },
  ]);
  const hp = capabilitiesOf(capabilitiesOfFixture('hp-officejet')).flatbed?.driverOptions;
  t.match(
    hp?.find(each => each.name === 'ContentType'),
    { type: 'string', values: ['Photo', 'Text'] },
  );
});

t.test('options: an element that a parameter writes is reserved', async t => {
  const { reservedOptions = [], driverOptions = [] } = capabilitiesOf(full).flatbed ?? {};
  t.match(reservedOptions, [{ name: 'InputSource', controls: ['source'] }]);
  const elements = writeScanSettings(prepare(full, 'flatbed', orderOf({ source: 'flatbed' }), 'A').settings);
  for (const { name } of reservedOptions) if (name !== 'Duplex') t.match(elements, `:${name}>`);
  t.notOk(driverOptions.some(({ name }) => reservedOptions.some(each => each.name === name)));
  t.throws(() => settings({ driverOptions: { XResolution: 300 } }), { code: 'unsupported', message: /XResolution/ });
});

t.test('options: sent as elements, refused where the device does not list them', async t => {
  const hp = capabilitiesOfFixture('hp-officejet');
  const sent = (driverOptions: Record<string, string | number>) =>
    writeScanSettings(prepare(hp, 'flatbed', orderOf({ source: 'flatbed', driverOptions }), 'A').settings);
  t.match(sent({ ContentType: 'Text' }), /<pwg:ContentType>Text</);
  t.match(writeScanSettings(settings({ driverOptions: { Gamma: 12 } })), /<scan:Gamma>12</);
  t.throws(() => sent({ Gamma: 12 }), { code: 'unsupported', message: /Gamma/ });
  t.throws(() => sent({ ContentType: 'Music' }), { code: 'unsupported', message: /ContentType/ });
});

t.test(
  'area: in units of 1/300 inch, from the corner of the scan area, also where a feeder centres its sheets',
  async t => {
    const epson = capabilitiesOfFixture('epson-ecotank');
    const area = { x: 10, y: 20.04, width: 100, height: 50 };
    const { settings: its, adjusted } = prepare(epson, 'feeder', orderOf({ area }), 'A');
    t.strictSame(its.region, { x: 118, y: 237, width: 1181, height: 591 });
    t.strictSame(adjusted, ['area']);
    t.match(capabilitiesOf(epson).feeder?.area, { width: 215.9, minWidth: 1.36 });
    const whole = prepare(epson, 'feeder', orderOf({ area: { x: 0.03, y: 0, width: 215.9, height: 10 } }), 'A');
    t.strictSame(whole.settings.region.x, 0, 'rounding never leaves the scan area');
    const tiny = { x: 10, y: 10, width: 0.02, height: 0.1 };
    const least = (resolution: number) => prepare(epson, 'feeder', orderOf({ area: tiny, resolution }), 'A').settings;
    t.match(least(300).region, { width: 1, height: 1 });
    t.match(least(75).region, { width: 4, height: 4 }, 'a pixel');
  },
);

t.test(
  'threshold: a device that refuses black and white scans grey without it, and the page does not claim it',
  async t => {
    const asked: string[] = [];
    const grey = { ...full, platen: { ...full.platen!, modes: ['Grayscale8', 'BlackAndWhite1'] } };
    const signal = new AbortController().signal;
    const client = {
      createJob: async (body: string) => (asked.push(body) === 1 ? { status: 409 } : { job: '/1' }),
    } as unknown as JobParts['client'];
    const parts = { client, name: 'A', capabilities: grey, quirks: standard, deadlines: quick, maxPixels: 1e9 };
    const wish = orderOf({ source: 'flatbed', colorMode: 'BlackAndWhite', threshold: 100, brightness: 10 });
    const job = await createJob({ ...parts, stop: signal, ended: signal }, prepare(grey, 'flatbed', wish, 'A'));
    t.strictSame(job?.adjusted, ['brightness']);
    t.match(asked, [/<scan:Threshold>39</, /^(?!.*Threshold)/s]);
  },
);
