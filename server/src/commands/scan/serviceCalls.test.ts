/** How long calls to the service are repeated; the calls themselves are tested in test/scan. */
import { fakeClock } from '@platen/conformance';
import t from 'tap';
import { NoReply } from '../../machine/ask.js';
import type { ServiceAddress } from '../../machine/dataFolder/lockHolder.js';
import { createServiceCalls } from './serviceCalls.js';

const SECOND = 1000;

/** Calls to a service that is at these addresses, by the second; the last one stays. */
function calling(...found: readonly (ServiceAddress | undefined)[]) {
  const clock = fakeClock();
  const address = { host: 'localhost', port: 1 };
  const locate = async () => found[Math.min(Math.floor(clock.monotonic() / SECOND), found.length - 1)];
  return { clock, calls: createServiceCalls({ clock, certificate: '', address, locate }) };
}

/** Advances a fake clock until a promise settles. */
async function played<T>({ advance }: { advance(ms: number): Promise<void> }, pending: Promise<T>): Promise<T> {
  let over = false;
  pending.finally(() => (over = true)).catch(() => undefined);
  while (!over) await advance(100);
  return pending;
}

const refused = new NoReply('refused', 'ECONNREFUSED');
const at = (port: number): ServiceAddress => ({ host: 'localhost', port });

t.test('patiently: the service is gone, gives up after some seconds', async t => {
  const { clock, calls } = calling(undefined);
  await t.rejects(
    played(
      clock,
      calls.patiently(() => Promise.reject(refused)),
    ),
    refused,
  );
  t.ok(clock.monotonic() >= 10 * SECOND && clock.monotonic() < 11 * SECOND);
});

t.test('patiently: the service starts again, waits until it listens, on another port', async t => {
  const starting = Array.from({ length: 20 }, () => at(0));
  const { clock, calls } = calling(undefined, ...starting, at(2));
  const work = async (): Promise<number> => {
    if (calls.address.port === 1) throw refused;
    return calls.address.port;
  };
  t.equal(await played(clock, calls.patiently(work)), 2);
  t.ok(clock.monotonic() >= 21 * SECOND);
});

t.test('patiently: the seconds count from the last progress', async t => {
  const { clock, calls } = calling(undefined);
  let tries = 0;
  const work = async (onProgress: () => void): Promise<void> => {
    if (++tries < 150) onProgress();
    throw refused;
  };
  await t.rejects(played(clock, calls.patiently(work)), refused);
  t.ok(clock.monotonic() >= 24 * SECOND);
});

t.test('patiently: any other failure is not repeated', async t => {
  for (const thrown of [new Error('x'), new NoReply('untrusted', 'another certificate')]) {
    const { calls } = calling(at(1));
    await t.rejects(
      calls.patiently(() => Promise.reject(thrown)),
      thrown,
    );
  }
});
