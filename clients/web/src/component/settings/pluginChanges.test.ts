/** Following plugins over a stream that a test feeds. */
import { mock } from 'node:test';
import { setImmediate as breathe } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { PlatenError } from '../../client/errors.js';
import type { Capabilities, FeatureList } from '../../client/shapes.js';
import type { StreamEvent } from '../../client/transport/events.js';
import type { Calls } from '../calls.js';
import type { Known } from './parameters.js';
import { createPluginChanges } from './pluginChanges.js';
import { both, small } from './settings.test.kit.js';

const listOf = ({ details }: Capabilities, off: FeatureList['off'] = []): FeatureList => ({
  revision: 1,
  barcodes: { available: true, symbologies: [] },
  text: { available: true, languages: [] },
  recognisers: [...new Set(details?.recognisers.map(({ kind }) => kind))],
  processors: details?.processors.map(({ name }) => name) ?? [],
  formats: details?.formats.map(({ name }) => name) ?? [],
  documents: details?.documents.map(({ format }) => format) ?? [],
  off,
});
const ocrOff = [{ kind: 'recogniser', id: 'ocr', why: 'switched-off' }] as const;

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await breathe();
}

interface Opened {
  tell(list: FeatureList): void;
  fail(code: 'consent-required'): void;
  readonly signal: AbortSignal;
}

let services = 0;

/** A service, and how many streams of it were opened. */
function faked() {
  const opened: Opened[] = [];
  const client: Pick<Calls, 'baseUrl' | 'featureEvents'> = {
    baseUrl: `https://localhost:${++services}`,
    async *featureEvents({ signal }) {
      const queue: (StreamEvent | PlatenError)[] = [];
      let ring = (): void => undefined;
      const put = (next: StreamEvent | PlatenError): void => (queue.push(next), ring());
      signal.addEventListener('abort', () => put(new PlatenError('cancelled', 'Over.')));
      opened.push({
        signal,
        tell: list => put({ event: 'features', id: '', data: JSON.stringify(list) }),
        fail: code => put(new PlatenError(code, 'No.')),
      });
      for (;;) {
        const next = queue.shift();
        if (next instanceof Error) throw next;
        if (next) yield next;
        else await new Promise<void>(resolve => (ring = resolve));
      }
    },
  };
  return { client, opened };
}

/** An element with a scanner whose capabilities a test sets. */
function element(t: Test, { client }: ReturnType<typeof faked>, can = both) {
  const profiles = {};
  let known: Known | undefined = { scanner: 'Desk', can, profiles };
  let now: Capabilities | Error = can;
  const seen = { reads: 0, shown: [] as Capabilities[], changes: 0 };
  const changes = createPluginChanges({
    client,
    known: () => known,
    async read({ scanner }) {
      seen.reads++;
      if (now instanceof Error) throw now;
      return { scanner, can: now, profiles };
    },
    show: next => (seen.shown.push(next.can), (known = next)),
    changed: () => void seen.changes++,
  });
  t.teardown(changes.end);
  return {
    ...changes,
    seen,
    become: (next: typeof now) => void (now = next),
    choose: (next: Known | undefined) => void (known = next),
  };
}

t.test('changes: the first list is compared, a later one is read again', async t => {
  const service = faked();
  const { follow, seen, become, whyOff } = element(t, service);
  follow();
  follow();
  await settle();
  t.equal(service.opened.length, 1);
  service.opened[0]?.tell(listOf(both));
  await settle();
  t.equal(seen.reads, 0, 'it is what is shown');
  become(small);
  service.opened[0]?.tell(listOf(small, ocrOff));
  await settle();
  t.same(seen.shown, [small]);
  t.equal(whyOff('ocr'), 'switched-off');
  t.equal(whyOff('barcode'), undefined);
  t.equal(seen.changes, 2);
});

t.test('changes: a plugin was switched between the capabilities and the first list', async t => {
  const service = faked();
  const { follow, seen, become, choose, compare } = element(t, service);
  become(small);
  choose(undefined);
  follow();
  await settle();
  service.opened[0]?.tell(listOf(small));
  await settle();
  t.equal(seen.reads, 0, 'a scanner is being chosen');
  choose({ scanner: 'Desk', can: both, profiles: {} });
  compare();
  await settle();
  t.same(seen.shown, [small]);
});

t.test('changes: what could not be read is tried again; another choice ends that', async t => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const service = faked();
  const { follow, seen, become, choose } = element(t, service);
  follow();
  await settle();
  service.opened[0]?.tell(listOf(both));
  await settle();
  become(new PlatenError('busy', 'Later.'));
  service.opened[0]?.tell(listOf(small));
  await settle();
  t.same(seen.shown, [], 'what is shown stays');
  become(small);
  mock.timers.tick(1000);
  await settle();
  t.same(seen.shown, [small]);
  become(new PlatenError('device-offline', 'Away.'));
  service.opened[0]?.tell(listOf(both));
  await settle();
  choose({ scanner: 'Other', can: both, profiles: {} });
  const { reads } = seen;
  mock.timers.tick(60_000);
  await settle();
  t.equal(seen.reads, reads);
});

t.test('changes: the elements of a page share a connection, and the last one closes it', async t => {
  const service = faked();
  const [one, other] = [element(t, service), element(t, service)];
  one.follow();
  await settle();
  service.opened[0]?.tell(listOf(small, ocrOff));
  await settle();
  other.follow();
  await settle();
  t.equal(other.whyOff('ocr'), 'switched-off', 'it has the list at once');
  t.equal(service.opened.length, 1);
  one.end();
  t.notOk(service.opened[0]?.signal.aborted);
  other.end();
  t.ok(service.opened[0]?.signal.aborted);
  other.follow();
  await settle();
  t.equal(service.opened.length, 1, 'nothing follows its end');
});

t.test('changes: the page may not scan any more, and follows again when it may', async t => {
  const service = faked();
  const { follow } = element(t, service);
  follow();
  await settle();
  service.opened[0]?.fail('consent-required');
  await settle();
  t.equal(service.opened.length, 1, 'the person is not asked again and again');
  follow();
  await settle();
  t.equal(service.opened.length, 2);
});
