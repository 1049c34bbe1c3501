/**
 * PDF/A-2b, clause by clause: no validator can be had here, so each requirement of ISO 19005-2 that a document of ours
 * can meet or miss is checked on the file itself.
 */
import { needs, testPage } from '@platen/conformance';
import type { DocumentOptions, DocumentPage } from '@platen/core/plugin';
import { inflateSync } from 'node:zlib';
import t from 'tap';
import { checkedFile, createdAt, jpegFile, objectsOf, pageOf, pdfOf, run } from './pages.test.kit.js';

const barcode = (text: string) => ({ text, barcodeType: 'CODE_128', confidence: 1 }) as const;

async function threePages(): Promise<DocumentPage[]> {
  return Promise.all([
    pageOf(await jpegFile(testPage({ width: 300, height: 200 }))),
    pageOf(Buffer.alloc(1), { raw: testPage({ pixels: 'bw1', width: 201, height: 99 }), pageNumber: 2 }),
    pageOf(Buffer.alloc(1), { raw: testPage({ pixels: 'gray8' }), pageNumber: 3, turn: 90 }),
  ]);
}

const document = async (options: Partial<DocumentOptions> = {}): Promise<Buffer> => pdfOf(await threePages(), options);

/** The data of a stream whose dictionary has this entry. */
function streamWith(pdf: Buffer, entry: string): Buffer {
  const text = pdf.toString('latin1');
  const at = text.indexOf(entry);
  const start = text.indexOf('stream\n', at) + 7;
  const length = Number(/\/Length (\d+)/.exec(text.slice(text.lastIndexOf('<<', at), start))?.[1]);
  return pdf.subarray(start, start + length);
}

const xmpOf = (pdf: Buffer): string => streamWith(pdf, '/Type /Metadata').toString('utf8');

void t.test('6.1.2, 6.1.3: header, binary comment, ID, nothing behind the end', async t => {
  const pdf = await document();
  t.equal(pdf.toString('latin1', 0, 9), '%PDF-1.7\n');
  t.equal(pdf[9], 0x25);
  t.ok([...pdf.subarray(10, 14)].every(byte => byte > 127));
  t.equal(pdf[14], 0x0a);
  t.match(pdf.toString('latin1'), /\nstartxref\n\d+\n%%EOF\n$/);
  const trailer = /\/ID \[<([0-9A-F]{32})> <([0-9A-F]{32})>\]/.exec(pdf.toString('latin1'));
  t.equal(trailer?.[1], trailer?.[2]);
  t.notMatch(pdf.toString('latin1'), /\/Encrypt/);
  t.equal((pdf.toString('latin1').match(/%%EOF/g) ?? []).length, 1);
});

void t.test('6.1.4: the cross-reference stream names the begin of each object', async t => {
  const pdf = await document({ title: 'T', language: 'de' });
  const start = Number(/startxref\n(\d+)/.exec(pdf.toString('latin1'))![1]);
  t.match(pdf.toString('latin1', start, start + 40), /^\d+ 0 obj\n<< \/Type \/XRef \/Size \d+/);
  const rows = inflateSync(streamWith(pdf, '/Type /XRef'));
  const size = Number(/\/Type \/XRef \/Size (\d+)/.exec(pdf.toString('latin1'))![1]);
  t.equal(rows.length, size * 9);
  t.equal(rows.toString('hex', 0, 9), '00000000000000ffff', 'object 0 is free');
  for (let object = 1; object < size; object++) {
    const [kind, offset] = [rows[object * 9], rows.readUIntBE(object * 9 + 1, 6)];
    t.equal(kind, 1);
    const head = `${object} 0 obj\n`;
    t.equal(pdf.toString('latin1', offset, offset + head.length), head, `object ${object}`);
    t.ok(['\n', '\xd3\n'].includes(pdf.toString('latin1', offset - 1, offset)), 'begins a line');
  }
});

