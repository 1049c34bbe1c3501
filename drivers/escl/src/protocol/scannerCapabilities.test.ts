/** Capabilities of several manufacturers, parsed and converted to the contract's. */
import t from 'tap';
import { capabilitiesOf, regionOf } from './capabilities.js';
import { capabilitiesOfFixture } from '../fixtures.test.kit.js';
import { readScannerCapabilities } from './scannerCapabilities.js';
import { reservedOptions } from './supportedSettings.js';

const letterToA6 = ['Letter', 'A4', 'A5', 'A6', 'B5', 'Auto', 'Executive'];
const withLegal = ['Letter', 'Legal', 'A4', 'A5', 'A6', 'B5', 'Auto', 'Executive'];

t.test('HP: different resolutions for feeder and flatbed', async t => {
  const capabilities = capabilitiesOfFixture('hp-officejet');
  t.match(capabilities, {
    version: '2.63',
    makeAndModel: 'HP OfficeJet Pro 9010 series',
    uuid: '1c852a4d-b800-1f08-abcd-000000000001',
    justification: 'Left',
  });
  const { feeder, flatbed } = capabilitiesOf(capabilities);
  const driverOptions = [{ name: 'ContentType', type: 'string', values: ['Photo', 'Text'] }];
  t.strictSame(feeder, {
    resolutions: [75, 100, 200, 300],
    colorModes: ['Color', 'Grayscale'],
    duplex: true,
    pageSizes: withLegal,
    adjustments: [],
    area: { width: 215.9, height: 355.6, minWidth: 1.36, minHeight: 1.36 },
    controls: ['area'],
    driverOptions,
    reservedOptions,
  });
  t.strictSame(flatbed, {
    resolutions: [75, 100, 200, 300, 400, 600, 1200],
    colorModes: ['Color', 'Grayscale'],
    duplex: false,
    pageSizes: letterToA6,
    adjustments: [],
    area: { width: 215.9, height: 297.01, minWidth: 1.36, minHeight: 1.36 },
    controls: ['area'],
    driverOptions,
    reservedOptions,
  });
});

t.test('Canon: flatbed only, no DocumentFormatExt', async t => {
  const capabilities = capabilitiesOfFixture('canon-pixma');
  const { feeder, flatbed } = capabilitiesOf(capabilities);
  t.equal(feeder, undefined);
  t.match(flatbed, { resolutions: [75, 150, 300, 600], colorModes: ['Color', 'Grayscale'] });
  t.equal(capabilities.platen?.hasFormatExt, false);
});

t.test('Epson: black and white as JPEG is not offered, sheets are centred in the feeder', async t => {
  const capabilities = capabilitiesOfFixture('epson-ecotank');
  t.strictSame(capabilitiesOf(capabilities).feeder?.colorModes, ['Color', 'Grayscale']);
  t.equal(capabilities.justification, 'Center');
  t.strictSame(regionOf(capabilities.simplex!, 'A5', 'Center'), { x: 401, y: 0, width: 1748, height: 2480 });
  t.strictSame(regionOf(capabilities.platen!, 'A5', 'Left'), { x: 0, y: 0, width: 1748, height: 2480 });
  t.strictSame(regionOf(capabilities.simplex!, 'A5', 'Right').x, 802);
  t.strictSame(regionOf(capabilities.simplex!, 'Auto', 'Center'), { x: 0, y: 0, width: 2550, height: 4205 });
});

t.test('Brother: a range of resolutions', async t => {
  const capabilities = capabilitiesOfFixture('brother-mfc');
  t.equal(capabilities.uuid, 'e3248000-80ce-11db-8000-000000000004');
  const { feeder, flatbed } = capabilitiesOf(capabilities);
  t.strictSame(feeder?.resolutions, [100, 200, 300, 400, 600]);
  t.strictSame(flatbed?.resolutions, [100, 200, 300, 400, 600, 1200]);
  t.equal(feeder?.duplex, false);
});

t.test('profiles by name, other prefixes, duplex only, one bit per pixel', async t => {
  const capabilities = capabilitiesOfFixture('profiles-by-name');
  t.equal(capabilities.makeAndModel, 'Acme Scan & Go & 1');
  const { feeder, flatbed } = capabilitiesOf(capabilities);
  t.equal(flatbed, undefined);
  t.match(feeder, { resolutions: [300, 600], colorModes: ['Color', 'Grayscale', 'BlackAndWhite'], duplex: true });
});

t.test('readScannerCapabilities: missing and invalid values, defaults', async t => {
  const of = (body: string) =>
    readScannerCapabilities(Buffer.from(`<s:ScannerCapabilities xmlns:s="x">${body}</s:ScannerCapabilities>`));
  t.throws(() => of(''), { message: /feeder/ });
  const bare = of(
    '<s:Version>9.9<!-- --></s:Version><s:Platen><s:PlatenInputCaps><s:MaxWidth>-5</s:MaxWidth><s:MaxHeight>1e9</s:MaxHeight></s:PlatenInputCaps></s:Platen>',
  );
  t.match(capabilitiesOf(bare).flatbed, { resolutions: [300], colorModes: ['Color'], pageSizes: withLegal });
  const long = of(
    `<s:MakeAndModel>A\u0007B${'x'.repeat(500)}</s:MakeAndModel><s:Platen><s:PlatenInputCaps/></s:Platen>`,
  );
  t.match(long.makeAndModel, /^A Bx{117}$/);
});
