/** The controls of a scan: what the device is ordered to do, what software does, and what nobody can do. */
import { optionAccepts, takesValue } from '../checks/optionFields.js';
import { pageControls, pixelsAt, type Area, type PageControl, type ScanControls } from '../contract/controls.js';
import type { SourceCapabilities } from '../contract/driver.js';
import { InvalidValue } from '../contract/errors.js';
import { millimetres, pageSizes, type ColorMode, type PageSize } from '../contract/words.js';
import { hasProcessor } from '../registry/capabilities.js';
import { hardwareDoes, largestPage } from '../registry/sourceDetails.js';
import { noteOnField, type ScanNote } from './notes.js';
import type { ScanOptions } from './scanOptions.js';
import type { Software } from '../registry/registry.js';

/** Requested controls of a page; those that change nothing are left out. */
export type PlannedControls = Pick<ScanControls, PageControl>;

export interface ControlPlan {
  /** Requested, whoever does it. */
  readonly controls: PlannedControls;
  /** For the order: only what the source names. */
  readonly order: ScanControls;
  /** Software needs levels to change, or to reduce by a threshold: a 1-bit page has none. */
  readonly needsLevels: boolean;
  /** The page to scan when software cuts it to the area. Absent: software cuts nothing. */
  readonly cutFrom?: PageSize;
}

export interface ControlInput {
  readonly options: ScanOptions;
  readonly software: Software;
  note(note: ScanNote): void;
}

/** Rounding of millimetres in capabilities and requests. */
const SLACK_MM = 0.05;

/** @throws `InvalidValue` for an area or an option of the driver that this source does not take */
export function planControls(
  { options, software, note }: ControlInput,
  from: SourceCapabilities,
  colorMode: ColorMode,
): ControlPlan {
  const { driverOptions = {}, ...controls } = options.controls ?? {};
  const asked: PlannedControls = pick(controls, pageControls);
  checkAskedOptions(from, options);
  const wanted = pageControls.filter(each => isWanted(each, asked, colorMode));
  const canReduce =
    hasProcessor(software, 'color') || (asked.threshold !== undefined && hasProcessor(software, 'threshold'));
  const hasLevels =
    colorMode !== 'BlackAndWhite' || (from.colorModes.some(mode => mode !== 'BlackAndWhite') && canReduce);
  const inSoftware = new Set<PageControl>();
  for (const each of ['area', 'brightness', 'contrast'] as const)
    if (
      wanted.includes(each) &&
      !hardwareDoes(from, each) &&
      hasProcessor(software, each) &&
      (each === 'area' || hasLevels)
    )
      inSoftware.add(each);
  // The device cannot make 1-bit pages of levels that are changed only here.
  const changesLevels = inSoftware.has('brightness') || inSoftware.has('contrast');
  const deviceThreshold = hardwareDoes(from, 'threshold') && !changesLevels;
  if (wanted.includes('threshold') && !deviceThreshold && hasProcessor(software, 'threshold') && hasLevels)
    inSoftware.add('threshold');
  const byDevice = wanted.filter(
    each => !inSoftware.has(each) && (each === 'threshold' ? deviceThreshold : hardwareDoes(from, each)),
  );
  for (const each of wanted)
    if (!inSoftware.has(each) && !byDevice.includes(each))
      note(
        noteOnField('adjustment-ignored', each, 'was ignored: neither the scanner nor a loaded plugin supports it.'),
      );

  if (asked.threshold !== undefined && colorMode !== 'BlackAndWhite')
    note(noteOnField('adjustment-ignored', 'threshold', 'was ignored: it is for BlackAndWhite.'));

  const { area } = asked;
  if (area && byDevice.includes('area')) checkArea(area, from);
  const cutFrom = area && inSoftware.has('area') ? pageThatHolds(area, from) : undefined;
  return {
    controls: pick(asked, wanted),
    order: {
      // Those of the device alone are passed on unchanged.
      ...without(controls, pageControls),
      ...pick(asked, byDevice),
      ...(area && byDevice.includes('area') && { area: within(area, from.area) }),
      ...(Object.keys(driverOptions).length > 0 && { driverOptions }),
    },
    needsLevels: changesLevels || inSoftware.has('threshold'),
    ...(cutFrom && { cutFrom }),
  };
}

