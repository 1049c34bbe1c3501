/** What the service does: local, HTTPS only, with a certificate; and the operator's diagnostic sequence. */
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PeerCertificate } from 'node:tls';
import { platen } from '../topology/platen.js';
import { sheets } from '../topology/sheets.js';
import type { Fixture } from '../topology/topology.js';
import { get, inksOf, scan, until } from './calls.js';
import { refusedStart, spec, start } from './specTest.js';

const DAY_MS = 24 * 60 * 60 * 1000;

export const whatTheServiceDoes = [
  spec(
    'What the service does, 1: lists scanners, reports their capabilities, scans, and answers with images in base64',
    ['what.1.service', 'what.1.base64'],
    async (t, fixture) => {
      const { json: list } = await get<{ scanners: { name: string }[] }>(fixture, '/api/twain/scanners');
      const { name } = list.scanners.find(each => each.name === fixture.name('duplex')) ?? { name: '' };
      const { json: answer } = await get<{ capabilities: { resolutions: number[] } }>(
        fixture,
        `/api/twain/scanners/${encodeURIComponent(name)}/capabilities`,
      );
      await fixture.load('duplex', sheets(1, 4));
      const resolution = answer.capabilities.resolutions[0];
      const { status, json } = await scan(fixture, 'duplex', { resolution });
      t.equal(status, 200);
      t.same(await inksOf(json), [1, 4], 'the images show the sheets that were in the feeder');
      for (const image of json.images)
        t.match(
          image.base64Data,
          /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
          'base64 without white space',
        );
    },
    ['duplex'],
  ),

  spec(
    'What the service does, 4: drivers in the service need no desktop application',
    ['what.4', 'states.health.healthy'],
    async (t, fixture) => {
      t.match((await get(fixture, '/api/twain/status')).json, { desktopAppConnected: true });
      t.equal((await fixture.request('GET', '/health')).text, 'Healthy');
      t.equal((await fixture.request('GET', '/api/twain/scanners')).status, 200);
    },
  ),

  spec('What the service does, 5: plain HTTP gets no answer', 'what.5.https', async (t, fixture) => {
    const answer = await new Promise<string>(resolve => {
      const socket = connectPlain(fixture.port, '127.0.0.1', () =>
        socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'),
      );
      let text = '';
      socket.on('data', part => (text += part.toString('latin1')));
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(text));
    });
    t.notMatch(answer, /200 OK|"service"/);
    t.equal((await fixture.request('GET', '/')).status, 200, 'the service continues');
  }),

  spec(
    'What the service does, 5: the certificate is self-signed, for the loopback names, valid for 825 days at most',
    'what.5.selfSigned',
    async (t, fixture) => {
      const peer = await peerOf(fixture);
      t.same({ ...peer.issuer }, { ...peer.subject });
      t.equal(peer.subjectaltname, 'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1');
      t.ok(Date.parse(peer.valid_to) - Date.parse(peer.valid_from) <= 825 * DAY_MS);
      t.ok(Date.parse(peer.valid_to) > Date.now());
    },
  ),

  spec(
    'What the service does, 5: without a certificate, or with an expired one, the service does not start and names the fix',
    'what.5.refuses',
    async (t, _fixture, topology) => {
      t.match(await refusedStart(topology, { certificate: 'missing' }), {
        code: 4,
        log: /There is no certificate.*platen cert install/,
      });
      t.match(await refusedStart(topology, { certificate: 'expired' }), {
        code: 4,
        log: /expired on \d{4}-\d\d-\d\d.*platen cert remove.*platen cert install/,
      });
    },
  ),

  spec(
    'What the service does, 5: an expired certificate is replaced by remove and install, and the service starts',
    'what.5.remedy',
    async (t, _fixture, topology) => {
      const results: string[] = [];
      const fixture = await start(t, topology, {
        certificate: 'expired',
        async prepare(dataDir) {
          for (const command of [['status'], ['remove'], ['install', '--no-trust'], ['status']]) {
            const { code, out } = await platen(['cert', ...command], { env: { PLATEN_DATA_DIR: dataDir } }).ended;
            results.push(`${command[0]} ${code}`);
            if (command[0] === 'install') t.match(out, /Thumbprint \(SHA-1\):\s+[0-9A-F]{40}/);
          }
        },
      });
      t.same(results, ['status 4', 'remove 0', 'install 0', 'status 0']);
      t.equal((await fixture.request('GET', '/')).status, 200);
    },
  ),

  spec(
    'What the service does, 5: without administrator rights the certificate tool creates the certificate, and reports what needs them',
    'what.5.rights',
    async (t, fixture) => {
      // On other systems a dialog would appear.
      if (process.platform !== 'linux')
        return void t.pass('only Linux has trust stores that a test can redirect', {
          skip: 'not on this system',
        });
      const own = await mkdtemp(join(tmpdir(), 'platen-rights-'));
      t.teardown(() => rm(own, { recursive: true, force: true }));
      const env = { HOME: own, XDG_DATA_HOME: own, XDG_CONFIG_HOME: own, PLATEN_DATA_DIR: join(own, 'data') };
      // As root, Node reports another user id, which owns the folder: a real user could not read a clone in root's home folder.
      const node = process.getuid?.() === 0 ? ['--import', 'data:text/javascript,process.geteuid=()=>65534'] : [];
      await mkdir(env.PLATEN_DATA_DIR, { mode: 0o700 });
      if (node.length > 0) await chown(env.PLATEN_DATA_DIR, 65534, 65534);
      const cert = (command: string) => platen(['cert', command], { env, node }).ended;
      const { code, log } = await cert('install');
      t.equal(code, 1);
      t.match(log, /administrator rights.* sudo .*cert\.pem/);
      const status = await cert('status');
      t.match(status, { code: 0, out: /The certificate is valid[^]*Not trusted in the system's certificates/ });
      t.equal((await cert('remove')).code, 0, 'without an entry in a system store, no rights are needed');
      t.equal((await fixture.request('GET', '/')).status, 200, 'the service still has its certificate');
    },
  ),

  spec(
    'What the service does, 5: thumbprint and expiry date are logged at start; in the last 30 days as a warning',
    'what.5.logged',
    async (t, fixture, topology) => {
      const peer = await peerOf(fixture);
      await until(async () => fixture.log().includes('SHA-256'));
      t.ok(fixture.log().includes(peer.fingerprint.replaceAll(':', '')), 'SHA-1, as Windows shows it');
      t.ok(fixture.log().includes(peer.fingerprint256.replaceAll(':', '')), 'SHA-256');
      t.ok(fixture.log().includes(new Date(peer.valid_to).toISOString().slice(0, 10)), 'the date');
      t.notMatch(fixture.log(), /expires in/);
      const old = await start(t, topology, { certificate: 'expiring' });
      await until(async () => old.log().includes('expires in'));
      t.match(old.log(), /expires in 1[34] days.*platen cert install/);
    },
  ),

  spec(
    'What the service does, 6: the diagnostic sequence works, step by step',
    ['what.6.sequence', 'authentication.1.none'],
    async (t, fixture) => {
      t.match(await get(fixture, '/'), { status: 200, json: { status: 'running' } });
      t.match(await fixture.request('GET', '/health'), { status: 200, text: /^Healthy$/ });
      t.match(await get(fixture, '/api/twain/scanners'), {
        status: 200,
        json: { success: true, scanners: [{ name: /./ }] },
      });
      t.match(await scan(fixture, 'flatbed', { resolution: 75 }), {
        status: 200,
        json: { success: true, imageCount: 1 },
      });
    },
    ['flatbed'],
  ),

  spec(
    'What the service does, 6: without a driver the list of scanners is empty',
    'what.6.empty',
    async (t, _fixture, topology) => {
      const fixture = await start(t, topology, { config: { plugins: [{ use: '@platen/format-png' }] } });
      t.match(await get(fixture, '/api/twain/scanners'), {
        status: 200,
        json: { success: true, scanners: [], count: 0 },
      });
      t.match((await get(fixture, '/api/twain/status')).json, { scannerStatus: { isOnline: false } });
      t.match(await scan(fixture, 'duplex'), { status: 404, json: { success: false, error: /no scanner named/ } });
    },
  ),
];

async function peerOf(fixture: Fixture): Promise<PeerCertificate> {
  const socket = await fixture.connect();
  const peer = socket.getPeerCertificate();
  socket.destroy();
  return peer;
}
