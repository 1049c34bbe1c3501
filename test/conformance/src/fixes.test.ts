/** Every case of a driver says how to fix what fails in it, with names that there are. */
import * as driver from '@platen/core/driver';
import * as plugin from '@platen/core/plugin';
import * as wire from '@platen/core/wire';
import t from 'tap';
import { driverCases } from './driverContract.js';
import { fixedCases, fixOf } from './fixes.js';

t.test('fixes: every case of a driver, one', async t => {
  t.same(
    driverCases.filter(each => fixOf(each) === undefined).map(each => each.id),
    [],
  );
});

t.test('fixes: none of a case that there is not, or that has its own', async t => {
  const without = driverCases.filter(each => each.hint === undefined).map(each => each.id);
  t.same(
    fixedCases.filter(id => !without.includes(id)),
    [],
  );
});

const doors: Readonly<Record<string, object>> = { driver, plugin, wire };

t.test('fixes: what is said to be in a door of core, is', async t => {
  let found = 0;
  for (const each of driverCases) {
    const fix = fixOf(each) ?? '';
    const names = [...fix.matchAll(/`([A-Za-z]+)(?:\(…\)[^`]*)?` (?:or `[^`]+`, both )?of @platen\/core\/(\w+)/g)];
    for (const [, name = '', door = ''] of names) t.ok(name in (doors[door] ?? {}), `${each.id}: ${name}`);
    found += names.length;
  }
  t.ok(found > 5);
});
