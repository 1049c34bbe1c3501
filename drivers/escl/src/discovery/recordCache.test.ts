/** DNS records in pieces, repeated, false and expired: which service instances they make up, and what is queried. */
import t from 'tap';
import { withoutDuplicates } from './duplicates.js';
import { announcedEndpoint, configuredEndpoint } from './endpoint.js';
import { createRecordCache } from './recordCache.js';

type Packet = Parameters<ReturnType<typeof createRecordCache>['receive']>[0];
type Answers = NonNullable<Packet['answers']>;

const type = '_uscan._tcp.local';
const name = `Office.${type}`;
const ptr = { name: type, type: 'PTR', ttl: 120, data: name } as const;
const srv = { name, type: 'SRV', ttl: 120, data: { target: 'scanner.local', port: 8080 } } as const;
const txt = {
  name,
  type: 'TXT',
  ttl: 120,
  data: [
    Buffer.from('rs=/eSCL/'),
    Buffer.from('TY=Acme 1'),
    Buffer.from('is=adf,platen'),
    Buffer.from('duplex=T'),
    Buffer.from('uuid=ABCDEF00-1'),
    Buffer.from(''),
  ],
} as const;
const a = (address: string, host = 'scanner.local') => ({ name: host, type: 'A', ttl: 120, data: address }) as const;

/** The clock's milliseconds, this many seconds after the start. */
const at = (seconds: number): number => 1_000_000 + seconds * 1000;

function heard(packets: readonly (readonly unknown[])[], from = '192.0.2.7', seconds = 0) {
  const records = createRecordCache();
  for (const answers of packets) records.receive({ answers: answers as Answers, additionals: [] }, from, at(seconds));
  const say = (answers: readonly unknown[], seconds: number, sender = from) =>
    records.receive({ answers: answers as Answers, additionals: [] }, sender, at(seconds));
  return {
    say,
    questions: (seconds = 0) => records.questions(at(seconds)),
    instances: (seconds = 0) => records.instances(at(seconds)),
  };
}

const all = [ptr, srv, txt, a('192.0.2.7')];
const lowName = name.toLowerCase();

t.test('recordCache: one packet in any order or one record each, the same instance', async t => {
  for (const packets of [[all], [[a('192.0.2.7'), txt, srv, ptr]], [[ptr], [srv], [txt], [a('192.0.2.7')]]]) {
    const [found, ...more] = heard(packets).instances().map(announcedEndpoint);
    t.equal(more.length, 0);
    t.match(found, {
      id: 'abcdef00-1',
      advertised: { instance: 'Office', makeAndModel: 'Acme 1', feeder: true, flatbed: true, duplex: true },
    });
    t.equal(found?.url.href, 'http://192.0.2.7:8080/eSCL');
  }
});

t.test('recordCache: missing records are queried four times, then the instance is dropped', async t => {
  t.strictSame(heard([[ptr]]).questions(), [
    { name: lowName, type: 'SRV' },
    { name: lowName, type: 'TXT' },
  ]);
  t.strictSame(heard([[ptr, srv, txt]]).questions(), [{ name: 'scanner.local', type: 'A' }]);
  t.strictSame(heard([[ptr, srv]]).instances(), []);
  t.strictSame(heard([all]).questions(), []);
  const records = heard([[ptr]]);
  const asked = Array.from({ length: 100 }, (_, tenths) => records.questions(tenths / 10).length);
  t.equal(asked.filter(count => count > 0).length, 4);
  records.say([srv, txt, a('192.0.2.7')], 11);
  t.strictSame(records.instances(11), [], 'later records are ignored');
});

t.test('recordCache: goodbye, new address, records of other services', async t => {
  const bye = heard([all, [{ ...ptr, ttl: 0 }]]);
  t.equal(bye.instances(0.5).length, 1, 'it lives for another second');
  t.strictSame(bye.instances(1), []);
  const back = heard([all, [{ ...ptr, ttl: 0 }], [ptr]]);
  t.equal(back.instances(1).length, 1, 'and may return within it');
  t.equal(heard([all, [a('192.0.2.8')]]).instances()[0]?.address, '192.0.2.8');
  t.strictSame(
    heard([
      [
        { ...ptr, data: 'Printer._ipp._tcp.local' },
        { ...ptr, name: '_ipp._tcp.local' },
      ],
    ]).questions(),
    [],
  );
  t.strictSame(heard([[srv, txt, a('192.0.2.7')]]).instances(), [], 'without a PTR record');
});

t.test('recordCache: records live for their TTL and are queried again before its end', async t => {
  const long = { ...ptr, ttl: 4500 };
  const records = heard([[long, srv, { ...txt, ttl: 4500 }, a('192.0.2.7')]]);
  t.strictSame(records.questions(90), []);
  const refresh = [
    { name: lowName, type: 'SRV' },
    { name: 'scanner.local', type: 'A' },
  ];
  for (const seconds of [96, 102, 108, 114]) t.strictSame(records.questions(seconds), refresh, `after ${seconds} s`);
  t.equal(records.instances(119).length, 1);
  t.strictSame(records.instances(120), [], 'no answer came');
  const kept = heard([all]);
  kept.say(all, 100);
  t.equal(kept.instances(200).length, 1);
  t.equal(heard([all.map(each => ({ ...each, ttl: 1e9 }))]).instances(4500).length, 0, 'the TTL has a maximum');
});

