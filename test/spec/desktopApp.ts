/** The desktop application, over topologies that have one. */
import { nullLog } from '@platen/core/plugin';
import { listenChannel } from '@platen/driver-remote';
import type { DesktopApp, Fixture } from '../topology/topology.js';
import { until } from './calls.js';
import { isAway, isThere, untilConnected } from './desktopCalls.js';
import { spec, start } from './specTest.js';

export const desktopApp = [
  spec(
    'What the service does, 3: while the desktop application is away scanner operations are 503; when it returns they work, without a restart',
    ['what.3.middleware', 'what.3.connects', 'what.3.away', 'errors.503'],
    async (t, fixture) => {
      const desktop = desktopOf(fixture);
      await isThere(t, fixture);
      await desktop.kill();
      await untilConnected(fixture, false);
      await isAway(t, fixture);
      await desktop.start();
      await untilConnected(fixture);
      await isThere(t, fixture);
    },
    ['duplex'],
  ),

  spec(
    'What the service does, 3: the service may start first, and so may the desktop application',
    [
      'what.3.order',
      'what.3.connects',
      'states.health.degraded',
      'endpoints.scanners.503',
      'endpoints.scan.503',
      'resources.version.desktop',
      'versioning.1.desktop',
    ],
    async (t, _fixture, topology) => {
      const first = await start(t, topology, { desktopAway: true });
      await isAway(t, first);
      await desktopOf(first).start();
      await untilConnected(first);
      await isThere(t, first);

      first.signal('SIGTERM');
      t.equal((await first.ended).code, 0);
      const second = await topology.start({ dataDir: first.dataDir, desktopAway: true });
      await untilConnected(second);
      await isThere(t, second);
      t.equal((await second.stop()).code, 0);
    },
    ['duplex'],
  ),

  spec(
    'Limits: the service dials the desktop application 2 seconds after its start, then every 5',
    ['limits.detection', 'what.3.dialling'],
    async (t, _fixture, topology) => {
      const looks: number[] = [];
      // Proves the secret, then disconnects at once.
      const listen = (dataDir: string) =>
        listenChannel({
          name: 'platen',
          dataDir,
          log: nullLog,
          onStream: stream => void (looks.push(performance.now()), stream.destroy()),
        });
      let listener: Awaited<ReturnType<typeof listen>> | undefined;
      const before = performance.now();
      const fixture = await start(t, topology, {
        desktopAway: true,
        async prepare(dataDir) {
          listener = await listen(dataDir);
          t.teardown(() => listener?.close());
        },
      });
      await until(async () => looks.length >= 3);
      const [one = 0, , three = 0] = looks;
      t.ok(one - before >= 2000, `first after ${Math.round(one - before)} ms, the start of the process included`);
      // Timers may be late on a busy machine, but never early; drivers/desktop/src/driver.test.ts has the exact times.
      const pause = (three - one) / 2;
      t.ok(pause > 4500, `then every ${Math.round(pause)} ms`);
      await listener?.close();
      await desktopOf(fixture).start();
      await untilConnected(fixture);
    },
  ),
];

function desktopOf({ desktop }: Fixture): DesktopApp {
  if (!desktop) throw new Error('These tests are for topologies with a desktop application.');
  return desktop;
}
