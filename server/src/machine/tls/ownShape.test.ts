import { createHash, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';
import t from 'tap';
import {
  bits,
  boolean,
  implicit,
  integer,
  objectId,
  octets,
  printableString,
  sequence,
  set,
  tagged,
  time,
} from './der.js';
import { generate } from './generate.js';
import { isOwnCertificate, ownCertificatesIn } from './ownShape.js';

const DAY = 24 * 60 * 60 * 1000;
const CA = extension('2.5.29.19', sequence(boolean(true)), true);
const LEAF = extension('2.5.29.19', sequence(), true);
const KEY_CERT_SIGN = extension('2.5.29.15', bits(Buffer.from([0x04]), 2), true);
const DIGITAL_SIGNATURE = extension('2.5.29.15', bits(Buffer.from([0x80]), 7), true);
const SERVER = extension('2.5.29.37', sequence(objectId('1.3.6.1.5.5.7.3.1')));
const LOOPBACK = [
  implicit(7, Buffer.from([127, 0, 0, 1])),
  implicit(7, Buffer.from([...Array<number>(15).fill(0), 1])),
];
const NAMES = extension('2.5.29.17', sequence(implicit(2, Buffer.from('localhost')), ...LOOPBACK));
const EXAMPLE = extension('2.5.29.17', sequence(implicit(2, Buffer.from('bank.example')), ...LOOPBACK));
const COMMENT = extension('2.16.840.1.113730.1.13', Buffer.from([0x16, 1, 0x61]));

function extension(id: string, value: Buffer, critical = false): Buffer {
  return sequence(objectId(id), ...(critical ? [boolean(true)] : []), octets(value));
}

interface Planted {
  readonly extensions?: readonly Buffer[];
  readonly commonName?: string;
  readonly days?: number;
  readonly curve?: string;
  readonly serial?: Buffer;
}

/** A certificate that differs from ours only in what is given; the same as ours otherwise. */
function planted({ extensions, commonName = 'localhost', days = 824, curve = 'P-256', serial }: Planted): string {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: curve });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const algorithm = sequence(objectId('1.2.840.10045.4.3.2'));
  const name = sequence(
    set(sequence(objectId('2.5.4.3'), printableString(commonName))),
    set(sequence(objectId('2.5.4.10'), printableString('Platen on this computer'))),
  );
  const identifier = createHash('sha1').update(spki.subarray(-65)).digest();
  const from = Date.now();
  const unsigned = sequence(
    tagged(0, integer(Buffer.from([2]))),
    integer(serial ?? Buffer.concat([Buffer.from([0x41]), randomBytes(15)])),
    algorithm,
    name,
    sequence(time(new Date(from)), time(new Date(from + days * DAY))),
    name,
    spki,
    tagged(
      3,
      sequence(...(extensions ?? [LEAF, DIGITAL_SIGNATURE, SERVER, NAMES]), extension('2.5.29.14', octets(identifier))),
    ),
  );
  const der = sequence(unsigned, algorithm, bits(sign('sha256', unsigned, privateKey)));
  return new X509Certificate(der).toString();
}

t.test('isOwnCertificate: what this version makes, whatever length its signature has', async t => {
  for (let n = 0; n < 20; n++) t.ok(isOwnCertificate(generate(new Date()).cert));
  t.ok(isOwnCertificate(generate(new Date(0)).cert), 'also expired');
  t.ok(isOwnCertificate(generate(new Date('2049-01-01')).cert), 'in the years with four digits');
  t.ok(isOwnCertificate(planted({})), 'the stand-in below is the same but for what it changes');
});

t.test('isOwnCertificate: nothing else, also with the right names', async t => {
  const signsOthers = planted({ extensions: [KEY_CERT_SIGN, SERVER, NAMES] });
  t.equal(
    new X509Certificate(signsOthers).subjectAltName,
    new X509Certificate(generate(new Date()).cert).subjectAltName,
  );
  const own = generate(new Date()).cert;
  for (const [what, pem] of Object.entries({
    'signs others without saying that it is an authority': signsOthers,
    'an authority': planted({ extensions: [CA, KEY_CERT_SIGN, SERVER, NAMES] }),
    'another name': planted({ extensions: [LEAF, DIGITAL_SIGNATURE, SERVER, EXAMPLE] }),
    'another common name': planted({ commonName: 'bank.example' }),
    'one extension more': planted({ extensions: [LEAF, DIGITAL_SIGNATURE, SERVER, NAMES, COMMENT] }),
    'one extension less': planted({ extensions: [LEAF, DIGITAL_SIGNATURE, NAMES] }),
    'valid for longer': planted({ days: 3650 }),
    'another curve': planted({ curve: 'P-384' }),
    'another serial': planted({ serial: Buffer.from([1]) }),
    'a second certificate': own + signsOthers,
    'text beside it': `x\n${own}`,
    'another label': own.replaceAll('CERTIFICATE', 'TRUSTED CERTIFICATE'),
    'no certificate': 'nonsense',
    nothing: '',
  }))
    t.equal(isOwnCertificate(pem), false, what);
});

t.test('isOwnCertificate: a signature of somebody else', async t => {
  const [one, two] = [generate(new Date()), generate(new Date())].map(({ cert }) => new X509Certificate(cert).raw);
  const forged = Buffer.concat([one!.subarray(0, -20), two!.subarray(-20)]);
  t.equal(isOwnCertificate(new X509Certificate(forged).toString()), false);
});

t.test('ownCertificatesIn: nothing, if anything else is among them', async t => {
  const own = [1, 2, 3, 4, 5].map(() => generate(new Date()).cert);
  t.same(ownCertificatesIn(own.join('')), own);
  t.same(ownCertificatesIn(own.join('').trim()), own, 'as a shell passes it on');
  t.same(ownCertificatesIn(own[0]!), own.slice(0, 1));
  for (const text of [
    '',
    'nonsense',
    `${own.join('')}nonsense`,
    `x\n${own.join('')}`,
    own.join('x\n'),
    own.join('') + planted({ extensions: [CA, KEY_CERT_SIGN, SERVER, NAMES] }),
    [...own, ...own].join(''),
  ])
    t.same(ownCertificatesIn(text), []);
});
