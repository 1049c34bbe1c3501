/** Helper: pixels compared with the PNM that scanimage writes with the same options. */
import { endianness } from 'node:os';
import t from 'tap';
import { needsSane, openNative, scanimage, testBackend } from './native.test.kit.js';

const picture = { resolution: 75, 'test-picture': 'Color pattern' };
const size = { ...picture, 'br-x': 101, 'br-y': 97 };
const threePass = { mode: 'Color', 'three-pass': true };

const cases: Readonly<Record<string, Readonly<Record<string, string | number | boolean>>>> = {
  '1-bit grey': { mode: 'Gray', depth: 1 },
  '8-bit grey': { mode: 'Gray', depth: 8 },
  '16-bit grey': { mode: 'Gray', depth: 16 },
  '8-bit colour': { mode: 'Color', depth: 8 },
  '16-bit colour': { mode: 'Color', depth: 16 },
  'three passes': threePass,
  'three passes, blue first': { ...threePass, 'three-pass-order': 'BRG' },
  'three passes of 16 bits': { ...threePass, depth: 16 },
  'three passes of 16 bits, green first, in portions of an odd length': {
    ...threePass,
    depth: 16,
    'three-pass-order': 'GRB',
    'read-limit': true,
    'read-limit-size': 777,
  },
  'a hand scanner of unknown height': { mode: 'Gray', depth: 8, 'hand-scanner': true },
  'a hand scanner in three passes': { ...threePass, 'hand-scanner': true },
  'portions of an odd length': { mode: 'Color', depth: 16, 'read-limit': true, 'read-limit-size': 777 },
};

if (needsSane(t))
  for (const [name, options] of Object.entries(cases)) {
    void t.test(name, async t => {
      const env = testBackend(t);
      const native = await openNative(t, env);
      const area = options['hand-scanner'] ? picture : size; // a hand scanner has no area to choose
      await native.set({ ...options, ...area });
      /* scanimage gives up on three passes of 16 bits; the backend's picture is the same in one pass. */
      const { 'three-pass': passes, 'three-pass-order': order, ...single } = options;
      const wanted = pixelsOf(
        await scanimage(env, argumentsOf({ ...(options['depth'] === 16 ? single : options), ...area })),
      );
      for (const sample of ['all', 'high']) {
        for (const bandBytes of [undefined, 4096]) {
          t.equal((await native.call('start')).status, undefined);
          const { header } = await native.call('parameters');
          const page = await native.call(passes ? 'merge' : 'read', { bandBytes, sample });
          const expected = header['depth'] !== 16 ? wanted.data : sample === 'high' ? wanted.high : wanted.native;
          t.ok(
            page.data.equals(expected),
            `${sample}, ${bandBytes ?? 'large'} bands: the pixels of scanimage ${order ?? ''}`,
          );
          t.ok(new Set(page.data).size > 1, 'a picture');
          const halved = sample === 'high' && header['depth'] === 16 ? 2 : 1;
          t.match(page.header, {
            ok: true,
            bytes: expected.length,
            bytesPerLine: (Number(header['bytesPerLine']) * (passes ? 3 : 1)) / halved,
          });
          if (bandBytes)
            t.ok(page.bands.length > 1 && Math.max(...page.bands) <= bandBytes, 'no band is larger than requested');
          if (options['hand-scanner']) t.equal(header['lines'], -1);
          await native.call('cancel');
        }
      }
    });
  }

if (needsSane(t))
  void t.test('feeder: ten pages, then NO_DOCS', async t => {
    const env = testBackend(t);
    const native = await openNative(t, env);
    const options = { mode: 'Gray', source: 'Automatic Document Feeder', ...size };
    await native.set(options);
    const wanted = pixelsOf(await scanimage(env, argumentsOf({ ...options, source: 'Flatbed' }))).data;
    for (let page = 1; page <= 10; page++) {
      t.equal((await native.call('start')).status, undefined, `page ${page}`);
      t.ok((await native.call('read')).data.equals(wanted));
    }
    t.match(await native.call('start'), {
      status: 'NO_DOCS',
      message: 'Document feeder out of documents (starting a scan)',
    });
    await native.call('cancel');
  });

if (needsSane(t))
  void t.test('merge: during the first two passes, frames without data', async t => {
    const native = await openNative(t, testBackend(t));
    await native.set({ ...threePass, ...size });
    await native.call('start');
    const { more } = await native.call('merge', { bandBytes: 4096 });
    t.same([...new Set(more.map(each => each['pass']))], [1, 2, undefined]);
  });

/** scanimage names the geometry by letters, relative to the top left. */
function argumentsOf(options: Readonly<Record<string, string | number | boolean>>): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (name === 'br-x' || name === 'br-y') return [`-${name.slice(3)}`, String(value)];
    return [`--${name}=${value === true ? 'yes' : String(value)}`];
  });
}

/** The data after the header of a P4, P5 or P6; 16-bit samples are big-endian. */
function pixelsOf(pnm: Buffer): { data: Buffer; native: Buffer; high: Buffer } {
  const head = /^P[456]\n(?:#.*\n)*\d+ \d+\n(?:\d+\n)?/.exec(
    pnm
      .subarray(0, 200)
      .toString('latin1')
      .replace(/^(P4\n(?:#.*\n)*\d+ \d+\n)[^]*/, '$1'),
  );
  if (!head) throw new Error(`no PNM: ${pnm.subarray(0, 40).toString('latin1')}`);
  const data = pnm.subarray(head[0].length);
  const even = data.length % 2 === 0;
  return {
    data,
    native: even && endianness() === 'LE' ? Buffer.from(data).swap16() : data,
    high: Buffer.from(data.filter((_, i) => i % 2 === 0)),
  };
}
