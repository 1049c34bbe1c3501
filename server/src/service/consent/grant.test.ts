/** Grants as JSON: origins as browsers send them, and what is refused. */
import t from 'tap';
import {
  grantBody,
  grantIn,
  includesScanner,
  isOrigin,
  isOver,
  originIn,
  rightsIn,
  scannersIn,
  untilIn,
} from './grant.js';

t.test('origin: what browsers send, unchanged', async t => {
  for (const origin of [
    'https://a.example',
    'http://localhost:3000',
    'https://a.example:8443',
    'https://a.example.',
    'https://xn--mnchen-3ya.example',
    'http://127.0.0.1',
    'http://[::1]:8080',
    'http://my_host',
    'chrome-extension://abcdefghijklmnopabcdefghijklmnop',
    'moz-extension://0b1c2d3e-0000-4000-8000-000000000000',
    'capacitor://localhost',
  ]) {
    t.ok(isOrigin(origin), origin);
    t.equal(originIn(origin), origin);
  }
});

t.test('origin: typed by a person, becomes what browsers send', async t => {
  for (const [typed, sent] of [
    ['https://A.Example', 'https://a.example'],
    ['https://a.example:443', 'https://a.example'],
    ['http://a.example:80', 'http://a.example'],
    ['http://a.example:443', 'http://a.example:443'],
    ['https://a.example:0443', 'https://a.example'],
    ['https://münchen.example', 'https://xn--mnchen-3ya.example'],
    // A Cyrillic letter that looks like a Latin one.
    ['https://\u0430.example', 'https://xn--80a.example'],
    ['http://[0:0:0:0:0:0:0:1]', 'http://[::1]'],
    ['Capacitor://LocalHost', 'capacitor://localhost'],
  ] as const)
    t.equal(originIn(typed), sent);
});

t.test('origin: others are none', async t => {
  for (const value of [
    '',
    'null',
    'file://',
    'data:,x',
    'blob:https://a.example/1',
    'a.example',
    'https://',
    'https://a.example/',
    'https://a.example?x',
    'https://a.example#x',
    'https://user@a.example',
    'https://user:secret@a.example',
    'https://*.example',
    'https://a.example\\b.example',
    'https://a.example https://b.example',
    'https://a.example, https://b.example',
    'https://a.example,b.example',
    'https://a.example\n',
    'https://a.example\u0000',
    'https://a.example\u202e',
    'https://a.example:port',
    'https://<b>',
    'https://ex%61mple',
    `https://${'a'.repeat(300)}.example`,
    5,
    undefined,
    ['https://a.example'],
  ]) {
    if (typeof value === 'string') t.notOk(isOrigin(value), JSON.stringify(value));
    if (value !== 'https://ex%61mple') t.throws(() => originIn(value), /^origin /);
  }
  t.notOk(isOrigin('https://münchen.example'), 'browsers send ASCII');
  t.throws(() => originIn('https://a.example:70000'), /^origin /);
});

t.test('scanners: all, or a list that ends', async t => {
  t.equal(scannersIn('*'), '*');
  t.same(scannersIn(['A', 'B', 'A', '*']), ['A', 'B', '*']);
  t.notOk(includesScanner(['*'], 'A'), 'a scanner of that name, not all');
  t.notOk(includesScanner(['A'], 'a'));
  for (const value of [[], 'A', [''], [1], ['x'.repeat(301)], Array(101).fill('A'), undefined, {}])
    t.throws(() => scannersIn(value), /^scanners /);
});

t.test('rights and times', async t => {
  t.same(rightsIn(['settings', 'scan', 'scan']), ['scan', 'settings']);
  t.same(rightsIn([]), []);
  for (const value of ['scan', ['all'], [null], undefined, { length: 0 }]) t.throws(() => rightsIn(value), /^may /);
  t.equal(untilIn('2027-01-31T12:00:00Z'), Date.UTC(2027, 0, 31, 12));
  t.equal(untilIn(null), undefined);
  for (const value of ['tomorrow', '2027-13-01', 5, '', 'Infinity']) t.throws(() => untilIn(value), /^until /);
});

t.test('a grant: read and written, and over at its time', async t => {
  const until = Date.UTC(2027, 0, 31);
  const grant = grantIn({ origin: 'https://A.example', may: ['scan'], until: '2027-01-31T00:00:00Z', more: 1 });
  t.same(grant, { origin: 'https://a.example', scanners: '*', may: ['scan'], until });
  t.same(grantIn(grantBody(grant)), grant);
  t.notOk(isOver(grant, until - 1));
  t.ok(isOver(grant, until));
  t.notOk(isOver({ ...grant, until: undefined }, Infinity));
  for (const value of [null, 'x', [], {}]) t.throws(() => grantIn(value), { name: 'GrantError' });
});
