/** Settings of made-up scanners, with a memory that a test can look into. */
import type { Capabilities, SourceDetails, StartParameters } from '../../client/shapes.js';
import type { Context } from '../context.js';
import { english } from '../words/english.test.kit.js';
import { createSettings, type Settings } from './settings.js';
import type { Profiles } from './parameters.js';

const all = { area: 'scanner', brightness: 'software', contrast: 'software', threshold: 'software' } as const;

export const feeder: SourceDetails = {
  area: { width: 215.9, height: 355.6 },
  controls: { ...all, sheets: 'scanner' },
  driverOptions: [
    { name: 'backing', type: 'string', values: ['white', 'black'], default: 'white' },
    { name: 'lamp', type: 'integer', minimum: 0, maximum: 10, default: 5 },
    { name: 'mode', type: 'string', controls: ['colorMode'] },
    { name: 'preview', type: 'boolean', default: false },
  ],
};
export const flatbed: SourceDetails = {
  area: { width: 210, height: 297, minWidth: 10 },
  controls: { area: 'scanner', brightness: 'software' },
  driverOptions: [{ name: 'backing', type: 'string', values: ['white', 'black'], default: 'white' }],
};

/** A scanner with feeder and flatbed, and every kind of plugin. */
export const both: Capabilities = {
  resolutions: [75, 150, 200, 300],
  colorModes: ['Color', 'Grayscale', 'BlackAndWhite'],
  supportsDuplex: true,
  supportsAutoRotate: false,
  supportsAutoDeskew: true,
  supportsAutoCrop: false,
  supportedPageSizes: ['A4', 'A5', 'Letter', 'A3', 'Auto'],
  details: {
    sources: { feeder, flatbed },
    formats: [
      { name: 'Png', aliases: ['png'], mimeType: 'image/png', lossless: true },
      { name: 'Jpeg', aliases: ['jpg'], mimeType: 'image/jpeg', lossless: false },
    ],
    documents: [{ format: 'pdf', name: 'PDF', mimeType: 'application/pdf' }],
    recognisers: [
      { kind: 'barcode', name: 'first' },
      { kind: 'barcode', name: 'second' },
      { kind: 'ocr', name: 'reads' },
      { kind: 'stamp', name: 'finds', wishes: { properties: { unit: { enum: ['mm', 'px'], default: 'mm' } } } },
    ],
    processors: [
      {
        name: 'despeckle',
        options: { properties: { radius: { type: 'integer', minimum: 1, maximum: 5, default: 1 } } },
      },
    ],
  },
};

/** A feeder of few values, without plugins. */
export const small: Capabilities = {
  resolutions: [100, 600],
  colorModes: ['Grayscale'],
  supportsDuplex: false,
  supportsAutoRotate: false,
  supportsAutoDeskew: false,
  supportsAutoCrop: false,
  supportedPageSizes: ['A5'],
  details: {
    sources: { feeder: { controls: { sheets: 'scanner' }, driverOptions: [] } },
    formats: [{ name: 'Png', aliases: ['png'], mimeType: 'image/png', lossless: true }],
    documents: [],
    recognisers: [],
    processors: [],
  },
};

const profiles: Profiles = {
  Invoices: {
    resolution: 150,
    colorMode: 'Grayscale',
    driverOptions: { backing: 'black' },
    process: { despeckle: {} },
  },
  Corner: { area: { x: 0, y: 0, width: 50, height: 40 }, resolution: 75 },
};

export interface TestContext extends Context {
  readonly stored: Map<string, unknown>;
  /** What the component did, in order. */
  readonly done: string[];
}

/** @param remembered of an earlier visit */
export function testContext(remembered: Readonly<Record<string, unknown>> = {}): TestContext {
  const stored = new Map(Object.entries(remembered));
  const done: string[] = [];
  return {
    stored,
    done,
    client: undefined as never,
    words: english,
    memory: {
      recall: name => stored.get(name),
      remember: (name, value) => void stored.set(name, value),
    },
    changed: () => void done.push('changed'),
    announce: sentence => void done.push(`says: ${sentence}`),
    focus: id => void done.push(`focus: ${id}`),
  };
}

export interface Fixture extends Settings {
  readonly context: TestContext;
  /** Shows a scanner's settings, as the component does: first that they are read. */
  use(can: Capabilities, scanner?: string): void;
}

export function settingsFor(context = testContext(), fixed: StartParameters = {}): Fixture {
  const settings = createSettings({
    context,
    fixed: () => fixed,
    whyOff: () => undefined,
    onPreview: () => undefined,
    onSeparatorSheet: () => undefined,
  });
  const use = (can: Capabilities, scanner = 'Scanner'): void => {
    settings.say('settings.reading');
    settings.show({ scanner, can, profiles });
  };
  // A copy would read its getters once.
  return Object.create(settings, { context: { value: context }, use: { value: use } }) as Fixture;
}
