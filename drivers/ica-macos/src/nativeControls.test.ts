/** The helper's verbs for threshold and vendor features. Under AddressSanitizer and UBSan. */
import type { Frame } from '@platen/driver-kit';
import t from 'tap';
import { nativeFor } from './native.test.kit.js';
import { lacking, vendorFeatures } from './rig.test.kit.js';

const skip = lacking();

t.test('helper: a threshold, only of units that accept one', { skip }, async t => {
  const without = await nativeFor(t, 'feeder');
  t.notOk('threshold' in (await without.ask('set', { usesThreshold: true, threshold: 7 })));
  const { ask } = await nativeFor(t, 'feeder threshold');
  t.match(await ask('describe'), { usesThreshold: false, threshold: 128 });
  t.match(await ask('set', { usesThreshold: true, threshold: 7 }), { usesThreshold: true, threshold: 7 });
  for (const threshold of [256, -1]) t.match(await ask('set', { threshold }), { threshold: 7 }, 'beyond a byte');
});

t.test(
  'helper: features, one frame each; set by their place, one that does not exist is BAD_REQUEST',
  { skip },
  async t => {
    const { ask, refused } = await nativeFor(t, 'feeder', 0, true, { features: `${vendorFeatures}\ntemplate|T|T||` });
    const asked = async (verb: string, args: object = {}) => {
      const frames: Frame['header'][] = [];
      await ask(verb, args, ({ header }) => void frames.push(header));
      return frames;
    };
    const features = await asked('features');
    t.match(features, [
      { index: 0, type: 2, name: 'CVF_DESCREEN', title: 'Descreen', value: 1 },
      { index: 1, type: 2, tooltip: '', value: 0 },
      { index: 2, type: 0, values: [0, 2, 5], labels: ['Auto', 'Photo', 'Document'], value: 0, default: 0 },
      { index: 3, type: 0, values: ['Aus', 'Ein'] },
      { index: 4, type: 1, minimum: -50, maximum: 50, step: 5, value: 0, default: 0 },
      { index: 5, type: 3 },
    ]);
    t.match(await asked('feature', { index: 0, value: 0 }), [{ value: 0 }]);
    t.match((await asked('feature', { index: 3, value: 1 }))[3], { value: 1, default: 0 });
    t.match((await asked('feature', { index: 4, value: -12 }))[4], { value: -10 });
    for (const args of [
      {},
      { index: 0 },
      { value: 0 },
      { index: 6, value: 0 },
      { index: -1, value: 0 },
      { index: 5, value: 0 },
      { index: 2, value: 3 },
      { index: 2, value: -1 },
    ])
      t.equal(await refused('feature', args), 'BAD_REQUEST', JSON.stringify(args));
  },
);
