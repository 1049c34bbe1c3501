/** More plugins that are broken when they load: the same in the service and in their own process. */
import t from 'tap';
import { areTheSame, isNamed, moreRows } from './brokenPlugins.js';

t.test('broken when it loads: more of each kind', async t => areTheSame(t, moreRows));

t.test('a plugin that ends its process with the code of a wrong configuration: never a success, and named', async t =>
  isNamed(t, 'configures', 'process.exit(3);'),
);
