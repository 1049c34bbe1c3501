import t from 'tap';
import { pageOrigin } from './origin.js';

t.test('pageOrigin: the pattern names the one port, the host has no brackets', async t => {
  const rows: readonly (readonly [string, string, string, string, boolean])[] = [
    ['https://app.example', 'https://app.example', 'https://app.example:443', 'app.example', true],
    ['https://app.example:443', 'https://app.example', 'https://app.example:443', 'app.example', true],
    ['https://app.example:8443', 'https://app.example:8443', 'https://app.example:8443', 'app.example', true],
    ['http://app.example', 'http://app.example', 'http://app.example:80', 'app.example', false],
    ['http://app.example:443', 'http://app.example:443', 'http://app.example:443', 'app.example', false],
    ['HTTPS://App.Example', 'https://app.example', 'https://app.example:443', 'app.example', true],
    [
      'https://bücher.example',
      'https://xn--bcher-kva.example',
      'https://xn--bcher-kva.example:443',
      'xn--bcher-kva.example',
      true,
    ],
    ['https://[2001:DB8::1]:8443', 'https://[2001:db8::1]:8443', 'https://[2001:db8::1]:8443', '2001:db8::1', true],
    ['https://intranet', 'https://intranet', 'https://intranet:443', 'intranet', true],
  ];
  for (const [text, origin, pattern, host, isSecure] of rows)
    t.same(pageOrigin(text), { origin, pattern, host, isSecure }, text);
});

t.test('pageOrigin: what is not one origin of a web application is rejected by its fault', async t => {
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['null', /without an origin/],
    ['*', /wildcards/],
    ['https://*.example', /wildcards/],
    ['https://[*.]app.example', /wildcards/],
    ['https://app.example:*', /wildcards/],
    ['', /scheme is missing/],
    ['app.example', /scheme is missing/],
    ['app.example:8443', /scheme is missing/],
    ['https:app.example', /scheme is missing/],
    ['ftp://app.example', /https or http/],
    ['chrome-extension://abcdef', /https or http/],
    ['file:///home', /https or http/],
    ['https://app.example/', /path/],
    ['https://app.example/scan', /path/],
    ['https://app.example?a', /path/],
    ['https://app.example#a', /path/],
    ['https://me:secret@app.example', /user/],
    ['https://app.example\\scan', /path/],
    ['https://app.example, https://b.example', /path/],
    ['https://app.example:99999', /host or the port/],
    ['https://<b>', /host or the port/],
    ['https://[::1', /host or the port/],
    ['https://localhost:3000', /this computer/],
    ['http://app.localhost', /this computer/],
    ['http://127.0.0.1:8080', /this computer/],
    ['http://2130706433', /this computer/],
    ['http://[::1]', /this computer/],
  ];
  for (const [text, message] of wrong) t.throws(() => pageOrigin(text), { code: 'usage', message }, text);
});
