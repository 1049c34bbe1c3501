/** A scanner's capabilities: the union of its sources and of what software adds. */
import { fakeProcessor, fakeRecogniser } from '@platen/conformance';
import t from 'tap';
import type { Capabilities, Device, SourceCapabilities } from '../contract/driver.js';
import { offeredCapabilities } from './capabilities.js';

const device = {
  id: 'a',
  name: 'A',
  manufacturer: 'M',
  model: 'A',
  online: true,
  feeder: true,
  flatbed: true,
  duplex: true,
  feeding: 'perSheet',
} satisfies Device;
const source = (more: Partial<SourceCapabilities>): SourceCapabilities => ({
  resolutions: [200],
  colorModes: ['Color'],
  duplex: false,
  pageSizes: ['A4'],
  adjustments: [],
  ...more,
});
const none = { processors: [], ocr: undefined };

t.test('capabilities: several sources, united in ascending order and in the interface’s order', async t => {
  const both: Capabilities = {
    feeder: source({
      resolutions: [300, 150],
      colorModes: ['BlackAndWhite'],
      duplex: true,
      pageSizes: ['Auto', 'A4'],
      adjustments: ['crop'],
    }),
    flatbed: source({
      resolutions: [1200, 300, 600],
      colorModes: ['Grayscale', 'Color'],
      pageSizes: ['A3', 'Letter'],
      adjustments: ['rotate'],
    }),
  };
  t.same(offeredCapabilities(device, both, none), {
    resolutions: [150, 300, 600, 1200],
    colorModes: ['Color', 'Grayscale', 'BlackAndWhite'],
    supportsDuplex: true,
    supportsAutoRotate: true,
    supportsAutoDeskew: false,
    supportsAutoCrop: true,
    supportedPageSizes: ['Letter', 'A4', 'Auto', 'A3'],
  });
});

t.test('capabilities: processors installed, their adjustments and reducible colour modes are added', async t => {
  const software = { processors: [fakeProcessor('color'), fakeProcessor('deskew')], ocr: undefined };
  t.match(offeredCapabilities(device, { feeder: source({}) }, software), {
    colorModes: ['Color', 'Grayscale', 'BlackAndWhite'],
    supportsAutoDeskew: true,
    supportsAutoRotate: false,
    supportsAutoCrop: false,
  });
  t.same(
    offeredCapabilities(device, { feeder: source({ colorModes: ['Grayscale'] }) }, software).colorModes,
    ['Grayscale', 'BlackAndWhite'],
    'never a richer one',
  );
});

t.test('capabilities: OCR languages, only for devices that list them', async t => {
  const listing = { ...device, traits: { listsOcrLanguages: true } };
  const ocr = fakeRecogniser('ocr', { languages: ['eng', 'deu'] });
  t.same(offeredCapabilities(listing, { feeder: source({}) }, { processors: [], ocr }).supportedOcrLanguages, [
    'eng',
    'deu',
  ]);
  t.same(offeredCapabilities(listing, { feeder: source({}) }, none).supportedOcrLanguages, []);
  t.notOk('supportedOcrLanguages' in offeredCapabilities(device, { feeder: source({}) }, { processors: [], ocr }));
});
