/** The short form of `npm run soak`: mixed work, after which the service holds no more than before. */
import { needs } from '@platen/conformance';
import t from 'tap';
import { needsOwnNetwork } from '../topology/ownNetwork.js';
import { needsSane } from '../topology/saneTopology.js';
import { judge, missed } from './measures.js';
import { soakInOwnNetwork } from './ownSoak.js';

if (process.platform === 'linux' && needsSane(t) && needsOwnNetwork(t) && needs(t, 'tesseract'))
  t.test('mixed work: every answer is expected, and nothing is held', { timeout: 600_000 }, async t => {
    const seed = 20_261_124;
    const short = { ms: 12_000, firstMs: 5_000, everyMs: 60_000, seed };
    const { held, wrong } = await soakInOwnNetwork(short, () => undefined);
    const [first, last] = [held[0]!, held.at(-1)!];
    t.comment(`seed ${seed}`);
    for (const { measure, before, after } of judge(first, last)) t.comment(`${measure}: ${before}, then ${after}`);
    t.same(wrong, []);
    // Memory, after so short a run, is code that V8 compiled and how pages lie: `npm run soak` judges it.
    t.same(
      missed(first, last).filter(measure => !measure.endsWith(', MB')),
      [],
    );
  });
