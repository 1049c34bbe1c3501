/** What is taken out of a text for others, and what stays. */
import t from 'tap';
import { scrub } from './scrub.js';

const words = { secrets: ['s3cret', 'abc'], accounts: ['anna'], home: '/var/people/anna', host: 'annas-laptop' };
const of = (text: string): string => scrub(text, words);

for (const [what, given, left] of [
  ['a secret that is known', 'x s3cret y', 'x (removed) y'],
  ['a secret too short to look for', 'abc', 'abc'],
  ['the home folder', '/var/people/anna/x', '~/x'],
  ['another home folder', 'in /home/bert/x and /Users/carla', 'in ~/x and ~'],
  ['a home folder on another disk', '/mnt/disk/home/bert/x', '~/x'],
  [
    'a home folder of Windows, in JSON too',
    String.raw`C:\Users\Anna Meier\x, "D:\\Users\\bert\\x"`,
    String.raw`~\x, "~\\x"`,
  ],
  ['an account in another path', '/srv/anna/x, anna', '/srv/(user)/x, anna'],
  [
    'the computer',
    'https://annas-laptop:1 and annas-laptop.local',
    'https://(this computer):1 and (this computer).local',
  ],
  ['a header', 'Authorization: Bearer abc-DEF', 'Authorization: Bearer (removed)'],
  ['a password in an address', 'not "http://anna:hunter2@10.0.0.7/x"', 'not "http://(removed)@10.0.0.7/x"'],
  ['a key', 'a\n-----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----\nb', 'a\n(removed)\nb'],
  ['a key that is cut off', 'a\n-----BEGIN PRIVATE KEY-----\nMII', 'a\n(removed)'],
  ['something long and random', 'id 0b1c2d3e-0000-4000-8000-000000000000.', 'id (removed).'],
] as const)
  t.test(`scrub: ${what}`, async t => void t.equal(of(given), left));

t.test('scrub: what helps stays', async t => {
  for (const text of [
    'The scan on Feeder A ended with paper-jam: pages 3, 4.1 s.',
    '@platen/driver-twain-windows 0.1.0, /usr/lib/platen/node_modules/@platen/server/dist/cli/serve.js:33:5',
    'https://records.example.com:8443',
    'Set "isolate": true in its entry in the configuration.',
  ])
    t.equal(of(text), text);
});
