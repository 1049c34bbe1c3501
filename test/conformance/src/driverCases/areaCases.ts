/** Promise 10: the size and the place of an area. */
import assert from 'node:assert/strict';
import { type Area, type AreaLimits, pixelsAt, type Source } from '@platen/core/plugin';
import type { Mark } from '../driverRig.js';
import { lightness } from '../pixelValues.js';
import { assertFacts } from './facts.js';
import { decoded, onePage } from './onePage.js';
import { needsControl, onSession, type DriverCase, type Trial } from './trial.js';

export const areaCases: readonly DriverCase[] = [
  {
    id: '10-area-has-its-size',
    title: 'a page has the size of the area that was asked for, to one pixel per 300 dpi',
    skip: needsControl('area'),
    run: onSession(async trial => {
      for (const [source, its] of Object.entries(trial.capabilities)) {
        if (!its.controls?.includes('area')) continue;
        assert.ok(its.area, `the ${source} names the control area, so its capabilities need the area's limits`);
        const dpi = [trial.order({ source: source as Source }).resolution, its.resolutions.find(each => each >= 300)];
        for (const resolution of new Set(dpi.filter(each => each !== undefined)))
          for (const area of areasWithin(its.area)) await assertArea(trial, source as Source, area, resolution);
      }
    }),
  },
  {
    id: '10-area-is-in-its-place',
    title: 'an area shows what lies there, to one pixel per 300 dpi',
    skip: needsControl('area'),
    untried: ({ marks }) => (marks?.length ? undefined : 'the features do not say what lies where (marks)'),
    hint: 'x and y count from the top left corner of the page as it comes out.',
    run: onSession(async trial => {
      for (const mark of trial.features.marks ?? []) await assertPlace(trial, mark);
    }),
  },
];

/** Of a size that fits on A6, so that real sheets hold them; with fractions of pixels. */
function areasWithin({ width, height, minWidth = 10, minHeight = 10 }: AreaLimits): Area[] {
  const wide = Math.max(minWidth, Math.min(width, 105) * 0.37);
  const high = Math.max(minHeight, Math.min(height, 148) * 0.29);
  return [
    { x: 0, y: 0, width: wide, height: high },
    { x: Math.min(12.3, width - wide), y: Math.min(23.4, height - high), width: wide, height: high },
    { x: Math.min(5, width - minWidth), y: Math.min(5, height - minHeight), width: minWidth, height: minHeight },
  ];
}

function tolerance(dpi: number): number {
  return Math.max(1, Math.ceil(dpi / 300));
}

async function assertArea(trial: Trial, source: Source, area: Area, resolution: number) {
  const page = await onePage(trial, source, { area, resolution });
  const what = `the page of the ${source} with the area ${JSON.stringify(area)} at ${resolution} dpi`;
  await assertFacts(page);
  assert.ok(page.adjusted?.includes('area'), `${what} should say so: adjusted should name area`);
  for (const side of ['width', 'height'] as const) {
    const wanted = pixelsAt(page.dpi, area[side]);
    const apart = Math.abs(page[side] - wanted);
    assert.ok(apart <= tolerance(page.dpi), `${what} has a ${side} of ${page[side]} pixels, not of ${wanted}`);
  }
  return page;
}

/** Asks for an area with the mark's corner in its middle, and looks at both sides of both edges. */
async function assertPlace(trial: Trial, { source, area: mark, lightness: expected }: Mark): Promise<void> {
  const area = { ...mark, x: mark.x - mark.width / 2, y: mark.y - mark.height / 2 };
  const { resolution } = trial.order({ source });
  const page = await assertArea(trial, source, area, resolution);
  const image = await decoded(trial.rig, page);
  assert.ok(image, 'the pages are encoded, so the rig needs decode() for features.marks');
  const off = tolerance(page.dpi);
  const [x, y] = [pixelsAt(page.dpi, mark.width / 2), pixelsAt(page.dpi, mark.height / 2)];
  const [right, bottom] = [image.width - off, image.height - off];
  const inside = { left: x + off, top: y + off, right, bottom };
  const strips = {
    'right of its left edge': { ...inside, right: x + off + 2, is: true },
    'left of its left edge': { ...inside, left: x - off - 2, right: x - off, is: false },
    'below its top edge': { ...inside, bottom: y + off + 2, is: true },
    'above its top edge': { ...inside, top: y - off - 2, bottom: y - off, is: false },
  };
  for (const [where, { is, ...box }] of Object.entries(strips)) {
    const seen = Math.round(lightness(image, box));
    assert.ok(
      Math.abs(seen - expected) <= 48 === is,
      `the mark on the ${source} at ${mark.x}, ${mark.y} mm is not in its place: ${where} the lightness is ${seen}, and the mark has ${expected}`,
    );
  }
}
