/** Helper: its verbs, rejected requests, faults of the backend, cancelling, and its end. */
import t from 'tap';
import { needsSane, openNative, startNative, testBackend } from './native.test.kit.js';

const able = needsSane(t);
/** A slow page: the backend pauses for 200 ms after each portion. */
const slow = { mode: 'Color', resolution: 300, 'read-delay': true, 'read-delay-duration': 200_000 };

if (able)
  void t.test('helper: hello, init and devices', async t => {
    const native = startNative(t, testBackend(t));
    t.strictSame(await native.hello, { name: 'sane', protocol: 1 });
    const early = await native.call('devices');
    t.equal(early.status, 'BAD_REQUEST');
    t.match(early.message, /init/);
    const { header } = await native.call('init');
    t.match(header, { ok: true, versionCode: Number, version: /^1\.\d+\.\d+$/ });
    t.equal((await native.call('init')).header['version'], header['version'], 'once more');
    const devices = await native.call('devices', { localOnly: true });
    t.equal(devices.header['count'], 2);
    t.strictSame(JSON.parse(devices.data.toString())[0], {
      name: 'test:0',
      vendor: 'Noname',
      model: 'frontend-tester',
      type: 'virtual device',
    });
    t.strictSame(await native.end(), { code: 0, signal: null });
  });

if (able)
  void t.test('options: types, units, constraints and active', async t => {
    const native = await openNative(t, testBackend(t));
    const options = await native.options();
    const of = (name: string): unknown => options.get(name);
    t.match(of('mode'), {
      type: 'string',
      count: 1,
      active: true,
      settable: true,
      readable: true,
      constraint: { strings: ['Gray', 'Color'] },
    });
    t.match(of('depth'), { type: 'int', constraint: { words: [1, 8, 16] } });
    t.match(of('resolution'), { type: 'fixed', unit: 'dpi', constraint: { min: 1, max: 1200, quant: 1 } });
    t.match(of('br-x'), { unit: 'mm', constraint: { min: 0, max: 300, quant: 1 } });
    t.match(of('three-pass'), { type: 'bool', active: false, constraint: null });
    t.match(of('bool-soft-detect'), { settable: false, readable: true });
    t.match(of('bool-soft-select-soft-detect-auto'), { automatic: true });
    t.match(of('button'), { type: 'button', count: 0 });
    t.match(of('fixed-constraint-range'), { unit: 'microsecond', constraint: { quant: 2 } });
    t.match(of('red-gamma-table'), { count: 256 });
    t.ok([...options.values()].some(each => each.type === 'group'));
  });

if (able)
  void t.test('get, set: the value that the backend accepted', async t => {
    const native = await openNative(t, testBackend(t));
    await native.set({ 'enable-test-options': true });
    const index = async (name: string): Promise<number> => (await native.options()).get(name)?.index ?? -1;
    const set = async (name: string, value: unknown): Promise<unknown> =>
      (await native.call('set', { index: await index(name), value })).header;
    const get = async (name: string): Promise<unknown> =>
      (await native.call('get', { index: await index(name) })).header['value'];
    t.match(await set('resolution', 300.4), {
      value: 300,
      inexact: true,
      reloadOptions: false,
      reloadParameters: true,
    });
    t.equal(await get('resolution'), 300);
    t.match(await set('mode', 'Color'), { value: 'Color', inexact: false, reloadOptions: true });
    t.match(await set('int', -7), { value: -7 });
    t.match(await set('bool-soft-select-soft-detect', true), { value: true });
    t.equal(await get('bool-soft-select-soft-detect'), true);
    const list = (await native.options()).get('fixed-constraint-word-list')?.constraint as
      | { words: number[] }
      | undefined;
    t.equal(list?.words.length, 4);
    for (const word of list?.words ?? [])
      t.match(
        await set('fixed-constraint-word-list', word),
        { value: word, inexact: false },
        'a value is returned unchanged',
      );
    t.equal(((await get('red-gamma-table')) as number[]).length, 256);
    t.match((await native.call('setAuto', { index: await index('bool-soft-select-soft-detect-auto') })).header, {
      ok: true,
    });
    t.match(await set('button', undefined), { ok: true, value: undefined, inexact: false });
    await native.end();
    t.match(native.stderr(), /pressed/, 'the backend’s output goes to stderr');
  });

