/** What a request can control on the source that it names, and what was asked of that source. */
import type { CapabilityDetails, ControlParameters, DriverOption, SourceDetails } from '../../client/shapes.js';
import { changesIn } from './settingValues.js';

export type Source = NonNullable<ControlParameters['source']>;
type Sources = CapabilityDetails['sources'];

export const hasBoth = ({ feeder, flatbed }: Sources): boolean => feeder !== undefined && flatbed !== undefined;

/** Of Auto: what both sources can do, because the paper decides which of them scans; and how many sheets are fed. */
export function detailsOf({ feeder, flatbed }: Sources, source: Source): SourceDetails {
  const nothing: SourceDetails = { controls: {}, driverOptions: [] };
  if (source !== 'Auto' || !feeder || !flatbed) return (source === 'Flatbed' ? flatbed : feeder) ?? flatbed ?? nothing;
  const { controls, area, driverOptions } = feeder;
  const names = (Object.keys(controls) as (keyof typeof controls)[]).filter(
    name => name === 'sheets' || flatbed.controls[name],
  );
  return {
    controls: Object.fromEntries(names.map(name => [name, controls[name]])),
    ...(area && flatbed.area && { area: smaller(area, flatbed.area) }),
    driverOptions: driverOptions.filter(({ name }) => flatbed.driverOptions.some(each => each.name === name)),
  };
}

type AreaLimits = NonNullable<SourceDetails['area']>;

const smaller = (one: AreaLimits, other: AreaLimits): AreaLimits => ({
  width: Math.min(one.width, other.width),
  height: Math.min(one.height, other.height),
  minWidth: Math.max(one.minWidth ?? 0, other.minWidth ?? 0),
  minHeight: Math.max(one.minHeight ?? 0, other.minHeight ?? 0),
});

/** Options that the page sets for a preview only. */
const ofPreview = ['preview', 'Intent'];

/** Without those that set the same as a parameter, which has its own control. */
export const shownOptions = ({ driverOptions }: SourceDetails): readonly DriverOption[] =>
  driverOptions.filter(({ name, controls }) => controls === undefined && !ofPreview.includes(name));

/**
 * What to send: what differs from the profile and from the source's defaults, and what the source does.
 * @param base of the profile
 */
export function changesFor(
  sources: Sources,
  wishes: ControlParameters,
  base: ControlParameters,
  isBlackAndWhite: boolean,
): ControlParameters {
  const source = sourceOf(sources, wishes);
  const can = detailsOf(sources, source);
  const takes: Partial<Record<keyof ControlParameters, boolean>> = {
    source: hasBoth(sources),
    sheets: source !== 'Flatbed' && sources.feeder !== undefined,
    area: can.controls.area !== undefined,
    brightness: can.controls.brightness !== undefined,
    contrast: can.controls.contrast !== undefined,
    threshold: can.controls.threshold !== undefined && isBlackAndWhite,
  };
  const taken = Object.fromEntries(Object.entries(wishes).filter(([name]) => takes[name as keyof ControlParameters]));
  const shown = shownOptions(can);
  const usual = Object.fromEntries(shown.map(each => [each.name, base.driverOptions?.[each.name] ?? each.default]));
  const set = Object.entries(wishes.driverOptions ?? {}).filter(([name]) => Object.hasOwn(usual, name));
  const options = changesIn(Object.fromEntries(set), usual as Record<string, string | number | boolean>);
  return {
    ...changesIn<ControlParameters>(taken, { source: 'Auto', brightness: 0, contrast: 0, ...base }),
    ...(Object.keys(options).length > 0 && { driverOptions: options as Readonly<Record<string, string>> }),
  };
}

/** The source that these wishes mean. */
export function sourceOf(sources: Sources, { source = 'Auto' }: ControlParameters): Source {
  if (hasBoth(sources)) return source;
  return sources.feeder ? 'Feeder' : 'Flatbed';
}
