/** The features that a scanner's vendor added to a unit, as options of the driver. */
import { takesValue, type DriverOptionValue, type OptionControl } from '@platen/core/driver';
import type { DriverOption, ReservedOption } from '@platen/core/plugin';
import type { Frame } from '@platen/driver-kit';

export interface Feature {
  /** In the unit's list, until a feature is set. */
  readonly index: number;
  readonly option: DriverOption;
  /** Undefined: a value that the option does not take. */
  readonly current: DriverOptionValue | undefined;
}

/** ICScannerFeatureType. Templates are groups of areas, and have no value. */
const ENUMERATION = 0;
const RANGE = 1;
const BOOLEAN = 2;

const MOST_FEATURES = 500;
const MOST_VALUES = 1000;
const MOST_NAME = 256;
const MOST_TEXT = 4096;

/** Words of an internal name, such as `CVF_BRIGHTNESS`, and the scan parameter that sets the same. */
const parameters: ReadonlyMap<string, OptionControl> = new Map([
  ['brightness', 'brightness'],
  ['contrast', 'contrast'],
  ['threshold', 'threshold'],
  ['crop', 'autoCrop'],
  ['deskew', 'autoDeskew'],
  ['rotate', 'autoRotate'],
]);
/** Those that the driver sets for every scan: with another value, the facts of a page would be wrong. */
const own: ReadonlyMap<string, OptionControl> = new Map([
  ['duplex', 'duplexMode'],
  ['resolution', 'resolution'],
]);

/** Those that can be read: with a name of its own, a known type, and a description that does not contradict itself. */
export function readFeatures(headers: readonly Frame['header'][]): readonly Feature[] {
  const found = new Map<string, Feature>();
  for (const header of headers) {
    const feature = readFeature(header);
    if (feature && !found.has(feature.option.name) && found.size < MOST_FEATURES)
      found.set(feature.option.name, feature);
  }
  return [...found.values()];
}

/** Features that scan parameters set, by their names. */
export function reservedIn(headers: readonly Frame['header'][]): readonly ReservedOption[] {
  return headers.slice(0, MOST_FEATURES).flatMap(header => {
    const name = textOf(header['name']);
    const controls = controlsIn(name, own);
    return controls.length > 0 && name.length <= MOST_NAME ? [{ name, controls }] : [];
  });
}

const controlsIn = (name: string, words: ReadonlyMap<string, OptionControl>): readonly OptionControl[] => [
  ...new Set(wordsOf(name).flatMap(each => words.get(each) ?? [])),
];

function readFeature(header: Frame['header']): Feature | undefined {
  const index = header['index'];
  const [name, title, tooltip] = ['name', 'title', 'tooltip'].map(each => textOf(header[each])) as [
    string,
    string,
    string,
  ];
  const facts = factsOf(header);
  const isKnown = typeof index === 'number' && name !== '' && name.length <= MOST_NAME;
  if (!isKnown || !facts || controlsIn(name, own).length > 0) return undefined;
  const description = [tooltip, ...labelsOf(header)].filter(each => each !== '').join('\n');
  const controls = controlsIn(name, parameters);
  const described: DriverOption = {
    name,
    ...(title !== '' && { title }),
    ...(description !== '' && { description: description.slice(0, MOST_TEXT) }),
    ...facts,
    ...(controls.length > 0 && { controls }),
  };
  const valueOf = (place: unknown) => {
    const value = valueAt(described, place);
    return takesValue(described, value) ? value : undefined;
  };
  const current = valueOf(header['value']);
  // macOS names no default of a boolean: it is what the scanner starts with.
  const preset = valueOf(header[described.type === 'boolean' ? 'value' : 'default']);
  return { index, current, option: { ...described, ...(preset !== undefined && { default: preset }) } };
}

/** Undefined for a type without a value, and for values that have no form in an option. */
function factsOf(
  header: Frame['header'],
): Pick<DriverOption, 'type' | 'minimum' | 'maximum' | 'step' | 'values'> | undefined {
  if (header['type'] === BOOLEAN) return { type: 'boolean' };
  if (header['type'] === RANGE) {
    const [minimum, maximum, step] = ['minimum', 'maximum', 'step'].map(each => Number(header[each] ?? NaN));
    if (minimum === undefined || maximum === undefined || !(minimum <= maximum)) return undefined;
    return { type: 'number', minimum, maximum, ...(step !== undefined && step > 0 && { step }) };
  }
  const values = header['values'];
  if (header['type'] !== ENUMERATION || !Array.isArray(values)) return undefined;
  if (values.length === 0 || values.length > MOST_VALUES) return undefined;
  if (values.every(Number.isSafeInteger)) return { type: 'integer', values };
  if (values.every(Number.isFinite)) return { type: 'number', values };
  return values.every(each => typeof each === 'string' && each.length <= MOST_TEXT)
    ? { type: 'string', values }
    : undefined;
}

/** What the numbers of an enumeration mean, one per line: "2: Text". */
function labelsOf(header: Frame['header']): readonly string[] {
  const { values, labels } = header;
  if (!Array.isArray(values) || !Array.isArray(labels) || labels.length !== values.length) return [];
  return values
    .map((value, i) => [String(value), textOf(labels[i])] as const)
    .filter(([value, label]) => label !== '' && label !== value)
    .map(([value, label]) => `${value}: ${label}`);
}

/** The helper has 0 or 1 for a boolean, and for an enumeration the place in its list. */
function valueAt({ type, values }: DriverOption, place: unknown): unknown {
  if (values) return values[Number(place ?? -1)];
  return type === 'boolean' ? place === 1 : place;
}

/** For the helper's `feature`. */
export function placeOf({ values }: DriverOption, value: DriverOptionValue): number {
  return values ? values.indexOf(value) : Number(value);
}

/** Whether the feature has the value, or for a range the nearest step to it. */
export function isAt({ option, current }: Feature, value: DriverOptionValue): boolean {
  if (typeof value !== 'number' || typeof current !== 'number' || option.values) return current === value;
  const { minimum = 0, maximum = 0, step = 0 } = option;
  return Math.abs(current - value) <= step / 2 + (maximum - minimum) * 1e-6;
}

/** `CVF_AutoCrop` has the words cvf, auto and crop. */
function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
