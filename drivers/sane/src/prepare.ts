/** Sets a device's options for an order, in the field's order: source, mode, depth, resolution, geometry. */
import { ScanError, type Adjustment, type PageFacts, type ScanOrder, type Source } from '@platen/core/plugin';
import { currentDpi, estimate, takeSource } from './capabilities.js';
import { settable } from './descriptors.js';
import { cornerChoices, paperChoices, resolutionOption } from './geometry.js';
import type { Handle } from './handle.js';
import { adjust } from './hardware.js';
import { depthFor, modesOf } from './modes.js';
import { refuseTooLarge } from './page.js';
import type { Panel } from './panel.js';
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
export async function prepare(handle: Handle, panel: Panel, source: Source, way: Way, order: ScanOrder, name: string): Promise<Prepared> {
  const duplex = source === 'feeder' && order.duplexMode !== 'Simplex';
  await takeSource(panel, duplex ? (way.duplexSource ?? way.source) : way.source, name);
  const sides = await takeSides(panel, way, duplex);
  await panel.set({ name: 'preview', value: false });
  if (source === 'feeder') await panel.setAll(feederChoices(panel.descriptors));
  await takeMode(handle, panel, order);
  const adjusted = source === 'feeder' ? await adjust(panel, order.adjustments) : [];
  const dpi = await takeResolution(panel, order.resolution, name);
  await panel.setAll(paperChoices(panel.descriptors, order.pageSize, dpi));
  await panel.setAll(cornerChoices(panel.descriptors, order.pageSize, dpi));
  // Known before the sheet is fed in most backends; what they say afterwards counts.
  const { pixelsPerLine = 0, bytesPerLine = 0, lines = 0 } = (await estimate(handle)) ?? {};
  if (lines > 0) refuseTooLarge(pixelsPerLine, lines, order.maxPixels);
  return { sides, dpi, adjusted, bytes: Math.max(0, bytesPerLine * lines) };
}

async function takeSides(panel: Panel, way: Way, duplex: boolean): Promise<Prepared['sides']> {
  const both = ['front', 'back'] as const;
  const options = duplexChoices(panel.descriptors);
  if (!duplex) {
    if (options) await panel.set(options.off);
    // The only source of the feeder scans both sides, and cannot be told not to.
    return way.source !== undefined && way.source === way.duplexSource ? both : ['front'];
  }
  if (way.duplexSource !== undefined) return both;
  return options && (await panel.set(options.on)) ? both : ['front'];
}

async function takeMode(handle: Handle, panel: Panel, { colorMode }: ScanOrder): Promise<void> {
  const modes = modesOf(panel.descriptors, await estimate(handle));
  const mode = modes[colorMode] ?? modes.Color ?? modes.Grayscale ?? modes.BlackAndWhite;
  if (!mode) return;
  if (mode.mode !== undefined) await panel.set({ name: 'mode', value: mode.mode });
  const depth = depthFor(panel.descriptors, colorMode, mode);
  if (depth !== undefined) await panel.set({ name: 'depth', value: depth });
}

async function takeResolution(panel: Panel, wish: number, name: string): Promise<number> {
  const option = resolutionOption(panel.descriptors);
  if (!option) throw new ScanError('unsupported', `"${name}" has no resolution to set.`);
  await panel.set({ name: 'resolution-bind', value: true });
  await panel.set({ name: option.name, value: wish });
  const dpi = (await currentDpi(panel)) ?? wish;
  if (!settable(panel.descriptors, 'y-resolution')) return dpi;
  await panel.set({ name: 'y-resolution', value: dpi });
  const vertical = await panel.get('y-resolution');
  if (typeof vertical === 'number' && vertical !== dpi) {
    throw new ScanError('unsupported', `"${name}" scans ${dpi} dpi one way and ${vertical} the other: ask for another resolution.`);
  }
  return dpi;
}
