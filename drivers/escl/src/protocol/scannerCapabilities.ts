/** A device's ScannerCapabilities, parsed. Sizes are in 1/300 inch. */
import { readXml, type XmlNode } from './xml.js';

/** Elements of ScanSettings with a number; the capabilities have `BrightnessSupport` and so on. */
export const rangedSettings = [
  'Brightness',
  'CompressionFactor',
  'Contrast',
  'Gamma',
  'Highlight',
  'NoiseRemoval',
  'Shadow',
  'Sharpen',
  'Threshold',
] as const;

export type RangedSetting = (typeof rangedSettings)[number];

export interface SettingRange {
  readonly min: number;
  readonly max: number;
  /** What the device uses by itself. */
  readonly normal?: number;
  readonly step: number;
}

export type EsclMode = 'BlackAndWhite1' | 'Grayscale8' | 'RGB24';

/** One input: the platen (flatbed), the feeder for one side, or the feeder for both. */
export interface InputCaps {
  readonly maxWidth: number;
  readonly maxHeight: number;
  /** 0: not stated. */
  readonly minWidth: number;
  readonly minHeight: number;
  readonly modes: readonly string[];
  /** Media types in lower case. */
  readonly formats: readonly string[];
  /** Whether the device lists DocumentFormatExt: some such devices read that element only. */
  readonly hasFormatExt: boolean;
  readonly contentTypes: readonly string[];
  readonly intents: readonly string[];
  readonly resolutions: {
    readonly list: readonly number[];
    readonly range?: { readonly min: number; readonly max: number; readonly step: number };
  };
}

export interface ScannerCapabilities {
  readonly version: string;
  readonly makeAndModel: string;
  readonly manufacturer?: string;
  /** The Server header of the response. */
  readonly server?: string;
  readonly uuid?: string;
  readonly platen?: InputCaps;
  readonly simplex?: InputCaps;
  readonly duplex?: InputCaps;
  /** The position of a sheet in a wider feeder. */
  readonly justification: 'Left' | 'Center' | 'Right';
  /** The CompressionFactor with the least compression; absent if the device does not offer one. */
  readonly leastCompression?: number;
  readonly supported: Partial<Readonly<Record<RangedSetting, SettingRange>>>;
}

/** @throws Error that says what is wrong with the document */
export function readScannerCapabilities(bytes: Uint8Array, server?: string): ScannerCapabilities {
  const root = readXml(bytes, 'ScannerCapabilities');
  const named = new Map(
    root
      .all('SettingProfiles')
      .flatMap(each => each.all('SettingProfile'))
      .map(each => [each.attributes['name'], each] as const),
  );
  const caps = (node: XmlNode | undefined) => node && inputCaps(node, named);
  const adf = root.one('Adf');
  const platen = caps(root.one('Platen')?.one('PlatenInputCaps'));
  const duplex = caps(adf?.one('AdfDuplexInputCaps'));
  const simplex = caps(adf?.one('AdfSimplexInputCaps'));
  if (!platen && !simplex && !duplex) throw new Error('its capabilities have neither a flatbed nor a feeder');
  const version = root.one('Version')?.text ?? '';
  const compression = root.one('CompressionFactorSupport');
  const justification = root.deep('Justification')?.deep('XImagePosition')?.text;
  return {
    version: /^\d{1,2}\.\d{1,3}$/.test(version) ? version : '2.0',
    makeAndModel: plain(root.one('MakeAndModel')?.text ?? root.one('ModelName')?.text),
    ...optional('manufacturer', plain(root.one('Manufacturer')?.text)),
    ...optional('server', plain(server)),
    ...optional('uuid', uuidOf(root.one('UUID')?.text)),
    ...(platen && { platen }),
    ...(simplex && { simplex }),
    ...(duplex && { duplex }),
    justification: justification === 'Center' || justification === 'Right' ? justification : 'Left',
    ...(compression && { leastCompression: numberOf(compression, 'Min') }),
    supported: supportedBy(root),
  };
}

/** Settings with an integral range. Some devices name one and give no range. */
function supportedBy(root: XmlNode): ScannerCapabilities['supported'] {
  return Object.fromEntries(
    rangedSettings.flatMap(name => {
      const range = settingRange(root.one(`${name}Support`));
      return range ? [[name, range]] : [];
    }),
  );
}

