/** A source that crashes or hangs when the manager asks its name, with real helpers and managers of both versions. */
import t from 'tap';
import { body, never, open, scanned } from './rig.test.kit.js';
import type { Bits } from './settings.js';
import { needsWine, sourceName, startWine, type Wine } from './wine.test.kit.js';

type Tap = Pick<typeof t, 'match' | 'strictSame' | 'equal'>;

async function culprit(t: Tap, wine: Wine, bits: Bits, breaks: string): Promise<void> {
  const it = await body(
    { sheets: 1, culprit: 'gphoto2', breaks },
    {
      helpers: wine.helpers,
      path: wine.path,
      deviceId: sourceName(bits),
      options: { bits: [bits] },
      deadlines: { manager: 10_000 },
    },
  );
  try {
    const ids: string[] = [];
    for await (const { id, duplex } of it.driver.devices({ signal: never() })) ids.push(`${id} ${duplex}`);
    t.strictSame(ids, [`${sourceName(bits)} true`], `${bits} bits, ${breaks}: the other is in the same listing`);
    t.equal(it.said.length, 1);
    t.match(it.said[0], new RegExp(`windows\\\\twain_${bits}\\\\gphoto2\\.ds`, 'i'), 'the culprit is named');
    const session = await open(it);
    t.match(
      await scanned(session, { resolution: 75 }),
      { pages: { length: 1 }, message: '' },
      'the other source scans',
    );
    await session.close();
    t.equal(it.said.length, 1);
  } finally {
    await it.dispose();
  }
}

if (needsWine(t)) {
  const wine = await startWine();
  t.teardown(() => wine.dispose());
  for (const version of [1, 2]) {
    await t.test(
      `manager of version ${version}: a source crashes, exits or hangs, logged; the other is listed and scans`,
      async t => {
        if (version === 1) await wine.addSource('gphoto2');
        else await wine.installManager2();
        for (const breaks of ['crash', 'exit', 'hang'])
          await Promise.all(([64, 32] as const).map(bits => culprit(t, wine, bits, breaks)));
      },
    );
  }
}
