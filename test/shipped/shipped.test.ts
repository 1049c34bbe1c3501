/** server/config/platen.json itself, with scanners of SANE and of the network, as a new user meets it. */
import t from 'tap';
import { needsAirscan } from '../escl/airscan.js';
import { SHEETS, TESTER } from '../sane/testBackend.js';
import { inOwnNetwork, needsOwnNetwork } from '../topology/ownNetwork.js';
import { needsSane } from '../topology/saneTopology.js';
import { NETWORK } from './startShipped.js';
import type { Visit } from './visit.js';

if (needsSane(t) && needsAirscan(t) && needsOwnNetwork(t)) {
  t.test('the shipped configuration: list, capabilities, scan, scan again, restart, auto-scan', async t => {
    const seen = await inOwnNetwork<Visit>(new URL('./visit.js', import.meta.url));
    t.same(seen.listed.map(({ name }) => name).sort(), [NETWORK, TESTER].sort(), 'each scanner once');
    t.equal(seen.isOnline, true);
    t.ok(seen.resolutions.includes(75));
    const pages = (count: number) => ({ status: 200, result: 'Success', pages: count });
    t.same(seen.scans, {
      sane: pages(SHEETS),
      saneAgain: pages(SHEETS),
      network: pages(2),
      networkAgain: pages(1),
      afterRestart: pages(1),
    });
    t.same(
      seen.remembered.map(({ name }) => name).sort(),
      [NETWORK, TESTER].sort(),
      'what was known is listed at once after a restart',
    );
    t.same(
      seen.autoscan,
      [[1], [2], [3]],
      'each page once, also over a reader that leaves and a service that is killed',
    );
    t.comment(JSON.stringify(seen.took));
    t.same(
      seen.warnings.filter(line => !/Any web page may use|no-paper/.test(line)),
      [],
    );
    t.match(seen.unknown, { status: 404, error: new RegExp(`"${TESTER}"`) });
  });
}
