/** Several pages of each kind by its name. */
import t from 'tap';
import { measured } from './measure.test.kit.js';
import { blankKinds, contentKinds, pageSet } from './testing/pageSet.js';

/** The set is measured whole by the benchmark. */
const pages = pageSet('tuned', 0.09);

for (const isBlank of [true, false]) {
  for (const kind of Object.keys(isBlank ? blankKinds : contentKinds)) {
    t.test(`${kind}: ${isBlank ? 'blank' : 'not blank'}`, async t => {
      const own = pages.filter(page => page.kind === kind);
      t.ok(own.length > 0);
      let blank = 0;
      for await (const { page, found } of measured(own)) {
        if (isBlank) blank += found.isBlank ? 1 : 0;
        else t.notOk(found.isBlank, `seed ${page.seed}: ${found.why}`);
        t.equal(found.ink > 0, !found.isBlank);
        t.not(found.why, '');
      }
      // In doubt a page has content: some may be taken for that. The benchmark counts them.
      if (isBlank) t.ok(blank >= own.length / 2, `${blank} of ${own.length}`);
    });
  }
}

t.test('a pale watermark across ruled paper: not blank', async t => {
  const seeds = [510_071, 910_011, 910_143];
  const drawn = [...pageSet('held'), ...pageSet('third')].filter(({ seed }) => seeds.includes(seed));
  t.equal(drawn.length, seeds.length);
  for await (const { page, found } of measured(drawn)) t.notOk(found.isBlank, `seed ${page.seed}: ${found.why}`);
});
