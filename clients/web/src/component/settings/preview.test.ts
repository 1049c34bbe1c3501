import t from 'tap';
import type { Area, ScannedPage } from '../../client/shapes.js';
import { dragFrom, stepOf } from './area/area.js';
import { createPreview, previewParameters } from './preview.js';
import { both, feeder, flatbed, testContext } from './settings.test.kit.js';

const limits = { width: 210, height: 297 };
const area: Area = { x: 10, y: 20, width: 100, height: 50 };
const page: ScannedPage = {
  blob: new Blob(['x']),
  mimeType: 'image/jpeg',
  pageNumber: 1,
  width: 508,
  height: 1016,
  resolution: 50.8,
  format: 'Jpeg',
  fileSizeBytes: 1,
  ocrText: '',
  barcodes: [],
};

function fixture() {
  const context = testContext();
  const used: (Area | undefined)[] = [];
  const preview = createPreview({
    context,
    onAgain: () => void context.done.push('again'),
    onUse: each => void used.push(each),
  });
  return { context, used, preview };
}

t.test('preview: the picture’s size in mm, an area, and its use', async t => {
  const { context, used, preview } = fixture();
  t.notOk(preview.isOpen);
  preview.open(page, limits, area);
  t.match(preview.shown, { area, limits, glass: { width: 254, height: 508 } });
  const next = { ...area, x: 30 };
  preview.setArea(next);
  t.same(used, [], 'not before it is used');
  preview.use();
  t.same(used, [next]);
  t.notOk(preview.isOpen);
  t.ok(context.done.includes('says: The area is set'));
  preview.open(page, limits, undefined);
  preview.use();
  t.same(used, [next, undefined]);
  t.ok(context.done.includes('says: The whole page is scanned'));
});

t.test('preview: closed, nothing is used, and the picture’s memory is released', async t => {
  const { context, used, preview } = fixture();
  preview.open(page, limits, area);
  const url = preview.shown?.url ?? '';
  t.equal(await (await fetch(url)).text(), 'x');
  preview.close();
  preview.setArea(area);
  preview.use();
  t.same(used, []);
  t.notOk(preview.isOpen);
  await t.rejects(fetch(url));
  preview.open(page, limits, area);
  preview.again();
  t.notOk(preview.isOpen);
  t.equal(context.done.at(-1), 'again');
});

t.test('preview request: the whole flatbed, as fast as the scanner can', async t => {
  t.same(previewParameters({ ...both, resolutions: [25, 75, 300] }), {
    source: 'Flatbed',
    area: { x: 0, y: 0, width: 210, height: 297 },
    resolution: 75,
    colorMode: 'Color',
    imageFormat: 'Jpeg',
    jpegQuality: 75,
  });
  const driverOptions = [
    { name: 'preview', type: 'boolean' },
    { name: 'Intent', type: 'string', values: ['Document', 'Preview'] },
  ] as const;
  const details = {
    ...both.details,
    sources: { feeder, flatbed: { ...flatbed, driverOptions } },
    formats: [],
    documents: [],
    recognisers: [],
    processors: [],
  };
  t.match(previewParameters({ ...both, colorModes: ['Grayscale'], details }), {
    colorMode: 'Grayscale',
    imageFormat: 'Png',
    driverOptions: { preview: true, Intent: 'Preview' },
  });
});

t.test('drawing: a new area, a moved one, a resized one, and a click', async t => {
  const from = { x: 50, y: 40 };
  t.same(dragFrom(from, 'paper', area, limits)({ x: 20, y: 100 }), { x: 20, y: 40, width: 30, height: 60 });
  t.equal(dragFrom(from, 'paper', area, limits)({ x: 51, y: 41 }), area, 'a click draws nothing');
  t.same(dragFrom(from, 'area', area, limits)({ x: 500, y: 41 }), { ...area, x: 110, y: 21 }, 'up to the edge');
  t.same(dragFrom(from, 'area', undefined, limits)({ x: 60, y: 60 }), { x: 50, y: 40, width: 10, height: 20 });
  t.same(dragFrom({ x: 110, y: 70 }, 'se', area, limits)({ x: 0, y: 0 }), { ...area, width: 1, height: 1 });
  t.same(dragFrom({ x: 0, y: 0 }, 'nw', undefined, limits)({ x: 10, y: 7 }), { x: 10, y: 7, width: 200, height: 290 });
});

t.test('drawing: arrow keys', async t => {
  const keys = { shiftKey: false, ctrlKey: false, altKey: false, metaKey: false };
  t.same(stepOf({ ...keys, key: 'ArrowRight' }, area, limits), { area: { ...area, x: 15 } });
  t.same(stepOf({ ...keys, key: 'ArrowUp', ctrlKey: true }, area, limits), { area: { ...area, y: 19.5 } });
  t.same(stepOf({ ...keys, key: 'ArrowDown', shiftKey: true }, area, limits), { area: { ...area, height: 55 } });
  t.same(stepOf({ ...keys, key: 'ArrowLeft', shiftKey: true }, undefined, limits), {
    area: { x: 0, y: 0, width: 205, height: 297 },
  });
  t.same(stepOf({ ...keys, key: 'ArrowLeft' }, undefined, limits), { area: undefined }, 'the whole page stays');
  t.equal(stepOf({ ...keys, key: 'Enter' }, area, limits), undefined);
  t.equal(stepOf({ ...keys, key: 'ArrowLeft', altKey: true }, area, limits), undefined, 'the browser’s');
});