function settingRange(node: XmlNode | undefined): SettingRange | undefined {
  const integer = (name: string) => {
    const text = node?.one(name)?.text ?? '';
    return /^-?\d{1,6}$/.test(text) ? Number(text) : undefined;
  };
  const [min, max, normal, step = 1] = [integer('Min'), integer('Max'), integer('Normal'), integer('Step')];
  if (min === undefined || max === undefined || min > max) return undefined;
  const isWithin = normal !== undefined && normal >= min && normal <= max;
  return { min, max, step: Math.max(1, step), ...(isWithin && { normal }) };
}

/** In lower case without `urn:uuid:`; empty for anything but a UUID. */
export function uuidOf(text: string | undefined): string {
  const uuid =
    text
      ?.toLowerCase()
      .replace(/^urn:uuid:/, '')
      .trim() ?? '';
  return /^[0-9a-f-]{8,64}$/.test(uuid) ? uuid : '';
}

/** Text of a device, for people: one line of limited length without control characters. */
export function plain(text: string | undefined): string {
  return (text ?? '')
    .replace(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, 120);
}

function inputCaps(node: XmlNode, named: ReadonlyMap<string | undefined, XmlNode>): InputCaps {
  const profiles = node
    .all('SettingProfiles')
    .flatMap(each => each.all('SettingProfile'))
    .map(each => named.get(each.attributes['ref']) ?? each);
  const texts = (group: string, name: string) =>
    profiles
      .flatMap(each => each.all(group))
      .flatMap(each => each.all(name))
      .map(each => each.text);
  const newer = texts('DocumentFormats', 'DocumentFormatExt');
  const supported = profiles.flatMap(each => each.all('SupportedResolutions'));
  const list = supported
    .flatMap(each => each.all('DiscreteResolutions'))
    .flatMap(each => each.all('DiscreteResolution'))
    .map(each => [numberOf(each, 'XResolution'), numberOf(each, 'YResolution')])
    .flatMap(([x = 0, y = 0]) => (x > 0 && x === y ? [x] : []));
  const range = supported
    .flatMap(each => each.all('ResolutionRange'))
    .map(rangeOf)
    .find(each => each !== undefined);
  return {
    maxWidth: numberOf(node, 'MaxWidth'),
    maxHeight: numberOf(node, 'MaxHeight'),
    minWidth: numberOf(node, 'MinWidth'),
    minHeight: numberOf(node, 'MinHeight'),
    contentTypes: words(texts('ContentTypes', 'ContentType')),
    intents: words(node.all('SupportedIntents').flatMap(each => each.all('Intent').map(({ text }) => text))),
    modes: [...new Set(texts('ColorModes', 'ColorMode'))],
    formats: [...new Set([...texts('DocumentFormats', 'DocumentFormat'), ...newer].map(each => each.toLowerCase()))],
    hasFormatExt: newer.length > 0,
    resolutions: { list: [...new Set(list)].sort((a, b) => a - b), ...(range && { range }) },
  };
}

/** Names that can be sent back. */
function words(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.filter(text => plain(text) === text && text !== ''))];
}

function rangeOf(node: XmlNode) {
  const x = node.one('XResolutionRange') ?? node.one('XResolution');
  const y = node.one('YResolutionRange') ?? node.one('YResolution') ?? x;
  if (!x || !y) return undefined;
  const min = Math.max(numberOf(x, 'Min'), numberOf(y, 'Min'));
  const max = Math.min(numberOf(x, 'Max'), numberOf(y, 'Max'));
  return max > 0 && min <= max ? { min, max, step: Math.max(1, numberOf(x, 'Step')) } : undefined;
}

/** 0 if the element is absent or not a number. */
function numberOf(node: XmlNode, name: string): number {
  const text = node.one(name)?.text ?? '';
  return /^\d{1,6}$/.test(text) ? Number(text) : 0;
}

function optional<Name extends string>(name: Name, value: string): Partial<Record<Name, string>> {
  return value === '' ? {} : ({ [name]: value } as Partial<Record<Name, string>>);
}
