/** A plugin that hangs on a page fails after its deadline, and is not called again before it is done. */
import { fakeClock, fakeFormat, testPage } from '@platen/conformance';
import t from 'tap';
import type { Call } from '../contract/driver.js';
import type { CustomProcessor } from '../contract/processor.js';
import { deferred } from '../time/wait.js';
import { nullLog } from '../log/nullLog.js';
import { loadPlugins } from './load.js';
import { STEP_DEADLINE_MS, withDeadlines } from './deadline.js';

const call: Call = { signal: new AbortController().signal };
const page = testPage();

t.test('deadline: a recogniser that hangs, rejects with its signal aborted; called again when it is done', async t => {
  const clock = fakeClock();
  const signals: AbortSignal[] = [];
  const hanging = deferred<string>();
  const read = async (_page: unknown, _wishes: unknown, { signal }: Call): Promise<string> => {
    signals.push(signal);
    return signals.length === 1 ? hanging.promise : 'read';
  };
  const { recognisers: [reader] = [] } = withDeadlines({ recognisers: [{ kind: 'ocr', languages: [], read }] }, clock);
  const reading = (): Promise<unknown> => Promise.resolve(reader?.read(page, {} as never, call));
  const first = t.rejects(reading(), { code: 'timeout' });
  await clock.advance(STEP_DEADLINE_MS - 1);
  t.notOk(signals[0]?.aborted);
  await clock.advance(1);
  await first;
  t.match(signals[0], { aborted: true, reason: { code: 'timeout' } });
  await t.rejects(reading(), { message: /earlier page/ });
  t.equal(signals.length, 1, 'not called');
  hanging.resolve('late');
  await clock.advance(0);
  t.equal(await reading(), 'read');
});

t.test('deadline: formats and processors too; what ends before is as it was', async t => {
  const clock = fakeClock();
  const forever = () => new Promise<never>(() => undefined);
  class Turning implements CustomProcessor {
    readonly name = 'turn';
    private readonly why = 'it is a method';
    apply: CustomProcessor['apply'] = async given => ({ page: given, applied: false, why: this.why });
  }
  const throwing: CustomProcessor = {
    name: 'throws',
    apply() {
      throw new Error('at once');
    },
  };
  const given = {
    formats: [{ ...fakeFormat(), encode: forever, decode: forever }],
    processors: [new Turning(), throwing, { name: 'hangs', apply: forever }],
  };
  const { formats: [format] = [], processors = [] } = withDeadlines(given, clock);
  const [turning, throws, hangs] = processors as CustomProcessor[];
  const late = [
    format?.encode(page, { quality: 90 }, call),
    format?.decode?.(new Uint8Array(), call),
    hangs?.apply(page, {}, call),
  ].map(each => t.rejects(Promise.resolve(each), { code: 'timeout' }));
  await clock.advance(STEP_DEADLINE_MS);
  await Promise.all(late);
  t.same(await turning?.apply(page, {}, call), { page, applied: false, why: 'it is a method' });
  t.match(turning, { name: 'turn' });
  await t.rejects(Promise.resolve(throws?.apply(page, {}, call)), { message: 'at once' });
});

t.test('deadline: of a plugin that the configuration names', async t => {
  const clock = fakeClock();
  const read = '() => new Promise(() => undefined)';
  const folder = t.testdir({
    'hangs.mjs': `export default { name: 'hangs', api: 1, setup: () => ({ recognisers: [{ kind: 'blank', read: ${read} }] }) };`,
  });
  const entries = [{ use: './hangs.mjs', enabled: true, required: false }];
  const { registry } = await loadPlugins({ entries, folders: [folder], dataDir: folder, log: () => nullLog, clock });
  const reading = t.rejects(Promise.resolve(registry.blank?.read(page, {}, call)), { code: 'timeout' });
  await clock.advance(STEP_DEADLINE_MS);
  await reading;
});
