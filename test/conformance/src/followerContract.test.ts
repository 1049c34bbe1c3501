/** The suite for plugins that follow scans passes over a meter, and each case fails over one that breaks its promise. */
import t from 'tap';
import { brokenFollowers, meter } from './broken/followers.js';
import { failingCases } from './broken/failingCases.js';
import { followerCases, type FollowerRig } from './followerCases.js';
import { followerContract } from './followerContract.js';

void t.test('followerContract: a sound meter, passes', t =>
  followerContract(t, { make: async () => meter(), features: { counts: true } }),
);

void t.test('followerContract: a plugin that counts nothing, passes', t =>
  followerContract(t, {
    make: async () => ({ setUp: () => ({ follow: () => undefined }) }),
    features: { counts: false },
  }),
);

void t.test('followerContract: a plugin that does not follow, fails', async t => {
  const make = (): FollowerRig => ({ setUp: () => ({}) });
  const failed = await failingCases(followerCases, make, { counts: false });
  t.match(failed['events-taken'], { message: /no follow/ });
});

// Of what is fast in memory: a meter that hangs holds up the other cases, too.
const features = { counts: true, timeoutMs: 500 };

for (const { id } of followerCases) {
  void t.test(`${id}: a plugin that breaks it, fails`, async t => {
    const all = brokenFollowers[id];
    if (!all) return t.fail(`no broken follower for ${id}`);
    for (const make of all) {
      const failed = await failingCases(followerCases, make, features);
      t.strictSame(Object.keys(failed), [id], JSON.stringify(failed));
    }
  });
}

void t.test('followerContract: what the service says of a plugin is in the failure', async t => {
  const [throws] = brokenFollowers['events-taken'] ?? [];
  const failed = await failingCases(followerCases, throws!, features);
  t.match(failed['events-taken'], { message: /scan-ended.*no word for paper-jam/s });
});
