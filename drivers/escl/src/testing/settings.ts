/** ScanSettings of a client, parsed and checked against the capabilities of the device. */
import { levelRanges, type Area, type Build, type EsclColorMode, type EsclFormat, type LevelName } from './options.js';

export interface ScanSettings {
  readonly source: 'Platen' | 'Feeder';
  readonly duplex: boolean;
  readonly format: EsclFormat;
  readonly resolution: number;
  readonly colorMode: EsclColorMode;
  /** What the client sent of them. */
  readonly levels: Partial<Readonly<Record<LevelName, number>>>;
  /** 1/300 inch. */
  readonly region: Area & { readonly x: number; readonly y: number };
}

/** The status and sentence of a refusal. */
export interface Refusal {
  readonly refused: 400 | 409;
  readonly why: string;
}

const conflict = (why: string): Refusal => ({ refused: 409, why });

/** By local name: clients choose their prefixes. */
function textOf(xml: string, name: string): string | undefined {
  return new RegExp(`<(?:[\\w-]+:)?${name}(?:\\s[^>]*)?>\\s*([^<]*?)\\s*</`).exec(xml)?.[1];
}

function numberOf(xml: string, name: string, absent: number): number {
  const text = textOf(xml, name);
  return text === undefined ? absent : /^\d+$/.test(text) ? Number(text) : NaN;
}

export function readSettings(xml: string, build: Build): ScanSettings | Refusal {
  if (!/<(?:[\w-]+:)?ScanSettings[\s>]/.test(xml))
    return { refused: 400, why: 'The body is not a ScanSettings document.' };
  const source = textOf(xml, 'InputSource') ?? (build.flatbed ? 'Platen' : 'Feeder');
  if (source !== 'Platen' && source !== 'Feeder') return conflict(`There is no InputSource ${source}.`);
  if (source === 'Platen' ? !build.flatbed : build.feeder === 'none') return conflict(`The device has no ${source}.`);
  const duplex = textOf(xml, 'Duplex') === 'true' && source === 'Feeder';
  if (duplex && build.feeder !== 'duplex') return conflict('The feeder scans one side.');

  const wanted = textOf(xml, 'DocumentFormatExt') ?? textOf(xml, 'DocumentFormat') ?? 'image/jpeg';
  const format = build.formats.find(each => each === wanted);
  if (!format) return conflict(`DocumentFormat is one of ${build.formats.join(', ')}, not ${wanted}.`);
  const colorMode = build.colorModes.find(each => each === (textOf(xml, 'ColorMode') ?? build.colorModes[0]));
  if (!colorMode) return conflict(`ColorMode is one of ${build.colorModes.join(', ')}.`);
  if (colorMode === 'BlackAndWhite1' && format === 'image/jpeg' && build.refusesLines)
    return conflict('A JPEG cannot be BlackAndWhite1.');
  const resolution = numberOf(xml, 'XResolution', build.resolutions[0] ?? 300);
  if (!build.resolutions.includes(resolution))
    return conflict(`XResolution is one of ${build.resolutions.join(', ')}.`);
  if (numberOf(xml, 'YResolution', resolution) !== resolution) return conflict('YResolution differs from XResolution.');

  const max = source === 'Platen' ? build.flatbedArea : build.feederArea;
  const [x, y] = [numberOf(xml, 'XOffset', 0), numberOf(xml, 'YOffset', 0)];
  const [width, height] = [numberOf(xml, 'Width', max.width), numberOf(xml, 'Height', max.height)];
  const fits = width > 0 && height > 0 && x + width <= max.width && y + height <= max.height;
  if (!fits) return conflict(`The region ${width} x ${height} at ${x}, ${y} is not in ${max.width} x ${max.height}.`);
  const levels = levelsIn(xml, build);
  if ('refused' in levels) return levels;
  const intent = textOf(xml, 'Intent');
  if (intent !== undefined && !['Document', 'Photo'].includes(intent)) return conflict(`There is no Intent ${intent}.`);
  return { levels, source, duplex, format, resolution, colorMode, region: { x, y, width, height } };
}

function levelsIn(xml: string, build: Build): ScanSettings['levels'] | Refusal {
  const found: Partial<Record<LevelName, number>> = {};
  for (const name of Object.keys(levelRanges) as LevelName[]) {
    const value = numberOf(xml, name, NaN);
    if (textOf(xml, name) === undefined) continue;
    const [min, max, , step] = levelRanges[name];
    const isTaken = build.levels && value >= min && value <= max && (value - min) % step === 0;
    if (!isTaken) return conflict(`${name} cannot be ${textOf(xml, name)}.`);
    found[name] = value;
  }
  return found;
}
