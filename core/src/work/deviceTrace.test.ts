/** Lines reach whoever listens, and are not even made for nobody. */
import t from 'tap';
import { isTraced, onDeviceLine, traceDevice } from './deviceTrace.js';

t.test('traceDevice: without a listener no line is made', async t => {
  t.equal(isTraced(), false);
  traceDevice(() => {
    throw new Error('made');
  });
  const lines: object[] = [];
  const stop = onDeviceLine(write => void lines.push(write(text => `<${text}>`)));
  t.equal(isTraced(), true);
  traceDevice(alias => ({ part: 'x', to: { name: alias('Anna') } }));
  t.strictSame(lines, [{ part: 'x', to: { name: '<Anna>' } }]);
  stop();
  t.equal(isTraced(), false);
});
