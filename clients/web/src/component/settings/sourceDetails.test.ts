import t from 'tap';
import { feeder, flatbed } from './settings.test.kit.js';
import { changesFor, detailsOf, hasBoth, shownOptions, sourceOf } from './sourceDetails.js';

const sources = { feeder, flatbed };

t.test('source details of Auto: what both sources can do, and how many sheets are fed', async t => {
  const can = detailsOf(sources, 'Auto');
  t.same(can.controls, { area: 'scanner', brightness: 'software', sheets: 'scanner' });
  t.same(can.area, { width: 210, height: 297, minWidth: 10, minHeight: 0 });
  t.same(
    can.driverOptions.map(({ name }) => name),
    ['backing'],
  );
  t.equal(detailsOf(sources, 'Feeder'), feeder);
  t.equal(detailsOf(sources, 'Flatbed'), flatbed);
});

t.test('source details: a scanner with one source has that one, whatever is wished', async t => {
  t.equal(hasBoth({ flatbed }), false);
  t.equal(sourceOf({ flatbed }, { source: 'Feeder' }), 'Flatbed');
  t.equal(sourceOf({ feeder }, {}), 'Feeder');
  t.equal(sourceOf(sources, {}), 'Auto');
  t.equal(detailsOf({ flatbed }, 'Auto'), flatbed);
  t.same(detailsOf({}, 'Auto'), { controls: {}, driverOptions: [] });
});

t.test('source details: options that have a control anyway are not shown', async t => {
  t.same(
    shownOptions(feeder).map(({ name }) => name),
    ['backing', 'lamp'],
  );
});

t.test('changes: only what the source does, and what differs from the defaults', async t => {
  const wishes = {
    source: 'Flatbed',
    sheets: 3,
    brightness: 20,
    contrast: 30,
    threshold: 40,
    driverOptions: { backing: 'white', lamp: 2 },
  } as const;
  t.same(changesFor(sources, wishes, {}, true), { source: 'Flatbed', brightness: 20 });
  t.same(changesFor(sources, { ...wishes, source: 'Feeder' }, {}, true), {
    source: 'Feeder',
    sheets: 3,
    brightness: 20,
    contrast: 30,
    threshold: 40,
    driverOptions: { lamp: 2 },
  });
  t.notOk('threshold' in changesFor(sources, { ...wishes, source: 'Feeder' }, {}, false), 'black and white only');
  t.same(changesFor(sources, { source: 'Auto', brightness: 0 }, {}, false), {});
});

t.test('changes: against the values of a profile', async t => {
  const base = { source: 'Feeder', brightness: 20, driverOptions: { backing: 'black' } } as const;
  t.same(changesFor(sources, base, base, false), {});
  t.same(changesFor(sources, { ...base, brightness: 0, driverOptions: { backing: 'white' } }, base, false), {
    brightness: 0,
    driverOptions: { backing: 'white' },
  });
});
