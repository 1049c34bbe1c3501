/** The bars against Kodak's table, and the forms that they have when they are read backwards. */
import t from 'tap';
import { patchBars, patchInches } from './patchBars.js';
import { patchCodes } from './recogniser.js';

const backwards = (bars: string): string => [...bars].reverse().join('');

t.test('patchBars: the edges of 1, 4 and 6, as in A-61599', async t => {
  const edges = (bars: string): string[] => {
    let at = 0;
    const all = [...bars].flatMap(bar => {
      const end = at + (bar === 'w' ? patchInches.wide : patchInches.narrow);
      at = end + patchInches.space;
      return [end, at];
    });
    return all.slice(0, -1).map(each => each.toFixed(2));
  };
  t.strictSame(edges(patchBars['1']), ['0.20', '0.28', '0.48', '0.56', '0.64', '0.72', '0.80']);
  t.strictSame(edges(patchBars['4']), ['0.08', '0.16', '0.36', '0.44', '0.64', '0.72', '0.80']);
  t.strictSame(edges(patchBars['6']), ['0.08', '0.16', '0.24', '0.32', '0.52', '0.60', '0.80']);
});

t.test('patchBars: six codes of two wide and two narrow bars; 1 and 6, and 3 and T, are mirror images', async t => {
  t.equal(new Set(patchCodes.map(code => patchBars[code])).size, 6);
  for (const code of patchCodes) t.equal([...patchBars[code]].sort().join(''), 'nnww', code);
  t.equal(backwards(patchBars['1']), patchBars['6']);
  t.equal(backwards(patchBars['3']), patchBars.T);
  for (const code of ['2', '4'] as const) t.equal(backwards(patchBars[code]), patchBars[code], code);
});
