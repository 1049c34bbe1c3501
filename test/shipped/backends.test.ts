/** A network scanner that SANE lists twice, by Debian's `escl` backend and sane-airscan, is one scanner. */
import t from 'tap';
import { needsAirscan } from '../escl/airscan.js';
import { needsAvahi } from '../topology/avahi.js';
import { inOwnNetwork, needsOwnNetwork } from '../topology/ownNetwork.js';
import { needsSane } from '../topology/saneTopology.js';
import { NETWORK } from './startShipped.js';
import type { BackendsVisit } from './visitBackends.js';

if (needsSane(t) && needsAirscan(t) && needsAvahi(t) && needsOwnNetwork(t)) {
  t.test('escl, sane-airscan and our driver list the same scanner: one entry, which scans', async t => {
    const { sane, listed, ...scanned } = await inOwnNetwork<BackendsVisit>(
      new URL('./visitBackends.js', import.meta.url),
    );
    t.same([...sane].sort(), ['airscan', 'escl:http'], 'SANE has it twice');
    t.equal(listed.length, 1, listed.join('\n'));
    t.match(listed[0], new RegExp(`^${NETWORK}\t.*\tonline$`));
    t.same(scanned, { status: 200, pages: 3 });
  });
}
