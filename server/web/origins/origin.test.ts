import t from 'tap';
import { isLoopback, notesOf } from './origin.js';

t.test('origin: what a person should know before they answer', async t => {
  const cases: Readonly<Record<string, readonly string[]>> = {
    'https://app.example': [],
    'https://app.example:8443': [],
    'http://app.example': ['http'],
    'http://10.0.0.7:8080': ['http'],
    'https://xn--bcher-kva.example': ['letters'],
    'http://www.xn--bcher-kva.example:81': ['http', 'letters'],
    'https://app.xn--p1ai': ['letters'],
    'https://exn--ample.example': [],
    'http://localhost:5173': ['local'],
    'https://app.localhost': ['local'],
    'http://127.0.0.1': ['local'],
    'http://[::1]:3000': ['local'],
    'http://localhost.evil.example': ['http'],
    'http://127.0.0.1.evil.example': ['http'],
    'http://notlocalhost': ['http'],
    'chrome-extension://abcdefghijklmnop': ['other'],
    'https+local://x': ['other'],
  };
  for (const [origin, notes] of Object.entries(cases)) t.same(notesOf(origin), notes, origin);
});

t.test('origin: only hosts that never leave this computer are local', async t => {
  t.ok(isLoopback('http://127.8.9.1:81'));
  t.notOk(isLoopback('http://128.0.0.1'));
  t.notOk(isLoopback('http://[2001:db8::1]'));
});
