/** Sets a device's options for an order, in the field's order: source, mode, depth, resolution, geometry. */
import { assertPixels, ScanError, type Adjustment, type PageFacts, type ScanOrder } from '@platen/core/plugin';
import { adjust } from './adjustments.js';
import { currentDpi, estimate, takeSource } from './capabilities.js';
import { cornerChoices, paperChoices, resolutionOption } from './geometry.js';
import type { Handle } from './handle.js';
import { depthFor, modesOf } from './modes.js';
import { settable, type OptionSet } from './optionSet.js';
import { duplexChoices, feederChoices, type Way } from './sources.js';

/** What the device will do, whatever was asked for. */
export interface Prepared {
  readonly sides: readonly PageFacts['side'][];
  /** As the backend took it. */
  readonly dpi: number;
  readonly adjusted: readonly Adjustment[];
  /** Of a page, by the backend's own estimate; 0 where it has none. */
  readonly bytes: number;
}

/** Nothing moves yet. @throws ScanError `unsupported` where the source, or a page of this size, is not to be had */
export async function prepare(
  handle: Handle,
  options: OptionSet,
  way: Way,
  order: ScanOrder,
  name: string,
): Promise<Prepared> {
  const { source } = order;
  const duplex = source === 'feeder' && order.duplexMode !== 'Simplex';
  await takeSource(options, duplex ? (way.duplexSource ?? way.source) : way.source, name);
  const sides = await takeSides(options, way, duplex);
  await options.set({ name: 'preview', value: false });
  if (source === 'feeder') await options.setAll(feederChoices(options.descriptors));
  await takeMode(handle, options, order);
  const adjusted = source === 'feeder' ? await adjust(options, order.adjustments) : [];
  const dpi = await takeResolution(options, order.resolution, name);
  await options.setAll(paperChoices(options.descriptors, order.pageSize, dpi));
  await options.setAll(cornerChoices(options.descriptors, order.pageSize, dpi));
  // Known before the sheet is fed in most backends; what they say afterwards counts.
  const { pixelsPerLine = 0, bytesPerLine = 0, lines = 0 } = (await estimate(handle)) ?? {};
  if (lines > 0) assertPixels(pixelsPerLine, lines, order.maxPixels);
  return { sides, dpi, adjusted, bytes: Math.max(0, bytesPerLine * lines) };
}

async function takeSides(options: OptionSet, way: Way, duplex: boolean): Promise<Prepared['sides']> {
  const both = ['front', 'back'] as const;
  const choices = duplexChoices(options.descriptors);
  if (!duplex) {
    if (choices) await options.set(choices.off);
    // The only source of the feeder scans both sides, and cannot be told not to.
    return way.source !== undefined && way.source === way.duplexSource ? both : ['front'];
  }
  if (way.duplexSource !== undefined) return both;
  return choices && (await options.set(choices.on)) ? both : ['front'];
}

async function takeMode(handle: Handle, options: OptionSet, { colorMode }: ScanOrder): Promise<void> {
  const modes = modesOf(options.descriptors, await estimate(handle));
  const mode = modes[colorMode] ?? modes.Color ?? modes.Grayscale ?? modes.BlackAndWhite;
  if (!mode) return;
  if (mode.mode !== undefined) await options.set({ name: 'mode', value: mode.mode });
  const depth = depthFor(options.descriptors, colorMode, mode);
  if (depth !== undefined) await options.set({ name: 'depth', value: depth });
}

async function takeResolution(options: OptionSet, wish: number, name: string): Promise<number> {
  const option = resolutionOption(options.descriptors);
  if (!option) throw new ScanError('unsupported', `"${name}" has no resolution to set.`);
  await options.set({ name: 'resolution-bind', value: true });
  await options.set({ name: option.name, value: wish });
  const dpi = (await currentDpi(options)) ?? wish;
  if (!settable(options.descriptors, 'y-resolution')) return dpi;
  await options.set({ name: 'y-resolution', value: dpi });
  const vertical = await options.get('y-resolution');
  if (typeof vertical === 'number' && vertical !== dpi) {
    throw new ScanError(
      'unsupported',
      `"${name}" scans ${dpi} dpi one way and ${vertical} the other: ask for another resolution.`,
    );
  }
  return dpi;
}
