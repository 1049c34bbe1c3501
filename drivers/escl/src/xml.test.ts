/** XML of hostile and broken devices. */
import t from 'tap';
import { ENDLESS_BYTES, entityBomb, webPage } from './testing/hostile.js';
import { MAX_XML_BYTES, escaped, readXml } from './protocol/xml.js';

const read = (text: string) => readXml(Buffer.from(text), 'Root');

t.test('readXml: entities, document types, invalid and oversized documents, rejected', async t => {
  t.throws(() => read(entityBomb('Root', 'http://192.0.2.1')), { message: /document type/ });
  t.throws(() => read('<!doctype Root><Root/>'), { message: /document type/ });
  t.throws(() => read(webPage), { message: /document type/ });
  t.throws(() => read('<Root><a></Root>'), { message: /not well-formed/ });
  t.throws(() => read('<Root><a>'), { message: /not well-formed/ });
  t.throws(() => read(''), { message: /Root|well-formed/ });
  t.throws(() => read('<Other/>'), { message: /Root/ });
  t.throws(() => read('<Root a="1" a="2"/>'), { message: /not well-formed/ });
  t.throws(() => read('<Root>a & b</Root>'), { message: /not well-formed/ });
  for (const levels of [40, 2000, 70_000])
    t.throws(() => read(`<Root>${'<a>'.repeat(levels)}${'</a>'.repeat(levels)}</Root>`), { message: /^its XML/ });
  t.throws(() => readXml(new Uint8Array(MAX_XML_BYTES + 1), 'Root'), { message: /524288/ });
  t.ok(MAX_XML_BYTES < ENDLESS_BYTES);
});

t.test('readXml: text, attributes and entities', async t => {
  const root = read(
    '\uFEFF<?xml version="1.0"?><x:Root xmlns:x="u"><x:a k="1 &amp; 2"> b &lt;&#38;&#x41; &lol; </x:a><a>c</a></x:Root>',
  );
  t.strictSame(
    root.all('a').map(each => each.text),
    ['b <&A &lol;', 'c'],
    'an unknown entity stays as it is',
  );
  t.equal(root.one('a')?.attributes['k'], '1 & 2');
  t.equal(root.deep('nothing'), undefined);
});

t.test('readXml: names of object properties, ordinary names', async t => {
  const root = read('<Root __proto__="b"><__proto__>a</__proto__><constructor/></Root>');
  t.equal(root.one('__proto__')?.text, 'a');
  t.ok(Object.hasOwn(root.attributes, '__proto__'));
  t.equal(root.one('toString'), undefined);
});

t.test('readXml: encodings by byte order mark or declaration', async t => {
  const name = (bytes: Uint8Array) => readXml(bytes, 'a').text;
  t.equal(name(Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>B\u00fcro</a>', 'latin1')), 'B\u00fcro');
  t.equal(name(Buffer.from('\ufeff<a>B\u00fcro</a>', 'utf16le')), 'B\u00fcro');
  t.equal(name(Buffer.from('\ufeff<a>B\u00fcro</a>')), 'B\u00fcro');
});

t.test('escaped: markup characters', async t => {
  t.equal(escaped('<a & b>'), '&lt;a &amp; b&gt;');
});