void t.test('6.1.7: streams have their true length, and no filter but Flate, CCITT and DCT', async t => {
  if (!needs(t, 'qpdf')) return;
  const pdf = await document({ title: 'T' });
  const path = await checkedFile(t.testdir(), pdf);
  const filters = new Set(
    Object.values(await objectsOf(path)).flatMap(each => each.match(/"\/Filter":"[^"]*"/g) ?? []),
  );
  t.strictSame(
    [...filters].sort(),
    ['CCITTFaxDecode', 'DCTDecode', 'FlateDecode'].map(name => `"/Filter":"/${name}"`),
  );
  for (const word of ['/FFilter', '/LZWDecode', '/Crypt', '/EF'])
    t.notOk(
      Object.values(await objectsOf(path)).some(each => each.includes(word)),
      word,
    );
  // Every stream: the keyword, as many bytes as Length says, and the end on a new line.
  const text = pdf.toString('latin1');
  const lengths = new Map(
    [...text.matchAll(/\n(\d+) 0 obj\n(\d+)\nendobj/g)].map(([, object, length]) => [object, length]),
  );
  let streams = 0;
  for (const { 0: all, index, groups } of text.matchAll(
    /<<[^\n]*\/Length (?<direct>\d+)(?<later> 0 R)?[^\n]*>>\nstream\n/g,
  )) {
    const length = groups!['later'] === undefined ? groups!['direct'] : lengths.get(groups!['direct']);
    const end = index + all.length + Number(length);
    t.equal(text.slice(end, end + 18), '\nendstream\nendobj\n');
    streams++;
  }
  t.equal(streams, 3 + 3 + 3, 'images, contents, profile, metadata, cross-references');
});

void t.test('6.2.3, 6.2.4.3: device colours have an output intent with its profile embedded', async t => {
  if (!needs(t, 'qpdf')) return;
  const pdf = await document();
  const objects = Object.values(await objectsOf(await checkedFile(t.testdir(), pdf)));
  const catalog = objects.find(each => each.includes('"/Type":"/Catalog"'))!;
  const intents = (JSON.parse(catalog) as Record<string, Record<string, string>[]>)['/OutputIntents']!;
  t.equal(intents.length, 1);
  t.match(intents[0], { '/S': '/GTS_PDFA1', '/OutputConditionIdentifier': /^u:/, '/DestOutputProfile': /^\d+ 0 R$/ });
  const profile = inflateSync(streamWith(pdf, '/N 3'));
  t.equal(profile.readUInt32BE(0), profile.length, 'size');
  t.ok(profile[8]! < 4 || (profile[8] === 4 && profile[9]! <= 0x20), 'version 4.2 or older');
  t.strictSame(
    [profile.toString('latin1', 12, 16), profile.toString('latin1', 16, 20), profile.toString('latin1', 36, 40)],
    ['mntr', 'RGB ', 'acsp'],
  );
  const spaces = new Set(objects.flatMap(each => each.match(/"\/ColorSpace":"[^"]*"/g) ?? []));
  t.strictSame([...spaces].sort(), ['"/ColorSpace":"/DeviceGray"', '"/ColorSpace":"/DeviceRGB"']);
});

void t.test('6.2.8, 6.2.10, 6.3 to 6.5, 6.9: nothing that a document must not have', async t => {
  if (!needs(t, 'qpdf')) return;
  const objects = Object.entries(await objectsOf(await checkedFile(t.testdir(), await document({ title: 'T' }))));
  const forbidden =
    /"\/(Interpolate|Alternates|OPI|SMask|Mask|Group|CA|ca|BM|Annots|AA|OpenAction|Names|AcroForm|OCProperties|JS|Encrypt|Requirements|Perms|Collection|AF)"/;
  for (const [name, value] of objects) t.notMatch(value, forbidden, name);
});

void t.test('6.6.2.1, 6.6.4: XMP as a plain, well-formed packet that says PDF/A-2b', async t => {
  if (!needs(t, 'python3')) return;
  for (const title of ['A & B < C > "D" ]]>', undefined]) {
    const pdf = await document(title === undefined ? {} : { title });
    const xmp = xmpOf(pdf);
    t.ok(xmp.startsWith('<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n'));
    t.ok(xmp.endsWith('\n<?xpacket end="r"?>'));
    t.notMatch(xmp, /xpacket[^?]*(bytes|encoding)=/);
    t.match(xmp, / pdfaid:part="2" pdfaid:conformance="B"/);
    const { tags } = await parsed(xmp);
    t.ok(tags.includes('{http://www.w3.org/1999/02/22-rdf-syntax-ns#}Description'));
    t.notMatch(streamHead(pdf), /\/Filter/);
  }
});

void t.test('6.1.5: the information dictionary says what XMP says', async t => {
  if (!['qpdf', 'python3', 'pdfinfo'].every(tool => needs(t, tool))) return;
  const titles = [
    'Harbour',
    'Häfen – 港 – नौका – ميناء – נמל \u202etnuoma\u202c',
    '😀👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    '<&>"\'\\()[]{}/% %%EOF endobj',
    'long '.repeat(99) + 'title',
    'line\nbreak\ttab\u0000null\u0085next',
    'half \ud83d of it',
    '\ufffe\uffff non',
  ];
  const three = await threePages();
  for (const title of titles) {
    const pages = [...three];
    pages[0] = { ...pages[0]!, barcodes: [barcode('INV-1; "2" & 3'), barcode('\u001d0104012345678901\u001d17260101')] };
    pages[1] = { ...pages[1]!, barcodes: [barcode('INV-1; "2" & 3')] };
    const pdf = await pdfOf(pages, { title, barcodes: true });
    const path = await checkedFile(t.testdir(), pdf);
    const info = Object.values(await objectsOf(path)).find(each => each.includes('"/Producer"'))!;
    const values = JSON.parse(info) as Record<string, string>;
    const xmp = await parsed(xmpOf(pdf));
    const clean = cleaned(title);
    t.strictSame([values['/Title'], xmp.title], [`u:${clean}`, clean], JSON.stringify(title.slice(0, 30)));
    const words = ['INV-1; "2" & 3', '0104012345678901 17260101'];
    t.strictSame([values['/Keywords'], xmp.keywords, xmp.subjects], [`u:${words.join('; ')}`, words.join('; '), words]);
    t.strictSame([values['/Producer'], xmp.producer], ['u:Platen', 'Platen']);
    t.strictSame([values['/CreationDate'], xmp.date], ["u:D:20261122093015+00'00'", '2026-11-22T09:30:15Z']);
    t.match(await run('pdfinfo', ['-isodates', path]), /CreationDate: +2026-11-22T09:30:15Z/);
  }
  t.equal(createdAt, Date.UTC(2026, 10, 22, 9, 30, 15, 400));
});

void t.test('6.1.13: strings stay short, however many barcodes and however long they are', async t => {
  if (!['qpdf', 'python3'].every(tool => needs(t, tool))) return;
  const [page] = await threePages();
  const many = Array.from({ length: 5000 }, (_, i) => barcode(`code ${i} 😀`));
  const pages = [{ ...page!, barcodes: [barcode('x'.repeat(8001)), ...many, barcode('y')] }];
  const pdf = await pdfOf(pages, { barcodes: true });
  const path = await checkedFile(t.testdir(), pdf);
  const { subjects, keywords } = await parsed(xmpOf(pdf));
  t.ok(subjects.length > 500 && subjects.length < 1000, `${subjects.length} kept`);
  t.equal(subjects[0], 'code 0 😀', 'the too long one is left out, the next is not');
  t.equal(keywords, subjects.join('; '));
  t.ok(keywords.length <= 8000);
  const info = Object.values(await objectsOf(path)).find(each => each.includes('"/Producer"'))!;
  t.equal((JSON.parse(info) as Record<string, string>)['/Keywords'], `u:${keywords}`);
  const none = xmpOf(await pdfOf(pages, { barcodes: false }));
  t.notMatch(none, /Keywords|subject/, 'only where asked');
});

void t.test('viewers: language and title', async t => {
  if (!needs(t, 'qpdf')) return;
  const catalog = async (options: Partial<DocumentOptions>): Promise<Record<string, unknown>> => {
    const objects = Object.values(await objectsOf(await checkedFile(t.testdir(), await document(options))));
    return JSON.parse(objects.find(each => each.includes('"/Type":"/Catalog"'))!) as Record<string, unknown>;
  };
  t.match(await catalog({ title: 'T', language: 'zh-Hant' }), {
    '/Lang': 'u:zh-Hant',
    '/ViewerPreferences': { '/DisplayDocTitle': true },
  });
  const plain = await catalog({ title: ' \n ' });
  t.notOk('/Lang' in plain || '/ViewerPreferences' in plain || '/MarkInfo' in plain);
});

const streamHead = (pdf: Buffer): string => /<<[^\n]*\/Type \/Metadata[^\n]*>>/.exec(pdf.toString('latin1'))![0];

/** What both places can hold. */
function cleaned(title: string): string {
  const clean: Record<string, string> = {
    'line\nbreak\ttab\u0000null\u0085next': 'line break tab null next',
    'half \ud83d of it': 'half \ufffd of it',
    '\ufffe\uffff non': 'non',
  };
  return clean[title] ?? title;
}

interface Xmp {
  readonly tags: readonly string[];
  readonly title?: string;
  readonly subjects: readonly string[];
  readonly keywords: string;
  readonly producer: string;
  readonly date: string;
}

/** By a parser that refuses what is not well-formed. */
async function parsed(xmp: string): Promise<Xmp> {
  const script = `
import json, sys, xml.etree.ElementTree as E
r = E.fromstring(sys.argv[1].encode('utf-8'))
n = {'dc':'http://purl.org/dc/elements/1.1/','rdf':'http://www.w3.org/1999/02/22-rdf-syntax-ns#'}
d = r.find('.//rdf:Description', n)
t = d.find('dc:title/rdf:Alt/rdf:li', n)
print(json.dumps({'tags': [e.tag for e in r.iter()], 'title': None if t is None else t.text,
 'subjects': [e.text for e in d.findall('dc:subject/rdf:Bag/rdf:li', n)],
 'keywords': d.get('{http://ns.adobe.com/pdf/1.3/}Keywords'), 'producer': d.get('{http://ns.adobe.com/pdf/1.3/}Producer'),
 'date': d.get('{http://ns.adobe.com/xap/1.0/}CreateDate')}))`;
  return JSON.parse(
    await run('python3', ['-c', script, xmp.replace(/^<\?xpacket begin="\ufeff"/, '<?xpacket begin=""')]),
  ) as Xmp;
}
