/** What a scanner can do together with the loaded plugins, in the interface's terms. */
import type { Capabilities, Device, SourceCapabilities } from '../contract/driver.js';
import type { ProcessorTask } from '../contract/processor.js';
import {
  adjustmentParameters,
  colorModes,
  pageSizes,
  type Adjustment,
  type AdjustmentParameter,
  type ColorMode,
  type PageSize,
} from '../contract/words.js';
import type { Registry } from './registry.js';

/** Whether each adjustment is possible: `supportsAutoRotate` and the others. */
type AdjustmentCapabilities = Readonly<Record<AdjustmentParameter['capability'], boolean>>;

export interface OfferedCapabilities extends AdjustmentCapabilities {
  readonly resolutions: readonly number[];
  readonly colorModes: readonly ColorMode[];
  readonly supportsDuplex: boolean;
  readonly supportedPageSizes: readonly PageSize[];
  /** On macOS, and if the driver lists them. */
  readonly supportedOcrLanguages?: readonly string[];
}

type Software = Pick<Registry, 'processors' | 'ocr'>;

/**
 * The union over the scanner's sources, plus what software adds.
 * @param listsOcrLanguages of every scanner; absent: as its driver says
 */
export function offeredCapabilities(
  device: Device,
  capabilities: Capabilities,
  software: Software,
  listsOcrLanguages = device.traits?.listsOcrLanguages ?? false,
): OfferedCapabilities {
  const sources = Object.values(capabilities);
  const can = (adjustment: Adjustment): boolean =>
    sources.some(source => source.adjustments.includes(adjustment)) || hasProcessor(software, adjustment);
  const adjusts = adjustmentParameters.map(({ capability, adjustment }) => [capability, can(adjustment)]);
  return {
    resolutions: [...new Set(sources.flatMap(source => source.resolutions))].sort((a, b) => a - b),
    colorModes: colorModes.filter(mode => sources.some(source => offeredColorModes(source, software).includes(mode))),
    supportsDuplex: sources.some(source => source.duplex),
    ...(Object.fromEntries(adjusts) as AdjustmentCapabilities),
    supportedPageSizes: pageSizes.filter(size => sources.some(source => source.pageSizes.includes(size))),
    ...(listsOcrLanguages ? { supportedOcrLanguages: software.ocr?.languages ?? [] } : {}),
  };
}

/** The source's own modes, and modes to which software can reduce them. */
export function offeredColorModes(
  source: SourceCapabilities,
  software: Pick<Registry, 'processors'>,
): readonly ColorMode[] {
  if (!hasProcessor(software, 'color')) return source.colorModes;
  const richest = Math.min(...source.colorModes.map(mode => colorModes.indexOf(mode)));
  return colorModes.slice(richest);
}

export function hasProcessor(software: Pick<Registry, 'processors'>, adjustment: ProcessorTask): boolean {
  return software.processors.some(processor => processor.adjustment === adjustment);
}