function isWanted(control: PageControl, asked: PlannedControls, colorMode: ColorMode): boolean {
  if (asked[control] === undefined) return false;
  return control === 'threshold' ? colorMode === 'BlackAndWhite' : asked[control] !== 0;
}

function pick(controls: ScanControls, names: readonly PageControl[]): PlannedControls {
  return only(controls, name => names.some(each => each === name));
}

function without(controls: ScanControls, names: readonly PageControl[]): ScanControls {
  return only(controls, name => !names.some(each => each === name));
}

function only(controls: ScanControls, isMeant: (name: string) => boolean): ScanControls {
  return Object.fromEntries(Object.entries(controls).filter(([name, value]) => isMeant(name) && value !== undefined));
}

function checkArea(area: Area, { area: limits }: SourceCapabilities): void {
  if (!limits) return;
  const { width, height, minWidth = 0, minHeight = 0 } = limits;
  if (area.width < minWidth - SLACK_MM)
    throw new InvalidValue('area.width', `${minWidth} to ${width} mm on this source`);
  if (area.height < minHeight - SLACK_MM)
    throw new InvalidValue('area.height', `${minHeight} to ${height} mm on this source`);
  refuseBeyond(area, width, height);
}

function refuseBeyond({ x, y, width, height }: Area, most: number, highest: number): void {
  if (x + width > most + SLACK_MM) throw new InvalidValue('area', `x + width of at most ${most} mm on this source`);
  if (y + height > highest + SLACK_MM)
    throw new InvalidValue('area', `y + height of at most ${highest} mm on this source`);
}

/** Without what `SLACK_MM` allowed beyond the limits: a driver need not accept it. */
function within(area: Area, limits: SourceCapabilities['area']): Area {
  if (!limits) return area;
  const width = Math.max(limits.minWidth ?? 0, Math.min(area.width, limits.width));
  const height = Math.max(limits.minHeight ?? 0, Math.min(area.height, limits.height));
  return { x: Math.min(area.x, limits.width - width), y: Math.min(area.y, limits.height - height), width, height };
}

/** The smallest page size that holds the area, or the whole area of the source. */
function pageThatHolds(area: Area, from: SourceCapabilities): PageSize {
  const named = pageSizes
    .filter(size => size !== 'Auto')
    .filter(size => from.pageSizes.includes(size))
    .sort((a, b) => millimetres[a].width * millimetres[a].height - millimetres[b].width * millimetres[b].height);
  const holding = named.find(
    size =>
      area.x + area.width <= millimetres[size].width + SLACK_MM &&
      area.y + area.height <= millimetres[size].height + SLACK_MM,
  );
  if (holding) return holding;
  const largest = named.at(-1);
  const whole = from.area ?? largestPage(from);
  if (whole) refuseBeyond(area, whole.width, whole.height);
  return from.pageSizes.includes('Auto') ? 'Auto' : (largest ?? 'Auto');
}

/** Pixels of a page with this area. */
export function areaPixels(area: Area, resolution: number): number {
  return pixelsAt(resolution, area.width) * pixelsAt(resolution, area.height);
}

/**
 * Options of the driver: listed by the source, of the right type, and beside no parameter that sets the same.
 * @throws `InvalidValue` that names the option, and what is accepted
 */
function checkAskedOptions(from: SourceCapabilities, { controls, given = [] }: ScanOptions): void {
  const { driverOptions: listed = [], reservedOptions = [] } = from;
  for (const [name, value] of Object.entries(controls?.driverOptions ?? {})) {
    const field = `driverOptions.${name}`;
    const option = listed.find(each => each.name === name);
    const reserved = reservedOptions.find(each => each.name === name);
    if (reserved)
      throw new InvalidValue(field, `nothing: use the parameter ${reserved.controls.join(' or ')}, which sets it`);
    if (!option) {
      const has = listed.length === 0 ? 'has no options' : `has ${listed.map(each => each.name).join(', ')}`;
      throw new InvalidValue(field, `nothing: this source of the scanner ${has}`);
    }
    if (!takesValue(option, value)) throw new InvalidValue(field, optionAccepts(option), option.values);
    const same = option.controls?.find(each => given.includes(each));
    if (same) throw new InvalidValue(field, `nothing beside ${same}, which sets the same: leave one of them out`);
  }
}