if (able)
  void t.test('helper: invalid requests, BAD_REQUEST without an effect', async t => {
    const native = await openNative(t, testBackend(t));
    await native.set({ 'enable-test-options': true });
    const options = await native.options();
    const at = (name: string): { index: number } => ({ index: options.get(name)?.index ?? -1 });
    const bad: [verb: string, args: object, message: RegExp][] = [
      ['open', { device: 'test:1' }, /close it first/],
      ['open', {}, /"device" must be a string/],
      ['devices', { localOnly: 'yes' }, /must be true or false/],
      ['get', {}, /"index" must be a number/],
      ['get', { index: '1' }, /must be a number/],
      ['get', { index: 9999 }, /no option 9999/],
      ['get', { index: -1 }, /no option -1/],
      ['get', { index: 1.5 }, /no option 1.5/],
      ['get', { index: 1e300 }, /no option/],
      ['get', { index: 1 }, /a group/],
      ['get', at('button'), /a button/],
      ['set', { index: 1, value: 1 }, /a group/],
      ['set', at('mode'), /must be a string/],
      ['set', { ...at('mode'), value: 1 }, /must be a string/],
      ['set', { ...at('mode'), value: 'x'.repeat(9000) }, /holds 5 bytes/],
      ['set', { ...at('int'), value: 1.5 }, /whole numbers/],
      ['set', { ...at('int'), value: 2 ** 31 }, /out of the range/],
      ['set', { ...at('resolution'), value: 40_000 }, /out of the range/],
      ['set', { ...at('resolution'), value: true }, /must be a number/],
      ['set', { ...at('read-delay'), value: 1 }, /must be true or false/],
      ['set', at('read-delay'), /must be true or false/],
      ['set', { ...at('gamma-table'), value: 1 }, /read only/],
      ['set', { ...at('button'), value: 1 }, /without a value/],
      ['setAuto', at('button'), /a button/],
      ['read', {}, /start first/],
      ['merge', {}, /start first/],
      ['read', { bandBytes: 4095 }, /from 4096 to 4194304/],
      ['read', { bandBytes: 4194305 }, /from 4096/],
      ['read', { bandBytes: 5000.5 }, /integer from/],
      ['read', { sample: 'low' }, /"all" or "high"/],
      ['read', { sample: 1 }, /must be a string/],
    ];
    for (const [verb, args, message] of bad) {
      const answer = await native.call(verb, args);
      t.equal(answer.status, 'BAD_REQUEST', `${verb} ${JSON.stringify(args).slice(0, 60)}`);
      t.match(answer.message, message);
    }
    t.equal((await native.call('sing')).status, 'UNKNOWN_VERB');
    t.equal((await native.call('set', { ...at('mode'), value: 'Grey' })).status, 'INVAL', "the backend's own refusal");
    await native.call('start');
    t.match(await native.call('merge'), { status: 'BAD_REQUEST', message: /three passes/ });
    t.equal((await native.call('read')).status, undefined, 'the started page can still be read');
    await native.call('close');
    t.equal((await native.call('close')).status, undefined);
    t.match(await native.call('options'), { status: 'BAD_REQUEST', message: /open one first/ });
    t.match(await native.call('open', { device: 'nothing:0' }), {
      status: 'INVAL',
      message: /Invalid argument \(opening "nothing:0"\)/,
    });
    t.equal((await native.call('open', { device: 'test:1' })).status, undefined);
  });

if (able)
  void t.test("helper: every status of a backend, its name and SANE's words", async t => {
    const native = await openNative(t, testBackend(t));
    for (const verb of ['read', 'merge']) {
      if (verb === 'merge') await native.set({ mode: 'Color', 'three-pass': true });
      for (const status of [
        'UNSUPPORTED',
        'CANCELLED',
        'DEVICE_BUSY',
        'INVAL',
        'JAMMED',
        'NO_DOCS',
        'COVER_OPEN',
        'IO_ERROR',
        'NO_MEM',
        'ACCESS_DENIED',
      ]) {
        await native.set({ 'read-return-value': `SANE_STATUS_${status}` });
        t.equal((await native.call('start')).status, undefined);
        t.match(await native.call(verb), { status, message: /^[A-Z].* \(reading / });
        await native.call('cancel');
      }
    }
    await native.set({ 'read-return-value': 'SANE_STATUS_EOF' });
    await native.call('start');
    t.match(
      await native.call('merge'),
      { status: 'IO_ERROR', message: /pass 2 of 3: red came twice/ },
      'a scanner that reports the wrong pass',
    );
    await native.call('cancel');
    await native.set({ 'read-return-value': 'Default' });
    await native.call('start');
    t.equal((await native.call('merge')).status, undefined, 'the next page works');
  });

if (able)
  void t.test('cancel: while a page is read, ends it; the next page is whole', async t => {
    const native = await openNative(t, testBackend(t));
    await native.set(slow);
    await native.call('start');
    const { answer, firstBand } = native.begin('read', { bandBytes: 4096 });
    await firstBand;
    t.equal((await native.call('cancel')).status, undefined);
    const { status, data } = await answer;
    t.equal(status, 'CANCELLED');
    t.ok(data.length > 0, 'the data before it arrived');
    await native.set({ 'read-delay': false, resolution: 50 });
    await native.call('start');
    const { header } = await native.call('parameters');
    t.equal((await native.call('read')).data.length, Number(header['bytesPerLine']) * Number(header['lines']));
    t.equal((await native.call('cancel')).status, undefined, 'without a scan, no effect');
  });

if (able)
  void t.test('cancel: ends all requests sent before it, and none after it', async t => {
    const native = await openNative(t, testBackend(t));
    await native.set(slow);
    const before = [native.begin('start'), native.begin('read')].map(each => each.answer);
    const cancelled = native.begin('cancel').answer;
    const after = native.begin('start').answer;
    t.equal((await before[1])?.status, 'CANCELLED');
    t.equal((await cancelled).status, undefined);
    t.equal((await after).status, undefined);
  });

if (able)
  void t.test('cancel: that comes to its turn when the next scan has begun, no effect on that scan', async t => {
    const native = await openNative(t, testBackend(t));
    await native.set({ ...slow, resolution: 50 });
    await native.call('start');
    const { answer, firstBand } = native.begin('read', { bandBytes: 4096 });
    await firstBand;
    // Asked before the start, as its id says.
    native.child.stdin.write(`${JSON.stringify({ id: 0.5, verb: 'cancel', args: {} })}\n`);
    t.equal((await answer).status, undefined);
  });

if (able)
  void t.test('end of stdin: while a page is read, the helper exits', async t => {
    const native = await openNative(t, testBackend(t));
    await native.set(slow);
    await native.call('start');
    const { answer, firstBand } = native.begin('read', { bandBytes: 4096 });
    await firstBand;
    t.strictSame(await native.end(), { code: 0, signal: null });
    t.equal((await answer).status, 'CANCELLED');
  });
