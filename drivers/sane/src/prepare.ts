/** Sets a device's options for an order, in the usual sequence: source, mode, depth, resolution, geometry. */
import { assertPixels, ScanError, type Adjustment, type PageFacts, type ScanOrder } from '@platen/core/plugin';
import { adjust } from './adjustments.js';
import { currentDpi, estimate, takeSource } from './capabilities.js';
import { cornerChoices, paperChoices, resolutionOption } from './geometry.js';
import type { Handle } from './handle.js';
import { depthFor, modesOf } from './modes.js';
import { settable, type OptionSet } from './optionSet.js';
import { duplexChoices, feederChoices, type Way } from './sources.js';

/** What the device will really do. */
export interface Prepared {
  readonly sides: readonly PageFacts['side'][];
  /** The value that the backend accepted. */
  readonly dpi: number;
  readonly adjusted: readonly Adjustment[];
  /** Of a page, by the backend's estimate; 0 if it has none. */
  readonly bytes: number;
}

/** Moves no paper. @throws ScanError `unsupported` if the source or the page size is unavailable */
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
  // Most backends report this before feeding; their later report counts.
  const { pixelsPerLine = 0, bytesPerLine = 0, lines = 0 } = (await estimate(handle)) ?? {};
  if (lines > 0) assertPixels(pixelsPerLine, lines, order.maxPixels);
  return { sides, dpi, adjusted, bytes: Math.max(0, bytesPerLine * lines) };
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
      `"${name}" would scan ${dpi} dpi in one direction and ${vertical} dpi in the other. Choose another resolution.`,
    );
  }
  return dpi;
}
