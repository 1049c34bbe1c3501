/** What names a device or its owner, and what a trace has in its place. */
import t from 'tap';
import { createPseudonyms } from './pseudonyms.js';

t.test('pseudonyms: the same text, the same name; another text, another', async t => {
  const { alias, of } = createPseudonyms();
  t.equal(alias('fujitsu:fi-7160:12345'), 'fujitsu:text-1');
  t.equal(alias('fujitsu:fi-7160:12346'), 'fujitsu:text-2');
  t.equal(alias('fi-7160:12345'), 'fi-7160:text-3');
  t.equal(alias('fujitsu:fi-7160:12345'), 'fujitsu:text-1');
  t.equal(alias(''), '');
  const [a, b] = ['a0b1c2d3-0000-4000-8000-0a0b0c0d0e0f', 'ffffffff-0000-4000-8000-0a0b0c0d0e0f'];
  const [first, second, again] = of([`/eSCL/ScanJobs/${a}`, b, a.toUpperCase()]);
  t.equal(first, '/eSCL/ScanJobs/00000000-0000-4000-8000-000000000001');
  t.equal(second, '00000000-0000-4000-8000-000000000002');
  t.equal(again, '00000000-0000-4000-8000-000000000001');
  t.equal(of(first), first, 'a pseudonym stays');
});

for (const [what, given, wanted] of [
  ['an IPv4 address', 'http://10.1.2.3:80/eSCL', 'http://192.0.2.1:80/eSCL'],
  ['this computer', 'http://127.0.0.1:80/eSCL', 'http://127.0.0.1:80/eSCL'],
  ['an IPv6 address', 'http://[fe80::1a2b:3c4d]/eSCL', 'http://[2001:db8::1]/eSCL'],
  ['a host name', 'http://printer.acme.example/eSCL', 'http://scanner-1.invalid/eSCL'],
  ['a name of mDNS', 'EPSON12AB34.local', 'scanner-1.local'],
  ['a password', 'http://anna:hunter2@10.1.2.3/', 'http://192.0.2.1/'],
  ['a MAC address', 'a4:5d:36:00:11:22', '02:00:00:00:00:01'],
  [
    'a serial number in a header',
    'HP HTTP Server; Serial Number: VNB3K12345; Built',
    'HP HTTP Server; Serial Number: (removed); Built',
  ],
  ['the end of a MAC address', 'HP LaserJet MFP [B37F21]', 'HP LaserJet MFP [000000]'],
  ['a namespace', '<a xmlns:x="http://www.pwg.org/schemas">', '<a xmlns:x="http://www.pwg.org/schemas">'],
  ['a version', 'Version 2.63, 12:34', 'Version 2.63, 12:34'],
] as const)
  t.test(`pseudonyms: ${what}`, async t => void t.equal(createPseudonyms().of(given), wanted));
