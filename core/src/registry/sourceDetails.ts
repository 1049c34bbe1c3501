/** What a request can control on each source of a scanner, and who does it. */
import { hardwareControls, type DriverOption, type HardwareControl } from '../contract/controls.js';
import type { AreaLimits, Capabilities, SourceCapabilities } from '../contract/driver.js';
import { millimetres, type Source } from '../contract/words.js';
import { hasProcessor } from './capabilities.js';
import type { Registry } from './registry.js';

export interface SourceDetails {
  /** Limits of an area, in millimetres. Absent: not known, or nobody can do one. */
  readonly area?: AreaLimits;
  /** Who does each control; a control that is absent does nothing. */
  readonly controls: Partial<Readonly<Record<HardwareControl, 'scanner' | 'software'>>>;
  readonly driverOptions: readonly DriverOption[];
}

type Software = Pick<Registry, 'processors'>;

export function sourceDetails(
  capabilities: Capabilities,
  software: Software,
): Partial<Readonly<Record<Source, SourceDetails>>> {
  const sources = Object.entries(capabilities) as [Source, SourceCapabilities][];
  return Object.fromEntries(sources.map(([source, from]) => [source, detailsOf(source, from, software)]));
}

function detailsOf(source: Source, from: SourceCapabilities, software: Software): SourceDetails {
  const controls = hardwareControls.flatMap(control => {
    const who = doerOf(control, source, from, software);
    return who ? [[control, who] as const] : [];
  });
  const area = from.area ?? largestPage(from);
  return {
    ...(area && controls.some(([control]) => control === 'area') && { area }),
    controls: Object.fromEntries(controls),
    driverOptions: from.driverOptions ?? [],
  };
}

function doerOf(
  control: HardwareControl,
  source: Source,
  from: SourceCapabilities,
  software: Software,
): 'scanner' | 'software' | undefined {
  if (control === 'sheets') {
    if (source === 'flatbed') return undefined;
    return from.controls?.includes(control) ? 'scanner' : 'software';
  }
  if (hardwareDoes(from, control)) return 'scanner';
  const hasLevels = control === 'area' || from.colorModes.some(mode => mode !== 'BlackAndWhite');
  return hasLevels && hasProcessor(software, control) ? 'software' : undefined;
}

/** A threshold needs a mode in which the hardware makes 1-bit pages. */
export function hardwareDoes({ controls = [], colorModes }: SourceCapabilities, control: HardwareControl): boolean {
  return controls.includes(control) && (control !== 'threshold' || colorModes.includes('BlackAndWhite'));
}

/** Software cuts an area from a page: no size is larger than this. Undefined if the driver names no size. */
export function largestPage({ pageSizes }: SourceCapabilities): AreaLimits | undefined {
  const sizes = pageSizes.filter(size => size !== 'Auto').map(size => millimetres[size]);
  return sizes.sort((a, b) => a.width * a.height - b.width * b.height).at(-1);
}
