import { tmpdir } from 'node:os';
import t from 'tap';
import { channelAddress, CHANNEL_NAME, SUFFIX_BYTES } from './address.js';

const secret = Buffer.alloc(32, 1);
const other = Buffer.alloc(32, 2);

t.test('address: Windows, a named pipe whose name depends on the secret', async t => {
  const of = (name: string, own = secret): string =>
    channelAddress({ name, dataDir: 'C:\\data', secret: own, platform: 'win32' });
  t.match(of('platen'), /^\\\\\.\\pipe\\platen-platen-[0-9a-f]{20}$/);
  t.equal(of('platen'), of('platen'));
  t.equal(new Set([of('a'), of('b'), of('a', other)]).size, 3);
  t.equal(
    channelAddress({ name: 'a', dataDir: 'D:\\the same folder by another name', secret, platform: 'win32' }),
    of('a'),
  );
});

t.test('address: elsewhere, a socket in the data folder', async t => {
  for (const platform of ['linux', 'darwin'] as const) {
    t.equal(channelAddress({ name: 'platen', dataDir: '/data', secret, platform }), '/data/channel-platen.sock');
  }
});

t.test('address: a path too long for a socket, a socket in the folder for temporary files', async t => {
  const of = (length: number): string =>
    channelAddress({ name: 'a', dataDir: `/${'d'.repeat(length - 1)}`, secret, platform: 'linux' });
  const longest = 103 - SUFFIX_BYTES - '/channel-a.sock'.length;
  t.match(of(longest), /\/channel-a\.sock$/);
  t.equal(Buffer.byteLength(of(longest)) + SUFFIX_BYTES, 103);
  t.ok(of(longest + 1).startsWith(tmpdir()));
  t.match(of(longest + 1), /\/platen-[0-9a-f]{20}\.sock$/);
  t.match(
    channelAddress({ name: 'a', dataDir: `/${'ä'.repeat(50)}`, secret, platform: 'linux' }),
    /platen-/,
    'bytes, not characters',
  );
});

t.test('names', async t => {
  const taken = (name: string): boolean => new RegExp(CHANNEL_NAME).test(name);
  t.same(
    ['platen', 'a', 'a-1', 'a'.repeat(32)].filter(each => !taken(each)),
    [],
  );
  t.same(['', 'A', '1a', '-a', 'a b', '../a', 'a/b', 'a\\b', 'a\n', 'a'.repeat(33)].filter(taken), []);
});
