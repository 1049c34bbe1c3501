/** boundHelper: verbs for one process of a helper, and the end of that process. */
import { ScanError } from '@platen/core/plugin';
import t from 'tap';
import type { Frame } from '../frames/frames.js';
import { boundHelper } from './boundHelper.js';
import { HelperError } from './helperError.js';
import type { Helper, HelperCall } from './helperTypes.js';

const soon = { deadlineMs: 1000 };
const frame: Frame = { header: {}, data: new Uint8Array() };

/** A helper without a process: each call answers, or fails as `fails` says. */
function fake() {
  let exit = (): void => undefined;
  let running = false;
  const self = {
    generation: 0,
    asked: [] as string[],
    fails: undefined as unknown,
    onExit(listener: () => void) {
      exit = listener;
      return () => undefined;
    },
    async call(verb: string, _args: object, { generation }: HelperCall): Promise<Frame> {
      self.asked.push(`${verb} ${generation ?? 'any'}`);
      if (generation !== undefined && (generation !== self.generation || !running))
        throw new ScanError('driver-failed', 'gone');
      if (!running) self.generation++;
      running = true;
      if (self.fails) throw self.fails;
      return frame;
    },
    kill: () => self.exit(),
    close: async () => self.exit(),
    exit() {
      running = false;
      exit();
    },
  };
  return self satisfies Helper;
}

t.test('boundHelper: after bind, every verb goes to that process and starts no other', async t => {
  const helper = fake();
  const bound = boundHelper(helper, () => t.fail('the process is running'));
  await t.rejects(bound.call('early', {}, soon), { code: 'driver-failed' });
  t.notOk(bound.isBound);
  await bound.bind('init', {}, soon);
  await bound.call('open', {}, soon);
  t.ok(bound.isBound);
  t.same(helper.asked, ['early -1', 'init any', 'open 1']);
});

t.test('boundHelper: the process ends, reported once; a later verb fails and starts no other process', async t => {
  const helper = fake();
  let told = 0;
  const bound = boundHelper(helper, () => told++);
  await bound.bind('init', {}, soon);
  helper.exit();
  helper.exit();
  t.same([told, bound.isBound], [1, false]);
  await t.rejects(bound.call('scan', {}, soon), { code: 'driver-failed' });
  t.equal(helper.generation, 1);
  await bound.bind('init', {}, soon);
  t.same([told, bound.isBound, helper.generation], [1, true, 2]);
  bound.kill('the test wants it');
  t.same([told, bound.isBound], [2, false]);
});

t.test(
  'boundHelper: an error answer keeps the process; any other failure means that the process has ended',
  async t => {
    const helper = fake();
    let told = 0;
    let reason: unknown;
    const bound = boundHelper(helper, why => {
      told++;
      reason = why;
    });
    await bound.bind('init', {}, soon);
    helper.fails = new HelperError('JAMMED', 'paper jam');
    await t.rejects(bound.call('scan', {}, soon), HelperError);
    t.same([told, bound.isBound], [0, true]);
    helper.fails = new ScanError('timeout', 'it hangs');
    await t.rejects(bound.call('scan', {}, soon), { code: 'timeout' });
    t.same([told, bound.isBound], [1, false]);
    t.equal(reason, helper.fails);
  },
);

t.test('boundHelper: a verb that fails, does not bind', async t => {
  const helper = fake();
  const bound = boundHelper(helper, () => t.fail('it was never bound'));
  helper.fails = new HelperError('NO_MEM', 'no memory');
  await t.rejects(bound.bind('init', {}, soon), HelperError);
  t.notOk(bound.isBound);
});
