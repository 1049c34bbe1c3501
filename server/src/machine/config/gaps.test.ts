import t from 'tap';
import { gapsOf, type Gap } from './gaps.js';

const whole = [
  { kind: 'driver', id: 'desktop' },
  { kind: 'format', id: 'Png' },
  { kind: 'document', id: 'pdf' },
] as const;

t.test('gaps: what no plugin provides', async t => {
  const without = (left: string) => whole.filter(({ kind }) => kind !== left);
  const cases: [...Parameters<typeof gapsOf>, readonly Gap[]][] = [
    [whole, 'win32', []],
    // Only Windows has sessions that the service cannot reach.
    [without('driver'), 'linux', []],
    [without('driver'), 'win32', ['desktop']],
    [[...without('document'), { kind: 'driver', id: 'pdf' }], 'linux', ['documents']],
    [[...without('format'), { kind: 'format', id: 'Jpeg' }], 'linux', ['png']],
    [[], 'win32', ['documents', 'png', 'desktop']],
  ];
  for (const [loaded, platform, gaps] of cases) t.same(gapsOf(loaded, platform), gaps);
});
