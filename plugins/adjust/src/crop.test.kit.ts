/** Printed sheets on backgrounds, which the usual and the long tests of cropping share. */
import type { Pixels, RawPage } from '@platen/core/plugin';
import type { Test } from 'tap';
import { onBackground, outcome, sample } from './samples.test.kit.js';

export const around = { left: 143, top: 61, right: 210, bottom: 302 };
export const nothing = { left: 0, top: 0, right: 0, bottom: 0 };

/** Where the sheet lies: in the middle, in a corner, at the upper end. */
export const places = [around, { ...around, left: 0, top: 0 }, { ...nothing, bottom: 500 }];

/** Levels of the paper and of the background. */
export const papers = [
  [250, 0],
  [250, 40],
  [235, 120],
  [200, 20],
  [230, 255],
  [255, 225],
  [90, 250],
] as const;

/** A sheet of tinted paper with print on it, 100 dpi. */
export async function printed(paper: number, pixels: Pixels = 'gray8', grain = 3): Promise<RawPage> {
  const page = await sample('letter', { dpi: 100, pixels, grain: 0 });
  const data = page.data.map(value => Math.round((value * paper) / 255));
  if (grain)
    for (let i = 0; i < data.length; i++)
      data[i] = Math.max(0, Math.min(255, data[i]! + ((i * 7919) % (2 * grain + 1)) - grain));
  return { ...page, data };
}

/** At most 4 pixels larger than the sheet. */
export function cropsTo(
  t: Test,
  sheet: RawPage,
  sides: typeof around,
  [paper, colour]: readonly [number, number],
): void {
  const result = outcome('crop', onBackground(sheet, { ...sides, colour }));
  const what = `${sheet.pixels} paper ${paper} on ${colour}, ${JSON.stringify(sides)}`;
  if ('why' in result) return void t.fail(`${what}: ${result.why}`);
  const [wider, higher] = [result.page.width - sheet.width, result.page.height - sheet.height];
  t.ok(
    wider >= 0 && wider <= 4 && higher >= 0 && higher <= 4,
    `${what}: ${wider} and ${higher} pixels more than the sheet`,
  );
}
