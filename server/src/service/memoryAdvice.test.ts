/** The advice on glibc's memory: who gets it, and who does not need it. */
import t from 'tap';
import { memoryAdvice, memoryMap } from './memoryAdvice.js';

const glibc = '7f00-7f01 r-xp 0000 08:01 1 /usr/lib/x86_64-linux-gnu/libc.so.6\n7f01-7f02 rw-p 0000 00:00 0 [heap]\n';
const old = '7f00-7f01 r-xp 0000 08:01 1 /lib/x86_64-linux-gnu/libc-2.31.so\n';
const musl = '7f00-7f01 r-xp 0000 08:01 1 /lib/ld-musl-x86_64.so.1\n';

t.test('memory advice: an old Node with glibc, nothing set', t => {
  for (const map of [glibc, old]) {
    const advice = memoryAdvice({ env: {}, map, canSet: false });
    t.match(advice, /GLIBC_TUNABLES=glibc\.malloc\.arena_max=1:/);
    t.match(advice, /Node 22\.15/);
  }
  t.end();
});

t.test('memory advice: a Node that could not set it where it was forked', t => {
  const advice = memoryAdvice({ env: {}, map: glibc, canSet: true });
  t.match(advice, /GLIBC_TUNABLES=/);
  t.notMatch(advice, /Node/);
  t.end();
});

t.test('memory advice: none where limits are set, or there is no glibc', t => {
  for (const env of [{ GLIBC_TUNABLES: '' }, { MALLOC_ARENA_MAX: '2' }])
    t.equal(memoryAdvice({ env, map: glibc, canSet: false }), undefined);
  for (const map of [musl, undefined]) t.equal(memoryAdvice({ env: {}, map, canSet: false }), undefined);
  t.end();
});

t.test('memory advice: this process, on Linux', { skip: process.platform !== 'linux' && 'Linux only' }, t => {
  t.match(memoryMap(), /\.so/);
  t.end();
});
