/** A plugin that is broken when it loads gets the same state, fault and sentence in the service and in its own process. */
import t from 'tap';
import { areTheSame, isNamed, rows } from './brokenPlugins.js';

t.test('broken when it loads: the same in the service and in its own process', async t => areTheSame(t, rows));

t.test('a plugin that ends its process while it loads: never a success, and named', async t => {
  await isNamed(t, 'exits', 'process.exit(0);');
  const late = "setTimeout(() => { throw new Error('late'); }); await new Promise(r => setTimeout(r, 5000));";
  await isNamed(t, 'throws', late);
});
