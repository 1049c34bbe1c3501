/** Colour modes, in the spellings of SANE's backends, and the depth for each. */
import { colorModes } from '@platen/core/driver';
import type { ColorMode } from '@platen/core/plugin';
import { settable, stringsOf, type OptionSet } from './optionSet.js';
import type { Descriptors } from '../handle.js';

export interface Mode {
  /** The value of `mode`; absent if the backend has no such option. */
  readonly mode?: string;
  /** The value of `depth`, if it must be set. */
  readonly depth?: number;
}

/** The page's format with the current options, for a backend without `mode`. */
export interface Look {
  readonly format: string;
  readonly depth: number;
}

/** Infrared and similar light, or a single colour channel. */
const ignored = /negative|slide|infrared|\bir\b|rgbi|grayi|film/i;
/** Brother's `Gray[Error Diffusion]` has 1 bit per pixel. */
const dots = /halftone|dither|diffus/i;
const lines =
  /line ?-?art|binary|black ?(?:&|and|\/) ?white|mono(?:chrome)?|\bb ?[&/] ?w\b|\bbw\b|bi-?level|^text$|threshold/i;
const grey = /gr[ae]y/i;
const colour = /colou?r|rgb/i;
/** More bits per sample than Platen keeps, or fewer colours. */
const odd = /\b(?:4|12|16|48) ?-?bit|fast|index|256|auto/i;

/** The preferred way to set each colour mode. */
export function modesOf(descriptors: Descriptors, look: Look | undefined): Partial<Readonly<Record<ColorMode, Mode>>> {
  const words = stringsOf(settable(descriptors, 'mode')).filter(word => !ignored.test(word));
  const named = byName(words);
  const found: Partial<Record<ColorMode, Mode>> = Object.keys(named).length > 0 ? named : byLook(look);
  if (!found.BlackAndWhite && found.Grayscale && depthsOf(descriptors).includes(1)) {
    found.BlackAndWhite = { ...found.Grayscale, depth: 1 };
  }
  return Object.fromEntries(colorModes.filter(mode => found[mode]).map(mode => [mode, found[mode]]));
}

function byName(words: readonly string[]): Partial<Record<ColorMode, Mode>> {
  const isLines = (word: string) => lines.test(word) && !dots.test(word);
  const isGrey = (word: string) => grey.test(word) && !isLines(word) && !dots.test(word);
  const isColour = (word: string) => colour.test(word) && !isLines(word) && !dots.test(word) && !isGrey(word);
  const pick = (is: (word: string) => boolean) => words.find(word => is(word) && !odd.test(word)) ?? words.find(is);
  const all: Record<ColorMode, string | undefined> = {
    Color: pick(isColour),
    Grayscale: pick(isGrey),
    BlackAndWhite: pick(isLines) ?? pick(word => dots.test(word)),
  };
  return Object.fromEntries(
    Object.entries(all).flatMap(([mode, word]) => (word === undefined ? [] : [[mode, { mode: word }]])),
  );
}

function byLook(look: Look | undefined): Partial<Record<ColorMode, Mode>> {
  if (look?.format !== 'gray') return { Color: {} };
  return look.depth === 1 ? { BlackAndWhite: {} } : { Grayscale: {} };
}

function depthsOf(descriptors: Descriptors): readonly number[] {
  const constraint = settable(descriptors, 'depth')?.constraint;
  if (!constraint || 'strings' in constraint) return [];
  if ('words' in constraint) return constraint.words;
  return [1, 8, 16].filter(depth => depth >= constraint.min && depth <= constraint.max);
}

/** The depth for a mode, from the descriptors after setting the mode: 8 if possible, never 1-bit colour. */
export function depthFor(descriptors: Descriptors, wanted: ColorMode, mode: Mode): number | undefined {
  const depths = depthsOf(descriptors);
  if (mode.depth !== undefined) return depths.includes(mode.depth) ? mode.depth : undefined;
  if (wanted === 'BlackAndWhite') return depths.includes(1) ? 1 : undefined;
  return [8, 16].find(depth => depths.includes(depth));
}

/** Sets a mode and the depth for it. */
export async function setMode(options: OptionSet, wanted: ColorMode, mode: Mode): Promise<void> {
  if (mode.mode !== undefined) await options.set({ name: 'mode', value: mode.mode });
  const depth = depthFor(options.descriptors, wanted, mode);
  if (depth !== undefined) await options.set({ name: 'depth', value: depth });
}
