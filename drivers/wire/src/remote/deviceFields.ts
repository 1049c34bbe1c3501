/** Devices, capabilities and status as they come over a link: known fields of known kinds, and nothing else. */
import {
  adjustments, colorModes, pageSizes,
  type Capabilities, type Device, type DeviceTraits, type SourceCapabilities, type Status,
} from '@platen/core/plugin';
import { countOf, countsOf, fieldsOf, flagOf, optional, textOf, textsOf, wordOf, wordsOf, type Fields } from './fields.js';

const papers = ['loaded', 'empty', 'unknown'] as const;
const detections = ['paper-jam', 'double-feed', 'cover-open'] as const;

const MOST_IDENTITIES = 100;

export function readDevice(value: unknown): Device {
  const fields = fieldsOf(value, 'a device');
  return {
    id: textOf(fields, 'id', 1),
    name: textOf(fields, 'name', 1),
    manufacturer: textOf(fields, 'manufacturer'),
    model: textOf(fields, 'model'),
    online: flagOf(fields, 'online'),
    feeder: flagOf(fields, 'feeder'),
    flatbed: flagOf(fields, 'flatbed'),
    duplex: flagOf(fields, 'duplex'),
    feeding: wordOf(fields, 'feeding', ['perSheet', 'continuous']),
    ...optional(fields, 'identities', (its, name) => textsOf(its, name, MOST_IDENTITIES)),
    ...optional(fields, 'traits', readTraits),
  };
}

function readTraits(device: Fields): DeviceTraits {
  const fields = fieldsOf(device.traits, 'traits');
  return {
    ...optional(fields, 'listsOcrLanguages', flagOf),
    ...optional(fields, 'ignoresPageSize', flagOf),
    ...optional(fields, 'autoScanFailureLimit', (its, name) => countOf(its, name, 1)),
  };
}

export function readCapabilities(value: unknown): Capabilities {
  const fields = fieldsOf(value, 'capabilities');
  return { ...optional(fields, 'feeder', readSource), ...optional(fields, 'flatbed', readSource) };
}

function readSource(capabilities: Fields, name: string): SourceCapabilities {
  const fields = fieldsOf(capabilities[name], name);
  return {
    resolutions: countsOf(fields, 'resolutions', 1),
    colorModes: wordsOf(fields, 'colorModes', colorModes),
    duplex: flagOf(fields, 'duplex'),
    pageSizes: wordsOf(fields, 'pageSizes', pageSizes),
    adjustments: wordsOf(fields, 'adjustments', adjustments),
  };
}

export function readStatus(value: unknown): Status {
  const fields = fieldsOf(value, 'a status');
  return {
    online: flagOf(fields, 'online'),
    paper: wordOf(fields, 'paper', papers),
    ...optional(fields, 'detected', (its, name) => wordOf(its, name, detections)),
  };
}
