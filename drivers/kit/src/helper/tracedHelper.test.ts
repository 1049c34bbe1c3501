/** What a trace has of a helper's messages, and that a driver gets the same answers from it. */
import { onDeviceLine } from '@platen/core/driver';
import t from 'tap';
import type { Frame } from '../frames/frames.js';
import { HelperError } from './helperError.js';
import { HelperFailure } from './helperFailure.js';
import type { Helper } from './helperTypes.js';
import { replayedHelpers } from './replayedHelpers.js';
import { tracedHelper } from './tracedHelper.js';

const json = Buffer.from(JSON.stringify([{ name: "Anna's scanner", unit: 'mm' }]));
const pixels = new Uint8Array(64).fill(42);
const text = 'Dear Mrs Smith';

/** Answers each verb as a vendor's helper could. */
const vendors: Helper = {
  async call(verb, _args, { onMore }): Promise<Frame> {
    const header = { id: 1, ok: true, unit: 'mm', label: text, count: 3 };
    if (verb === 'jam') throw new HelperError('JAMMED', text);
    if (verb === 'crash') throw new HelperFailure('vendor', text, { code: 'timeout' });
    if (verb === 'list') await onMore?.({ header: { id: 1, more: true }, data: json.subarray(0, 5) });
    if (verb === 'list') return { header, data: json.subarray(5) };
    if (verb === 'read') await onMore?.({ header: { id: 1, more: true, at: 0 }, data: pixels });
    return { header, data: new Uint8Array() };
  },
  generation: 1,
  onExit: () => () => true,
  kill: () => undefined,
  close: async () => undefined,
};

async function session(helper: Helper) {
  const seen: unknown[] = [];
  const call = async (verb: string, args: object) => {
    let bytes = 0;
    const pieces: Uint8Array[] = [];
    const onMore = ({ data }: Frame) => {
      bytes += data.length;
      pieces.push(data);
    };
    try {
      const { header, data } = await helper.call(verb, args, { deadlineMs: 1000, onMore });
      const whole = Buffer.concat([...pieces, data]).toString();
      seen.push({
        verb,
        count: header['count'],
        ...(verb === 'list' ? { items: JSON.parse(whole).length } : { bytes }),
      });
    } catch (error) {
      const { status, code } = error as { status?: string; code?: string };
      seen.push({ verb, ...(status === undefined ? { code } : { status }) });
    }
  };
  await call('open', { device: 'anna-laptop' });
  await call('list', {});
  await call('list', {});
  await call('read', { unit: 'mm', quality: 3 });
  await call('jam', {});
  await call('crash', {});
  return seen;
}

t.test('tracedHelper: no pixels, no texts but words of the protocol; a replay answers the same', async t => {
  const lines: { to?: object; from?: object }[] = [];
  const names = new Map<string, string>();
  const alias = (each: string) => names.get(each) ?? names.set(each, `text-${names.size + 1}`).get(each)!;
  const stop = onDeviceLine(write => void lines.push(write(alias)));
  const trace = { json: ['list'], words: { list: ['unit'], read: ['unit'] } };
  const then = await session(tracedHelper(vendors, { name: 'vendor', trace }));
  stop();
  const file = JSON.stringify(lines);
  for (const secret of [text, 'Anna', 'anna', '42,42']) t.notOk(file.includes(secret), secret);
  t.match(file, /"bytes":64/);
  t.match(file, /"unit":"mm"/, 'a word of the protocol stays');
  t.match(file, /"jsonOf":2/, 'the same list is there once');
  t.match(file, /"status":"JAMMED"/);

  const helpers = replayedHelpers(lines);
  const replayed = helpers.create();
  const now: unknown[] = [];
  const asAlias: Helper = {
    ...replayed,
    call: (verb, args, call) =>
      replayed.call(verb, verb === 'open' ? { device: names.get('anna-laptop') } : args, call),
  };
  now.push(...(await session(asAlias)));
  t.strictSame(now, then);
  t.strictSame(helpers.left(), []);
});

t.test('replayedHelpers: another request than the trace has, refused with both', async t => {
  const lines = [
    { to: { helper: 7, call: 1, verb: 'open', args: { device: 'a' } } },
    { from: { helper: 7, call: 1 } },
    { to: { helper: 7, call: 2, verb: 'scan', args: {} } },
  ];
  const helpers = replayedHelpers(lines);
  const helper = helpers.create();
  await t.rejects(helper.call('open', { device: 'b' }, { deadlineMs: 1 }), { message: /"b".*"a"/ });
  t.strictSame(helpers.left(), ['scan {}']);
  const unanswered = helper.call('scan', {}, { deadlineMs: 1 });
  await helper.close();
  await t.rejects(unanswered, { code: 'driver-failed' });
});
