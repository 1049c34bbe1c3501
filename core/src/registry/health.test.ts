/** The health of plugins: asked rarely, with a limit, not while they are busy, and checked. */
import { fakeClock, recordingLog } from '@platen/conformance';
import t from 'tap';
import type { PluginHealth } from '../contract/health.js';
import { deferred } from '../time/wait.js';
import { createHealth, HEALTH_DEADLINE_MS, HEALTH_FRESH_MS, MOST_FACTS, MOST_HEALTH_TEXT } from './health.js';
import { createRegistry, type HealthSource } from './registry.js';

function setUp(healths: Record<string, HealthSource['health']>, isQuiet: (plugin: string) => boolean = () => true) {
  const clock = fakeClock();
  const log = recordingLog();
  const registry = createRegistry();
  for (const [plugin, health] of Object.entries(healths)) registry.add(plugin, { health });
  const health = createHealth({ registry, clock, log, isQuiet: ({ plugin }) => isQuiet(plugin) });
  return { clock, log, ...health };
}

/** What JavaScript returns. */
const any = (value: unknown) => () => value as PluginHealth;

t.test('health: a plugin is asked once in ten minutes, also by two at the same time', async t => {
  let asked = 0;
  const { ask, clock } = setUp({ a: () => ({ state: 'ok', facts: [{ name: 'asked', value: ++asked }] }) });
  const [first] = await Promise.all([ask(), ask()]);
  t.strictSame(first, [{ plugin: 'a', state: 'ok', facts: [{ name: 'asked', value: 1 }], ageSeconds: 0 }]);
  await clock.advance(HEALTH_FRESH_MS - 1000);
  t.match(await ask(), [{ facts: [{ value: 1 }], ageSeconds: HEALTH_FRESH_MS / 1000 - 1 }]);
  await clock.advance(1000);
  t.match(await ask(), [{ facts: [{ value: 2 }], ageSeconds: 0 }]);
});

t.test('health: while its scanners are in use, a plugin is not asked; what is known is told', async t => {
  let isQuiet = false;
  let asked = 0;
  const { ask, clock } = setUp(
    { busy: () => ({ state: 'ok', sentence: `${++asked}` }), free: any({ state: 'ok' }) },
    plugin => (plugin === 'busy' ? isQuiet : true),
  );
  t.match(await ask(), [{ plugin: 'free' }]);
  t.equal(asked, 0);
  isQuiet = true;
  t.equal((await ask()).length, 2, 'at once when it is free');
  await clock.advance(HEALTH_FRESH_MS);
  isQuiet = false;
  t.match(await ask(), [{ sentence: '1', ageSeconds: HEALTH_FRESH_MS / 1000 }, {}]);
});

t.test('health: what throws, rejects or hangs has failed, and the log says so once', async t => {
  const late = deferred<PluginHealth>();
  let hanging = 0;
  const signals: AbortSignal[] = [];
  const { ask, clock, log } = setUp({
    throws: () => {
      throw new Error('broken');
    },
    rejects: () => Promise.reject(new Error('broken again')),
    hangs: ({ signal }) => {
      hanging++;
      signals.push(signal);
      return late.promise;
    },
  });
  const answer = ask();
  await clock.advance(HEALTH_DEADLINE_MS);
  const all = await answer;
  t.strictSame(
    all.map(({ state }) => state),
    ['failed', 'failed', 'failed'],
  );
  t.match(all[0]!.sentence, /broken/);
  t.equal(signals[0]!.aborted, true);
  t.equal(log.lines.length, 3);
  await clock.advance(HEALTH_FRESH_MS);
  await ask();
  t.equal(hanging, 1, 'a call that still runs is not joined by a second one');
  late.resolve({ state: 'ok' });
  await late.promise;
  t.match((await ask())[2], { state: 'ok' });
  t.equal(log.lines.length, 3);
});

t.test('health: what a plugin returns is checked', async t => {
  const fact = (more: object) => ({ name: 'a', value: 1, ...more });
  const facts = [
    fact({ name: 'Bad name' }),
    fact({ name: 'x'.repeat(61) }),
    fact({ value: NaN }),
    fact({ value: {} }),
    fact({ value: '\u0000 \u202e' }),
    null,
    'text',
    fact({ value: `two\nlines\u001b[31m`, metric: 'gauge' }),
    fact({ device: 5, metric: 'summary', title: 'Title' }),
    fact({ name: 'b', metric: 'counter', device: 'Scanner' }),
  ];
  const { ask } = setUp({
    none: any(undefined),
    number: any(5),
    word: any({ state: 'fine' }),
    checked: any({ state: 'warning', sentence: 'é'.repeat(1000), facts }),
    many: any({ state: 'ok', facts: Array.from({ length: 1000 }, (_, at) => fact({ name: `f${at}` })) }),
    noList: any({ state: 'ok', sentence: 7, facts: 'none' }),
    getter: any({
      get state() {
        throw new Error('a trap');
      },
    }),
  });
  const all = new Map((await ask()).map(each => [each.plugin, each]));
  for (const plugin of ['none', 'number', 'word', 'getter']) t.equal(all.get(plugin)!.state, 'failed', plugin);
  t.equal(all.get('checked')!.sentence!.length, MOST_HEALTH_TEXT);
  t.strictSame(all.get('checked')!.facts, [
    { name: 'a', value: 'two lines [31m' },
    { name: 'a', value: 1, title: 'Title' },
    { name: 'b', value: 1, device: 'Scanner', metric: 'counter' },
  ]);
  t.equal(all.get('many')!.facts.length, MOST_FACTS);
  t.strictSame(all.get('noList'), { plugin: 'noList', state: 'ok', facts: [], ageSeconds: 0 });
});

t.test('health: after the close nobody waits, and no plugin is asked', async t => {
  let asked = 0;
  const { ask, close } = setUp({
    hangs: () => {
      asked++;
      return new Promise(() => undefined);
    },
  });
  const answer = ask();
  close();
  t.match(await answer, [{ state: 'failed' }]);
  await ask();
  t.equal(asked, 1);
});
