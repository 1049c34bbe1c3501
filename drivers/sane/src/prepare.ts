/** Sets a device's options for an order, in the usual sequence: source, mode, depth, resolution, geometry. */
import { assertPixels, checkDriverOptions } from '@platen/core/driver';
import { ScanError, type DriverOption, type PageFacts, type PageWork, type ScanOrder } from '@platen/core/plugin';
import type { AreaSize } from '@platen/driver-kit';
import { adjust } from './options/adjustments.js';
import { takeArea } from './area.js';
import { currentDpi, estimate, takeSource } from './capabilities.js';
import { takeDriverOptions } from './options/driverOptions.js';
import { cornerChoices, paperChoices, resolutionOption } from './options/geometry.js';
import type { Handle } from './handle.js';
import { levels, levelValue } from './options/levels.js';
import { modesOf, setMode } from './options/modes.js';
import { settable, type Choice, type OptionSet } from './options/optionSet.js';
import { assertReadable } from './page.js';
import { duplexChoices, feederChoices, type Way } from './options/sources.js';

/** What the device will really do. */
export interface Prepared {
  readonly sides: readonly PageFacts['side'][];
  /** The value that the backend accepted. */
  readonly dpi: number;
  readonly adjusted: readonly PageWork[];
  /** The size of the order's area: a larger page is cut to it. */
  readonly cut?: AreaSize;
  /** Of a page, by the backend's estimate; 0 if it has none. */
  readonly bytes: number;
}

export interface PrepareParts {
  readonly handle: Handle;
  readonly options: OptionSet;
  readonly way: Way;
  /** The source's. */
  readonly driverOptions: readonly DriverOption[] | undefined;
  readonly order: ScanOrder;
  readonly name: string;
}

/** Moves no paper. @throws ScanError `unsupported` if the source, the page size, a control or an option is unavailable */
export async function prepare({ handle, options, way, driverOptions, order, name }: PrepareParts): Promise<Prepared> {
  const { source, area } = order;
  checkDriverOptions(driverOptions, order.driverOptions);
  await options.restore();
  const duplex = source === 'feeder' && order.duplexMode !== 'Simplex';
  await takeSource(options, duplex ? (way.duplexSource ?? way.source) : way.source, name);
  const sides = await takeSides(options, way, duplex);
  await options.set({ name: 'preview', value: false });
  if (source === 'feeder') await options.setAll(feederChoices(options.descriptors));
  await takeMode(handle, options, order);
  // Again, for options that exist in this mode only.
  await options.restore();
  await takeDriverOptions(options, driverOptions ?? [], order.driverOptions ?? {});
  const adjustments = source === 'feeder' ? await adjust(options, order.adjustments, area !== undefined) : [];
  const leveled = await takeLevels(options, order);
  const dpi = await takeResolution(options, order, name);
  const cut = area && (await takeArea(handle, options, area, dpi));
  if (!area) await takePageSize(options, order, dpi);
  // Most backends report this before feeding; their later report counts.
  const look = await estimate(handle);
  const { pixelsPerLine = 0, bytesPerLine = 0, lines = 0 } = look ?? {};
  if (look && order.driverOptions) assertReadable(look);
  if (lines > 0) assertPixels(pixelsPerLine, lines, order.maxPixels);
  const adjusted = [...adjustments, ...(area ? (['area'] as const) : []), ...leveled];
  return { sides, dpi, adjusted, ...(cut && { cut }), bytes: Math.max(0, bytesPerLine * lines) };
}

async function takeSides(options: OptionSet, way: Way, duplex: boolean): Promise<Prepared['sides']> {
  const both = ['front', 'back'] as const;
  const choices = duplexChoices(options.descriptors);
  if (!duplex) {
    if (choices) await options.set(choices.off);
    // The feeder's only source always scans both sides.
    return way.source !== undefined && way.source === way.duplexSource ? both : ['front'];
  }
  if (way.duplexSource !== undefined) return both;
  return choices && (await options.set(choices.on)) ? both : ['front'];
}

async function takeMode(handle: Handle, options: OptionSet, { colorMode }: ScanOrder): Promise<void> {
  const modes = modesOf(options.descriptors, await estimate(handle));
  const mode = modes[colorMode] ?? modes.Color ?? modes.Grayscale ?? modes.BlackAndWhite;
  if (mode) await setMode(options, colorMode, mode);
}

/** @returns those that were ordered. @throws ScanError `unsupported` if one cannot be set */
async function takeLevels(options: OptionSet, order: ScanOrder): Promise<readonly PageWork[]> {
  const wanted = levels.filter(level => order[level] !== undefined);
  for (const level of wanted) {
    const value = levelValue(options.descriptors, level, order[level] ?? 0, await options.get(level));
    if (value === undefined || !(await options.setForScan({ name: level, value })))
      throw new ScanError('unsupported', `The scanner does not accept a ${level} with these settings.`);
  }
  return wanted;
}

async function takeResolution(options: OptionSet, order: ScanOrder, name: string): Promise<number> {
  const option = resolutionOption(options.descriptors);
  if (!option) throw new ScanError('unsupported', `"${name}" has no resolution to set.`);
  const wish = order.resolution;
  await options.set({ name: 'resolution-bind', value: true });
  await options.setAll(withoutOptions([{ name: option.name, value: wish }], order));
  const dpi = (await currentDpi(options)) ?? wish;
  if (!settable(options.descriptors, 'y-resolution')) return dpi;
  await options.set({ name: 'y-resolution', value: dpi });
  const vertical = await options.get('y-resolution');
  if (typeof vertical === 'number' && vertical !== dpi) {
    throw new ScanError(
      'unsupported',
      `"${name}" would scan ${dpi} dpi in one direction and ${vertical} dpi in the other. Choose another resolution.`,
    );
  }
  return dpi;
}

async function takePageSize(options: OptionSet, order: ScanOrder, dpi: number): Promise<void> {
  await options.setAll(withoutOptions(paperChoices(options.descriptors, order.pageSize, dpi), order));
  await options.setAll(withoutOptions(cornerChoices(options.descriptors, order.pageSize, dpi), order));
}

/** An option that the order sets by its name keeps that value. */
function withoutOptions(choices: readonly Choice[], { driverOptions = {} }: ScanOrder): readonly Choice[] {
  return choices.filter(({ name }) => driverOptions[name] === undefined);
}
