/** The short form of `npm run soak`, and that a service which leaks is found. */
import { needs } from '@platen/conformance';
import t from 'tap';
import { needsOwnNetwork } from '../topology/ownNetwork.js';
import { needsSane } from '../topology/saneTopology.js';
import { judge, type Verdict } from './measures.js';
import { soakInOwnNetwork } from './ownSoak.js';
import type { SoakResult } from './soak.js';

const verdicts = ({ held }: SoakResult): Verdict[] => judge(held[0]!, held.at(-1)!);
const missed = (result: SoakResult): string[] =>
  verdicts(result)
    .filter(({ held }) => !held)
    .map(({ measure }) => measure);

if (process.platform === 'linux' && needsSane(t) && needsOwnNetwork(t) && needs(t, 'tesseract')) {
  const seed = 20_261_124;
  const quiet = (): void => undefined;

  t.test('mixed work: every answer is expected, and nothing is held', { timeout: 600_000 }, async t => {
    const result = await soakInOwnNetwork({ ms: 12_000, firstMs: 5_000, everyMs: 60_000, seed }, quiet);
    t.comment(`seed ${seed}`);
    for (const { measure, before, after } of verdicts(result)) t.comment(`${measure}: ${before}, then ${after}`);
    t.same(result.wrong, []);
    // Memory, after so short a run, is code that V8 compiled and how pages lie: `npm run soak` judges it.
    t.same(
      missed(result).filter(measure => !measure.endsWith(', MB')),
      [],
    );
  });

  t.test('a driver that leaks descriptors and memory is found', { timeout: 600_000 }, async t => {
    const wishes = { ms: 2000, firstMs: 1000, everyMs: 1000, restMs: 3000, second: 'leaking.js', isBrief: true };
    const result = await soakInOwnNetwork({ ...wishes, seed }, quiet);
    t.same(result.wrong, []);
    for (const measure of ['memory of its helpers (RSS), MB', 'descriptors of its helpers'])
      t.ok(missed(result).includes(measure), measure);
  });
}
