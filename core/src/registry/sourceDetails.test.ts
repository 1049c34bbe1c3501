/** Who does each control of a source. */
import { fakeProcessor } from '@platen/conformance';
import t from 'tap';
import type { SourceCapabilities } from '../contract/driver.js';
import { sourceDetails } from './sourceDetails.js';

const source: SourceCapabilities = {
  resolutions: [300],
  colorModes: ['Grayscale', 'BlackAndWhite'],
  duplex: false,
  pageSizes: ['A5', 'A4', 'Auto'],
  adjustments: [],
};
const processors = (['area', 'brightness', 'threshold'] as const).map(each => fakeProcessor(each));

t.test('sourceDetails: the scanner before software; what nobody does is absent', async t => {
  const area = { width: 216, height: 356, minWidth: 2 };
  const driverOptions = [{ name: 'lamp', type: 'boolean' }] as const;
  const named = { ...source, area, controls: ['area', 'threshold', 'sheets'], driverOptions } as const;
  t.same(sourceDetails({ feeder: named, flatbed: source }, { processors }), {
    feeder: {
      area,
      controls: { area: 'scanner', brightness: 'software', threshold: 'scanner', sheets: 'scanner' },
      driverOptions,
    },
    flatbed: {
      area: { width: 210, height: 297 },
      controls: { area: 'software', brightness: 'software', threshold: 'software' },
      driverOptions: [],
    },
  });
  t.same(sourceDetails({ feeder: source }, { processors: [] }), {
    feeder: { controls: { sheets: 'software' }, driverOptions: [] },
  });
});

t.test('sourceDetails: levels need a mode that has some, a threshold of the scanner its mode', async t => {
  const bw = sourceDetails({ flatbed: { ...source, colorModes: ['BlackAndWhite'] } }, { processors });
  t.same(bw.flatbed?.controls, { area: 'software' });
  const grey = { ...source, colorModes: ['Grayscale'], controls: ['threshold'] } as const;
  t.equal(sourceDetails({ flatbed: grey }, { processors }).flatbed?.controls.threshold, 'software');
});
