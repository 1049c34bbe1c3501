/** The shortest form of `npm run soak`: what leaks is found. Mixed work: soak.long.test.ts. */
import t from 'tap';
import { needsOwnNetwork } from '../topology/ownNetwork.js';
import { needsSane } from '../topology/saneTopology.js';
import { missed } from './measures.js';
import { soakInOwnNetwork } from './ownSoak.js';

if (process.platform === 'linux' && needsSane(t) && needsOwnNetwork(t))
  t.test('a driver that leaks descriptors and memory is found, and every answer is expected', async t => {
    const short = { ms: 2, firstMs: 1, everyMs: 1, restMs: 0, only: ['fetchedScan'], seed: 20_261_124 };
    const { held, jobs, pages, wrong } = await soakInOwnNetwork({ ...short, second: 'leaking.js' }, () => undefined);
    t.same(wrong, []);
    t.equal(jobs['fetchedScan'], 2);
    t.ok(pages > 2, `${pages} pages`);
    const found = missed(held[0]!, held.at(-1)!);
    for (const measure of ['memory of its helpers (RSS), MB', 'descriptors of its helpers'])
      t.ok(found.includes(measure), measure);
  });
