/** What the network says of its scanners, in pieces, twice, wrongly. */
import t from 'tap';
import { announcedPlace, configuredPlace } from './place.js';
import { createRecords } from './records.js';

type Packet = Parameters<ReturnType<typeof createRecords>['take']>[0];
type Answers = NonNullable<Packet['answers']>;

const type = '_uscan._tcp.local';
const name = `Office 1.2.${type}`;
const ptr = { name: type, type: 'PTR', ttl: 120, data: name } as const;
const srv = { name, type: 'SRV', ttl: 120, data: { target: 'scanner.local', port: 8080 } } as const;
const txt = { name, type: 'TXT', ttl: 120, data: [Buffer.from('rs=/eSCL/'), Buffer.from('TY=Acme 1'), Buffer.from('is=adf,platen'), Buffer.from('duplex=T'), Buffer.from('uuid=ABCDEF00-1'), Buffer.from('')] } as const;
const a = (address: string, host = 'scanner.local') => ({ name: host, type: 'A', ttl: 120, data: address }) as const;

function heard(packets: readonly (readonly unknown[])[], from = '192.0.2.7') {
  const records = createRecords();
  for (const answers of packets) records.take({ answers: answers as Answers, additionals: [] }, from);
  return records;
}

t.test('all at once, whatever the order, or piece by piece', async t => {
  for (const packets of [[[ptr, srv, txt, a('192.0.2.7')]], [[a('192.0.2.7'), txt, srv, ptr]], [[ptr], [srv], [txt], [a('192.0.2.7')]]]) {
    const [found, ...more] = heard(packets).announcements().map(announcedPlace);
    t.equal(more.length, 0);
    t.match(found, { id: 'abcdef00-1', told: { makeAndModel: 'Acme 1', feeder: true, flatbed: true, duplex: true } });
    t.equal(found?.url.href, 'http://192.0.2.7:8080/eSCL');
  }
});

t.test('what is missing is asked for', async t => {
  t.strictSame(heard([[ptr]]).missing(), [{ name: name.toLowerCase(), type: 'SRV' }, { name: name.toLowerCase(), type: 'TXT' }]);
  t.strictSame(heard([[ptr, srv, txt]]).missing(), [{ name: 'scanner.local', type: 'A' }]);
  t.strictSame(heard([[ptr, srv]]).announcements(), []);
  t.strictSame(heard([[ptr, srv, txt, a('192.0.2.7')]]).missing(), []);
});

t.test('a goodbye, a new address, a stranger', async t => {
  const all = [ptr, srv, txt, a('192.0.2.7')];
  t.strictSame(heard([all, [{ ...ptr, ttl: 0 }]]).announcements(), []);
  t.equal(heard([all, [a('192.0.2.8')]]).announcements()[0]?.address, '192.0.2.8');
  t.strictSame(heard([[{ ...ptr, data: 'Printer._ipp._tcp.local' }, { ...ptr, name: '_ipp._tcp.local' }]]).missing(), []);
  t.strictSame(heard([[srv, txt, a('192.0.2.7')]]).announcements(), [], 'nobody announced it');
});

t.test('addresses that nobody may name', async t => {
  for (const bad of ['127.0.0.1', '0.0.0.0', '224.0.0.251', '255.255.255.255', 'evil.example', '::1', 'fe80::1', 'ff02::fb', '::ffff:127.0.0.1']) {
    t.strictSame(heard([[ptr, srv, txt, a(bad)]]).announcements(), [], bad);
  }
  t.equal(heard([[ptr, srv, txt, a('127.0.0.1')]], '127.0.0.1').announcements().length, 1, 'this computer itself may, as programs for USB scanners do');
  t.match(heard([[ptr, srv, txt, { ...a('2001:db8::1'), type: 'AAAA' }]]).announcements().map(announcedPlace)[0]?.url.href, /^http:\/\/\[2001:db8::1\]:8080\/eSCL$/);
});

t.test('a flood has an end', async t => {
  const flood = Array.from({ length: 5000 }, (_, i) => ({ ...ptr, data: `S${i}.${type}` }));
  const records = heard([flood]);
  t.equal(records.missing().length, 20);
  const addresses = Array.from({ length: 255 }, (_, i) => a(`192.0.2.${i}`));
  t.equal(heard([[ptr, srv, txt, ...addresses]]).announcements().length, 1);
});

t.test('places', async t => {
  const place = (key: string, value: string, port = 80) => announcedPlace({ isTls: true, fullName: `Office.${type}`, address: '192.0.2.7', port, txt: { [key]: value } });
  t.equal(place('rs', '')?.url.href, 'https://192.0.2.7:80/');
  t.match(place('rs', 'a/b'), { id: `Office.${type}`, told: { makeAndModel: 'Office', flatbed: true, feeder: false } });
  for (const bad of ['//evil.example/', 'a?b', 'a b', 'a@b', 'x'.repeat(100)]) t.not(place('rs', bad)?.url.host, 'evil.example', bad);
  t.equal(place('rs', 'a@b'), undefined);
  t.equal(place('rs', 'eSCL', 0), undefined);
  t.equal(configuredPlace('http://192.0.2.7').url.href, 'http://192.0.2.7/eSCL');
  t.equal(configuredPlace('https://scanner.local:8443/x/').id, 'https://scanner.local:8443/x');
});
