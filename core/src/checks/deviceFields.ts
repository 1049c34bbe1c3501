/**
 * Reads devices, capabilities and status from a driver: known fields of the right types only. Each reader throws a
 * TypeError.
 */
import type { AreaLimits, Capabilities, Device, DeviceTraits, SourceCapabilities, Status } from '../contract/driver.js';
import { hardwareControls } from '../contract/controls.js';
import { adjustments, colorModes, pageSizes } from '../contract/words.js';
import {
  countOf,
  countsOf,
  fieldsOf,
  flagOf,
  labelOf,
  measureOf,
  optional,
  textOf,
  textsOf,
  wordOf,
  wordsOf,
  type Fields,
} from './fields.js';
import { readDriverOptions, readReservedOptions } from './optionFields.js';

/** Most identities: a scanner has one or two addresses and a UUID. */
const MOST_IDENTITIES = 32;

const papers = ['loaded', 'empty', 'unknown'] as const;
const detections = ['paper-jam', 'double-feed', 'cover-open'] as const;

export function readDevice(value: unknown): Device {
  const fields = fieldsOf(value, 'a device');
  return {
    id: textOf(fields, 'id', 1),
    name: labelOf(fields, 'name', 1),
    manufacturer: labelOf(fields, 'manufacturer'),
    model: labelOf(fields, 'model'),
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
    ...optional(fields, 'oneAtATime', flagOf),
    ...optional(fields, 'autoScanFailureLimit', (its, name) => countOf(its, name, 1)),
  };
}

export function readCapabilities(value: unknown): Capabilities {
  const fields = fieldsOf(value, 'capabilities');
  const sources = { ...optional(fields, 'feeder', readSource), ...optional(fields, 'flatbed', readSource) };
  if (Object.keys(sources).length === 0) throw new TypeError('capabilities have neither a feeder nor a flatbed');
  return sources;
}

function readSource(capabilities: Fields, name: string): SourceCapabilities {
  const fields = fieldsOf(capabilities[name], name);
  return {
    resolutions: some(countsOf(fields, 'resolutions', 1), 'resolutions'),
    colorModes: some(wordsOf(fields, 'colorModes', colorModes), 'colorModes'),
    duplex: flagOf(fields, 'duplex'),
    pageSizes: wordsOf(fields, 'pageSizes', pageSizes),
    adjustments: wordsOf(fields, 'adjustments', adjustments),
    ...optional(fields, 'area', readLimits),
    ...optional(fields, 'controls', (its, each) => wordsOf(its, each, hardwareControls)),
    ...optional(fields, 'driverOptions', readDriverOptions),
    ...optional(fields, 'reservedOptions', readReservedOptions),
  };
}

function readLimits(source: Fields): AreaLimits {
  const fields = fieldsOf(source.area, 'area');
  return {
    width: measureOf(fields, 'width'),
    height: measureOf(fields, 'height'),
    ...optional(fields, 'minWidth', measureOf),
    ...optional(fields, 'minHeight', measureOf),
  };
}

function some<T>(list: T[], name: string): T[] {
  if (list.length === 0) throw new TypeError(`${name} is empty`);
  return list;
}

export function readStatus(value: unknown): Status {
  const fields = fieldsOf(value, 'a status');
  return {
    online: flagOf(fields, 'online'),
    paper: wordOf(fields, 'paper', papers),
    ...(fields['paperByTrial'] === true && { paperByTrial: true as const }),
    ...optional(fields, 'detected', (its, name) => wordOf(its, name, detections)),
  };
}
