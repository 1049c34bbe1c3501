import { X509Certificate } from 'node:crypto';
import t from 'tap';
import { generate } from '../generate.js';
import { allOf, certificate, fakeStore } from './fakes.test.kit.js';
import { ownOnly } from './ownOnly.js';

t.test('ownOnly: another certificate is neither added nor removed, whatever the record says', async t => {
  const pem = generate(new Date()).cert;
  const own = { pem, sha1: new X509Certificate(pem).fingerprint.replaceAll(':', '') };
  const other = certificate('A');
  const store = fakeStore('one', [other.sha1]);
  const [guard] = ownOnly(allOf(store)).all;
  for (const planted of [other, { pem, sha1: other.sha1 }]) {
    t.equal(await guard?.remove(planted), false);
    await t.rejects(async () => guard?.add(planted), { code: 'trust' });
  }
  t.same([...store.held], [other.sha1]);
  await guard?.add(own);
  t.equal(await guard?.remove(own), true);
});
