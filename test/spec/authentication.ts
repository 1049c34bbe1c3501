/** Authentication: none; any origin unless narrowed; the local machine only; HTTPS. */
import type { OutgoingHttpHeaders } from 'node:http';
import { networkInterfaces } from 'node:os';
import { connect as connectPlain } from 'node:net';
import { connect, exchange, request } from '../topology/client.js';
import { sheets } from '../topology/sheets.js';
import { scan } from './calls.js';
import { open } from './directCalls.js';
import { share, spec } from './specTest.js';

const origin = 'https://app.example';
/** The configuration that narrows what the others leave open. */
const narrow = { config: { security: { allowedHosts: ['scanner.example', 'localhost'], origins: [origin] } } };
const addresses = Object.values(networkInterfaces()).flatMap(each => each ?? []);

export const authentication = [
  spec('Authentication, 1: no endpoint requires credentials', 'authentication.1.none', async (t, fixture) => {
    for (const path of ['/', '/health', '/api/twain/status', '/api/twain/version', '/api/twain/scanners']) {
      const { status, headers } = await fixture.request('GET', path);
      t.equal(status, 200, path);
      t.notOk(headers['www-authenticate'] ?? headers['set-cookie'], path);
    }
    t.equal(
      (await fixture.request('GET', '/', { headers: { authorization: 'Bearer nonsense', cookie: 'a=b' } })).status,
      200,
    );
  }),

  spec(
    'Authentication, 1: the service listens only on loopback addresses',
    'authentication.1.local',
    async (t, fixture) => {
      const answers = (address: string) =>
        new Promise<boolean>(resolve => {
          const socket = connectPlain(fixture.port, address, () => resolve(true));
          socket.on('error', () => resolve(false));
          socket.on('connect', () => socket.destroy());
        });
      t.equal(await answers('127.0.0.1'), true);
      for (const { address, internal, scopeid } of addresses.filter(each => !('scopeid' in each) || !each.scopeid)) {
        if (!internal) t.equal(await answers(address), false, `${address} ${scopeid ?? ''}`);
      }
      if (!addresses.some(each => each.address === '::1')) return;
      const six = await request(fixture.port, 'GET', '/', {
        address: '::1',
        headers: { host: `[::1]:${fixture.port}` },
      });
      t.equal(six.status, 200, 'IPv6, on the same port');
    },
  ),

  spec(
    'Authentication, 1: a Host that is not this machine’s is 421 before anything else (DNS rebinding)',
    'authentication.1.local',
    async (t, fixture) => {
      for (const host of [
        'evil.example',
        `evil.example:${fixture.port}`,
        'localhost.evil.example',
        '192.168.1.1',
        'localhost.',
      ]) {
        for (const [method, path] of [
          ['GET', '/'],
          ['POST', '/api/twain/scan'],
          ['GET', '/nothing'],
          ['OPTIONS', '/'],
        ] as const) {
          const { status, json } = await fixture.request(method, path, { headers: { host } });
          t.equal(status, 421, `${method} ${path} for ${host}`);
          t.match(json, { success: false, error: /localhost/ });
        }
      }
      for (const host of ['localhost', 'LOCALHOST', `127.0.0.1:${fixture.port}`, '[::1]', 'localhost:1']) {
        t.equal((await fixture.request('GET', '/', { headers: { host } })).status, 200, host);
      }
      const none = await exchange(await fixture.connect(), 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n');
      t.match(none, /^HTTP\/1\.1 421 /, 'no Host header');
      const empty = await exchange(await fixture.connect(), 'GET / HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n');
      t.match(empty, /^HTTP\/1\.1 421 /, 'an empty Host header');
    },
  ),

  spec(
    'Authentication, 1: security.allowedHosts names further hosts',
    'authentication.1.local',
    async (t, _fixture, topology) => {
      const fixture = await share(topology, narrow);
      t.equal((await fixture.request('GET', '/', { headers: { host: 'Scanner.Example:443' } })).status, 200);
      t.equal((await fixture.request('GET', '/', { headers: { host: '127.0.0.1' } })).status, 421);
    },
  ),

  spec(
    'Authentication, 2: any origin is accepted, with credentials, and echoed',
    'authentication.2.cors',
    async (t, fixture) => {
      for (const each of [origin, 'http://localhost:3000', 'null', 'https://xn--bcher-kva.example:8443']) {
        for (const path of ['/', '/health', '/api/twain/scanners', '/nothing']) {
          const { headers } = await fixture.request('GET', path, { headers: { origin: each } });
          t.equal(headers['access-control-allow-origin'], each, path);
          t.equal(headers['access-control-allow-credentials'], 'true');
          t.match(headers['vary'], /\bOrigin\b/i);
        }
      }
      const refused = await fixture.request('POST', '/api/twain/scan', { body: {}, asIs: true, headers: { origin } });
      t.match(refused, { status: 400, headers: { 'access-control-allow-origin': origin } }, 'errors are readable, too');
      const scanned = await scan(fixture, 'flatbed', { resolution: 75 }, { headers: { origin } });
      t.equal(scanned.headers['access-control-allow-origin'], origin);
      t.match(fixture.log(), /any web page may use the scanners/i, 'the log warns of it');
      t.match((await fixture.request('GET', '/')).headers['vary'], /\bOrigin\b/i, 'Vary is set without an Origin, too');
    },
    ['flatbed'],
  ),

  spec('Authentication, 2: the preflight of a JSON request is granted', 'authentication.2.cors', async (t, fixture) => {
    const asked = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' };
    const { status, headers, text } = await fixture.request('OPTIONS', '/api/twain/scan', { headers: asked });
    t.ok(status === 200 || status === 204, String(status));
    t.equal(text, '');
    t.equal(headers['access-control-allow-origin'], origin);
    t.equal(headers['access-control-allow-credentials'], 'true');
    t.match(headers['access-control-allow-methods'], /POST/);
    t.match(headers['access-control-allow-headers'], /content-type/i);
    t.notOk('access-control-allow-private-network' in headers, 'only if requested');
  }),

  spec(
    'Authentication, 2: the preflight of private network access is granted',
    'authentication.2.privateNetwork',
    async (t, fixture) => {
      const asked = {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-private-network': 'true',
      };
      for (const path of ['/', '/api/twain/scan', '/api/twain/scanners']) {
        const { headers } = await fixture.request('OPTIONS', path, { headers: asked });
        t.equal(headers['access-control-allow-private-network'], 'true', path);
        t.equal(headers['access-control-allow-origin'], origin, path);
      }
    },
  ),

  spec(
    'Authentication, 2: security.origins narrows it: a foreign page gets 403 before any handler',
    ['authentication.2.cors', 'authentication.2.privateNetwork'],
    async (t, _fixture, topology) => {
      const fixture = await share(topology, narrow);
      await fixture.load('duplex', sheets(1));
      t.notMatch(fixture.log(), /any web page/i);
      for (const foreign of [
        'https://evil.example',
        `${origin}.evil.example`,
        'http://app.example',
        `${origin}:8443`,
        'null',
      ]) {
        const headers = { origin: foreign };
        const body = { scannerName: fixture.name('duplex'), parameters: { resolution: 75 } };
        const preflight = {
          ...headers,
          'access-control-request-method': 'POST',
          'access-control-request-private-network': 'true',
        };
        for (const answer of [
          await fixture.request('GET', '/', { headers }),
          await fixture.request('POST', '/api/twain/scan', { headers, body }),
          await fixture.request('POST', '/api/twain/cancel', { headers }),
          await fixture.request('GET', '/nothing', { headers }),
          await fixture.request('OPTIONS', '/api/twain/scan', { headers: preflight }),
        ]) {
          t.equal(answer.status, 403, foreign);
          t.notOk('access-control-allow-origin' in answer.headers);
          t.notOk('access-control-allow-private-network' in answer.headers);
        }
      }
      t.equal(await fixture.waiting('duplex'), 1, 'no paper moved');
      t.match(await fixture.request('GET', '/', { headers: { origin } }), {
        status: 200,
        headers: { 'access-control-allow-origin': origin },
      });
      t.equal((await fixture.request('GET', '/', { headers: { origin: 'HTTPS://APP.EXAMPLE' } })).status, 200);
      t.equal((await fixture.request('GET', '/')).status, 200, 'a client that is not a web page');
    },
    ['duplex'],
  ),

  spec(
    'Authentication, 2: requests that a browser sends without CORS reach no handler and move no paper',
    'authentication.2.cors',
    async (t, openToAll, topology) => {
      const navigated = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
      const form = { 'content-type': 'text/plain', origin };
      const typed = ['/api/twain/status', '/api/twain/version', '/api/twain/scanners'];
      for (const fixture of [openToAll, await share(topology, narrow)]) {
        await fixture.load('duplex', sheets(1));
        await open(t, fixture, 'duplex');
        const asked = async (method: string, path: string, headers: OutgoingHttpHeaders): Promise<number> =>
          (await fixture.request(method, path, { headers, asIs: true })).status;
        const calls = [
          ...['events', 'enable', 'disable'].map(
            each => [each === 'events' ? 'GET' : 'POST', `/api/twain/autoscan/${each}`] as const,
          ),
          ['GET', '/%61pi/twain/autoscan/events'],
          ['POST', '/api/twain/cancel'],
          ['POST', '/api/twain/scan'],
          ['POST', '/api/twain'],
        ] as const;
        const sent: readonly OutgoingHttpHeaders[] = [
          ...['cross-site', 'same-site', 'same-origin', 'none'].map(site => ({
            'sec-fetch-site': site,
            'sec-fetch-mode': 'navigate',
          })),
          ...['cross-site', 'same-site', 'same-origin'].map(site => ({
            'sec-fetch-site': site,
            'sec-fetch-mode': 'no-cors',
          })),
          { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
          { 'sec-fetch-site': 'same-site' },
          { 'sec-fetch-mode': 'websocket' },
          { ...form, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
          { ...form, 'content-length': 0, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
          { ...form, 'content-length': 0, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
          { accept: navigated },
        ];
        for (const [method, path] of calls)
          for (const headers of sent)
            t.equal(await asked(method, path, headers), 403, `${method} ${path} ${JSON.stringify(headers)}`);
        for (const type of [
          'text/plain',
          'TEXT/plain; charset=utf-8',
          'application/x-www-form-urlencoded',
          'multipart/form-data; boundary=x',
        ]) {
          t.equal(
            await asked('POST', '/api/twain/autoscan/enable', { ...form, 'content-type': type }),
            403,
            `a form's ${type}, of a browser without Sec-Fetch headers`,
          );
        }
        const refused = await fixture.request('POST', '/api/twain/scan', {
          headers: { ...form, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
          rawBody: '{}',
        });
        t.match(
          refused,
          { status: 403, headers: { 'access-control-allow-origin': origin }, json: { error: /application\/json/ } },
          'a page that forgot its content type can read why',
        );
        const empty = { ...form, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' };
        for (const path of ['/api/twain/cancel', '/api/twain/autoscan/disable']) {
          const answer = await fixture.request('POST', path, { headers: empty, rawBody: '' });
          t.match(answer, { status: 200, headers: { 'access-control-allow-origin': origin } }, `${path}, a body of ""`);
        }
        const capabilities = `/api/twain/scanners/${encodeURIComponent(fixture.name('duplex'))}/capabilities`;
        for (const [headers, status] of [
          [{ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', accept: navigated }, 200],
          [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, 403],
          [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, 403],
          [{ accept: navigated }, 403],
        ] as const)
          t.equal(await asked('GET', capabilities, headers), status, `capabilities, ${JSON.stringify(headers)}`);
        for (const path of typed) {
          t.equal(
            await asked('GET', path, { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', accept: navigated }),
            200,
            `${path} in the address bar`,
          );
          t.equal(await asked('GET', path, { accept: navigated }), 200, `${path} in an old browser's address bar`);
          for (const site of ['cross-site', 'same-site', 'same-origin'])
            t.equal(
              await asked('GET', path, { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate' }),
              403,
              `${path} from ${site}`,
            );
        }
        t.equal(await fixture.waiting('duplex'), 1, 'no paper moved');
        for (const headers of [
          {},
          { 'content-type': 'text/plain' },
          { 'sec-fetch-mode': 'cors' },
          { origin },
          { origin, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
          { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' },
          { origin: fixture.url, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' },
        ]) {
          t.equal(
            await asked('POST', '/api/twain/autoscan/disable', headers),
            200,
            `${JSON.stringify(headers)} is from a program, from our own page, or with CORS`,
          );
          t.equal(await asked('GET', '/api/twain/scanners', headers), 200);
        }
      }
    },
    ['duplex'],
  ),

  spec(
    'Authentication, 3: a client that skips verification connects, one that verifies gets a certificate error',
    'authentication.3',
    async (t, fixture) => {
      const socket = await connect(fixture.port);
      t.equal(socket.authorized, false);
      t.match(String(socket.authorizationError), /SELF_SIGNED/);
      t.match(socket.getProtocol(), /^TLSv1\.[23]$/);
      socket.destroy();
    },
  ),
];