t.test('recordCache: name with dots, queried by its type', async t => {
  const dotted = `Office 1.2.${type}`;
  const records = heard([[{ ...ptr, data: dotted }]]);
  t.strictSame(records.questions(), [{ name: type, type: 'PTR' }]);
  records.say([{ ...srv, name: dotted }, { ...txt, name: dotted }, a('192.0.2.7')], 1);
  t.match(records.instances(1).map(announcedEndpoint), [{ advertised: { instance: 'Office 1.2' } }]);
});

t.test('recordCache: several addresses, the same one stays in use', async t => {
  const records = heard([all]);
  records.say([a('192.0.2.8')], 1);
  for (const [seconds, address] of [
    [2, '192.0.2.7'],
    [3, '192.0.2.8'],
    [4, '192.0.2.7'],
  ] as const) {
    records.say([a(address)], seconds);
    t.equal(records.instances(seconds)[0]?.address, '192.0.2.8');
  }
});

t.test('recordCache: cache flush, the old address expires', async t => {
  const records = heard([all]);
  records.say([{ ...a('192.0.2.8'), ttl: 60, flush: true }], 10);
  t.equal(records.instances(10)[0]?.address, '192.0.2.8');
  t.strictSame(records.instances(71), [], 'the first address does not return');
});

t.test('recordCache: loopback, link-local and invalid addresses, ignored', async t => {
  for (const bad of [
    '127.0.0.1',
    '0.0.0.0',
    '224.0.0.251',
    '255.255.255.255',
    'evil.example',
    '::1',
    'fe80::1',
    'ff02::fb',
    '::ffff:127.0.0.1',
  ]) {
    t.strictSame(heard([[ptr, srv, txt, a(bad)]]).instances(), [], bad);
  }
  t.equal(
    heard([[ptr, srv, txt, a('127.0.0.1')]], '127.0.0.1').instances().length,
    1,
    'loopback is accepted from this computer (ipp-usb)',
  );
  t.match(
    heard([[ptr, srv, txt, { ...a('2001:db8::1'), type: 'AAAA' }]])
      .instances()
      .map(announcedEndpoint)[0]?.url.href,
    /^http:\/\/\[2001:db8::1\]:8080\/eSCL$/,
  );
});

t.test('recordCache: a flood of records is limited and displaces no scanner', async t => {
  const flood = Array.from({ length: 5000 }, (_, i) => ({ ...ptr, data: `S${i}.${type}` }));
  const records = heard([flood]);
  t.equal(records.questions().length, 20);
  records.say(all, 1, '192.0.2.99');
  t.equal(records.instances(1).length, 1, 'a resolved instance');
  for (let i = 0; i < 8; i++) records.say(flood, 1, `192.0.2.${i}`);
  t.equal(records.instances(1).length, 1, 'is not displaced');
  t.strictSame(records.questions(20), [], 'unresolved names expire');
  const one = Array.from({ length: 300 }, (_, i) =>
    all.map(each => ({
      ...each,
      ...(each.type === 'PTR' ? { data: `S${i}.${type}` } : each.type === 'A' ? {} : { name: `S${i}.${type}` }),
    })),
  );
  t.equal(heard(one).instances().length, 100, 'limit for one sender');
  const addresses = Array.from({ length: 255 }, (_, i) => a(`192.0.2.${i}`));
  t.equal(heard([[ptr, srv, txt, ...addresses]]).instances().length, 1);
});

t.test('withoutDuplicates: a UUID of two hosts, two scanners; none replaces the other', async t => {
  const secure = `Evil._uscans._tcp.local`;
  const evil = (host: string) => [
    { ...ptr, name: '_uscans._tcp.local', data: secure },
    { ...srv, name: secure, data: { target: 'evil.local', port: 443 } },
    { ...txt, name: secure },
    a(host, 'evil.local'),
  ];
  const hostsOf = (packets: readonly (readonly unknown[])[]) =>
    [
      ...withoutDuplicates(
        heard(packets)
          .instances()
          .flatMap(each => announcedEndpoint(each) ?? []),
      ).values(),
    ].map(({ url }) => url.href);
  const apart = ['http://192.0.2.7:8080/eSCL', 'https://192.0.2.66/eSCL'];
  t.strictSame(hostsOf([all, evil('192.0.2.66')]), apart, 'it is another scanner');
  t.strictSame(hostsOf([all, evil('192.0.2.7')]), ['https://192.0.2.7/eSCL'], 'TLS of the same host does');
  t.strictSame(hostsOf([evil('192.0.2.7'), all]), ['https://192.0.2.7/eSCL']);
});

t.test('announcedEndpoint, configuredEndpoint: paths and ports', async t => {
  const endpoint = (key: string, value: string, port = 80) =>
    announcedEndpoint({
      isTls: true,
      fullName: `Office.${type}`,
      host: 'office.local',
      address: '192.0.2.7',
      port,
      txt: { [key]: value },
    });
  t.equal(endpoint('rs', '')?.url.href, 'https://192.0.2.7:80/');
  t.match(endpoint('rs', 'a/b'), {
    id: `Office.${type}`,
    advertised: { makeAndModel: 'Office', flatbed: true, feeder: false },
  });
  for (const bad of ['//evil.example/', 'a?b', 'a b', 'a@b', 'x'.repeat(100), '../admin', 'a/../../b', '.'])
    t.not(endpoint('rs', bad)?.url.host, 'evil.example', bad);
  for (const bad of ['a@b', '..', 'a/../b']) t.equal(endpoint('rs', bad), undefined, bad);
  t.equal(endpoint('rs', 'eSCL', 0), undefined);
  t.equal(configuredEndpoint('http://192.0.2.7').url.href, 'http://192.0.2.7/eSCL');
  t.equal(configuredEndpoint('https://scanner.local:8443/x/').id, 'https://scanner.local:8443/x');
});
