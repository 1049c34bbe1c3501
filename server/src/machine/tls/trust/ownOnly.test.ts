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
    await t.rejects(
      async () => guard?.remove(planted),
      { code: 'trust', fault: 'foreign' },
      'the store has it, so somebody is told',
    );
    await t.rejects(async () => guard?.add([planted]), { code: 'trust', fault: 'foreign' });
  }
  t.equal(await guard?.remove(certificate('B')), false, 'it is not there');
  t.same([...store.held], [other.sha1]);
  await guard?.add([own]);
  t.equal(await guard?.remove(own), true);
});
