/**
 * The processor suite passes over the fakes, and each of its cases fails over the processor that breaks its promise.
 */
import t from 'tap';
import { failingCases } from './broken/failingCases.js';
import { brokenNamedProcessors, brokenProcessors, namedFake } from './broken/processors.js';
import { fakeProcessor } from './fakeProcessor.js';
import { processorCases } from './processorCases.js';
import { processorContract } from './processorContract.js';
import { colourAt } from './pixelValues.js';
import { testPage } from './testPages.js';

for (const adjustment of ['color', 'turn'] as const) {
  void t.test(`processorContract: the fake for ${adjustment}, passes`, t =>
    processorContract(t, { make: async () => ({ processor: fakeProcessor(adjustment) }), features: { adjustment } }),
  );
}

const named = (processor = namedFake()) => ({ processor, options: { by: 180 } });

void t.test('processorContract: the fake with a name, passes', t =>
  processorContract(t, { make: async () => named(), features: { name: 'turn-over' } }),
);

for (const [id, all] of Object.entries(brokenNamedProcessors)) {
  void t.test(`${id}: a processor with a name that breaks it, fails`, async t => {
    for (const processor of all) {
      const failed = await failingCases(processorCases, () => named(processor), { name: 'turn-over' });
      t.ok(id in failed, JSON.stringify(failed));
      if (id !== 'untouched-page-returned') t.strictSame(Object.keys(failed), [id], JSON.stringify(failed));
    }
  });
}

for (const { id } of processorCases.filter(each => each.id !== 'options-checked')) {
  void t.test(`${id}: a processor that breaks it, fails`, async t => {
    const make = brokenProcessors[id];
    if (!make) return t.fail(`no broken processor for ${id}`);
    const failed = await failingCases(processorCases, make, { adjustment: 'color' });
    t.strictSame(Object.keys(failed), [id], JSON.stringify(failed));
  });
}

void t.test('fakeProcessor: turn, turns by 180°', async t => {
  for (const pixels of ['rgb24', 'gray8', 'bw1'] as const) {
    const page = testPage({ width: 13, height: 9, pixels, padding: 3 });
    const call = { signal: new AbortController().signal };
    const { page: turned } = await fakeProcessor('turn').apply(page, { colorMode: 'Color' }, call);
    t.strictSame(colourAt(turned, 2, 1), colourAt(page, 10, 7), pixels);
  }
});
