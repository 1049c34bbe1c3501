/** The settings of a device beyond its pages: as levels of the contract, and as options of the driver. */
import { levelRange, thresholdRange, type DriverOptionValues, type OptionControl } from '@platen/core/driver';
import type { DriverOption, ReservedOption, ScanOrder } from '@platen/core/plugin';
import {
  type InputCaps,
  type RangedSetting,
  rangedSettings,
  type ScannerCapabilities,
  type SettingRange,
} from './scannerCapabilities.js';

export type SettingValues = Readonly<Record<string, string | number>>;

export const levels = ['brightness', 'contrast', 'threshold'] as const;
export type Level = (typeof levels)[number];
const settingOf = { brightness: 'Brightness', contrast: 'Contrast', threshold: 'Threshold' } as const;

const sameAs: Partial<Readonly<Record<RangedSetting, readonly OptionControl[]>>> = {
  Brightness: ['brightness'],
  Contrast: ['contrast'],
  Threshold: ['threshold'],
};

/** Elements of ScanSettings that scan parameters write. */
const written: Readonly<Record<string, readonly OptionControl[]>> = {
  InputSource: ['source'],
  Duplex: ['duplexMode'],
  ColorMode: ['colorMode'],
  XResolution: ['resolution'],
  YResolution: ['resolution'],
  XOffset: ['pageSize', 'area'],
  YOffset: ['pageSize', 'area'],
  Width: ['pageSize', 'area'],
  Height: ['pageSize', 'area'],
};
export const reservedOptions: readonly ReservedOption[] = Object.entries(written).map(([name, controls]) => ({
  name,
  controls,
}));

/** What the device lists, and nothing else, under the names of its elements. */
export function driverOptionsOf({ supported }: ScannerCapabilities, caps: InputCaps): readonly DriverOption[] {
  const options: DriverOption[] = [];
  for (const name of rangedSettings) {
    const range = supported[name];
    if (!range) continue;
    const { min, max, normal, step } = range;
    const controls = sameAs[name];
    options.push({
      name,
      type: 'integer',
      minimum: min,
      maximum: max,
      step,
      ...(normal !== undefined && { default: normal }),
      ...(controls && { controls }),
    });
  }
  const { contentTypes, intents } = caps;
  if (contentTypes.length > 0) options.push({ name: 'ContentType', type: 'string', values: contentTypes });
  if (intents.length > 0) options.push({ name: 'Intent', type: 'string', values: intents });
  return options;
}

/** Those that the device can set in both directions from its own; a threshold needs both ends only. */
export function levelsOf({ supported }: ScannerCapabilities): readonly Level[] {
  return levels.filter(level => {
    const range = supported[settingOf[level]];
    if (!range || range.min >= range.max) return false;
    return (
      level === 'threshold' || (range.normal !== undefined && range.normal > range.min && range.normal < range.max)
    );
  });
}

/** The elements for an order: its levels on the device's scales, and its driver options. Core has checked both. */
export function settingsFor(capabilities: ScannerCapabilities, order: ScanOrder): SettingValues {
  const values: Record<string, string | number> = {};
  for (const level of levelsOf(capabilities)) {
    const range = capabilities.supported[settingOf[level]];
    const asked = order[level];
    if (range && asked !== undefined) values[settingOf[level]] = levelOn(range, level, asked);
  }
  return { ...values, ...elementsOf(order.driverOptions ?? {}, capabilities) };
}

function levelOn(range: SettingRange, level: Level, asked: number): number {
  const { min, max, normal = min } = range;
  if (level === 'threshold') return onStep(range, min + (asked / thresholdRange.maximum) * (max - min));
  const share = asked / levelRange.maximum;
  return onStep(range, normal + share * (share < 0 ? normal - min : max - normal));
}

function elementsOf(options: DriverOptionValues, { supported }: ScannerCapabilities): SettingValues {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => {
      const range = supported[name as RangedSetting];
      return [name, range && typeof value === 'number' ? onStep(range, value) : String(value)];
    }),
  );
}

/** The nearest value that the device takes. */
function onStep({ min, max, step }: SettingRange, value: number): number {
  const steps = Math.round((value - min) / step);
  return Math.min(min + steps * step, min + Math.floor((max - min) / step) * step);
}
