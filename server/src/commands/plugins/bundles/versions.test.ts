/** Which versions are in which ranges of package.json. */
import t from 'tap';
import { compareVersions, fits } from './versions.js';

t.test('fits', async t => {
  const rows: readonly (readonly [range: string, inside: string, outside: string])[] = [
    ['0.35.5', '0.35.5 v0.35.5', '0.35.4 0.35.6'],
    ['=1.2.3', '1.2.3', '1.2.4'],
    ['^1.2.3', '1.2.3 1.9.0', '1.2.2 2.0.0'],
    ['^0.35.2', '0.35.2 0.35.9', '0.36.0 0.35.1 1.0.0'],
    ['^0.0.3', '0.0.3', '0.0.4 0.1.0'],
    ['^0.0', '0.0.0 0.0.9', '0.1.0'],
    ['^0', '0.0.0 0.9.9', '1.0.0'],
    ['^1', '1.0.0 1.9.9', '2.0.0 0.9.9'],
    ['~1.2.3', '1.2.3 1.2.9', '1.3.0 1.2.2'],
    ['~1.2', '1.2.0 1.2.9', '1.3.0'],
    ['~1', '1.0.0 1.9.9', '2.0.0'],
    ['1.x', '1.0.0 1.9.9', '2.0.0'],
    ['1.2.*', '1.2.0 1.2.9', '1.3.0'],
    ['*', '0.0.0 9.9.9', ''],
    ['', '0.0.0 9.9.9', ''],
    ['>=0.34 <0.36', '0.34.0 0.35.9', '0.33.9 0.36.0'],
    ['>1.2', '1.3.0', '1.2.9'],
    ['<=1.2', '1.2.9', '1.3.0'],
    ['>= 1.2.3', '1.2.3', '1.2.2'],
    ['1.2.3 - 2.0', '1.2.3 2.0.9', '1.2.2 2.1.0'],
    ['^1.0.0 || ^3.0.0', '1.5.0 3.5.0', '2.0.0 4.0.0'],
  ];
  for (const [range, inside, outside] of rows) {
    for (const version of inside.split(' ')) t.equal(fits(version, range), true, `${version} in "${range}"`);
    for (const version of outside.split(' ').filter(each => each !== ''))
      t.equal(fits(version, range), false, `${version} not in "${range}"`);
  }
  for (const range of ['latest', 'file:../x', '1.2.3.4', '>=a']) t.equal(fits('1.0.0', range), undefined, range);
  t.equal(fits('text', '*'), undefined);
});

t.test('compareVersions', async t => {
  const sorted = ['text', '0.9.0', '1.9.0', '1.10.0'];
  t.same([...sorted].reverse().sort(compareVersions), sorted);
});
