/**
 * A running service whose certificate is near its end: it changes to the next one, which everybody trusts already. Run by
 * `trust.long.test.ts`: two files at once would change the system's certificates at once.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Agent, get } from 'node:https';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { promisify } from 'node:util';
import { needs } from '@platen/conformance';
import type { Test } from 'tap';
import { until } from '../spec/calls.js';
import { chromiumOpens } from './browsers.js';
import { place, startService, type Place } from './place.js';

const run = promisify(execFile);
const linux = { skip: process.platform !== 'linux' && 'these are the trust stores of Linux' };
const clock = new URL('clock.js', import.meta.url).href;

/** What `platen` of another day does. */
const on = (days: number, step = 0) => ({
  node: ['--import', clock],
  env: { CLOCK_DAYS: String(days), CLOCK_STEP: String(step) },
});

/** SHA-1 of what a new connection is shown. */
async function shown(host: string, port: number): Promise<string> {
  const socket = connect({ host, port, servername: 'localhost', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { fingerprint } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint.replaceAll(':', '');
}

interface Status {
  readonly thumbprintSha1: string;
  readonly daysLeft: number;
  readonly successors: readonly { readonly thumbprintSha1: string; readonly isTrusted: boolean }[];
}
const statusOf = async (here: Place): Promise<Status> =>
  JSON.parse((await here.cert('status', '--json')).out) as Status;

export function renewalTests(t: Test): void {
  t.test('renewal: open connections go on, new ones get the next certificate, nobody is warned', linux, async t => {
    if (!needs(t, 'certutil') || !needs(t, 'chromium') || !needs(t, 'curl')) return;
    const here = await place(t);
    await here.certOn(on(-784), 'install');
    const { thumbprintSha1: first, daysLeft, successors } = await statusOf(here);
    t.equal(daysLeft, 39);
    t.equal(successors.length, 4);
    t.ok(successors.every(({ isTrusted }) => isTrusted));
    const [{ thumbprintSha1: second } = { thumbprintSha1: 'none' }] = successors;
    const service = await startService(t, here, on(0, 11));
    const { url, port } = service;

    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    t.teardown(() => agent.destroy());
    const bundle = join(here.dataDir, 'certificate', 'trusted.pem');
    const ca = await readFile(bundle);
    const ask = async (): Promise<IncomingMessage> => {
      const [answer] = (await once(get(url, { agent, ca }), 'response')) as [IncomingMessage];
      await once(answer.resume(), 'end');
      return answer;
    };
    const { socket } = await ask();
    t.match(await chromiumOpens(url, here.env), /<platen-scan /);
    t.equal(await shown('127.0.0.1', port), first);

    service.signal('SIGUSR2');
    await until(async () => (await shown('127.0.0.1', port)) === second);
    t.equal(await shown('::1', port), second, 'on IPv6 too');
    const answer = await ask();
    t.equal(answer.statusCode, 200);
    t.equal(answer.socket, socket, 'the open connection goes on');
    t.match(await chromiumOpens(url, here.env), /<platen-scan /, 'trusted before it was served');
    const { stdout } = await run('curl', ['-sS', '--noproxy', '*', '--cacert', bundle, url]);
    t.match(stdout, /"status":"running"/);
    for (const each of [first, second]) t.ok(service.log().includes(`Certificate ${each}`));

    service.signal('SIGTERM');
    t.equal((await service.ended).code, 0, 'its timer holds no process');
    t.equal((await here.cert('remove')).code, 0);
    t.notMatch((await run('certutil', ['-L', '-d', `sql:${join(here.home, '.pki', 'nssdb')}`])).stdout, /platen/);
  });

  t.test('renewal: an installation with one certificate, the running service takes the added ones', linux, async t => {
    if (!needs(t, 'certutil')) return;
    const here = await place(t);
    await here.certOn(on(-804), 'install');
    const names = ['cert', 'key'].flatMap(each => [2, 3, 4, 5].map(number => `${each}-${number}.pem`));
    for (const name of [...names, 'trusted.pem']) await rm(join(here.dataDir, 'certificate', name));
    const { thumbprintSha1: first } = await statusOf(here);
    const service = await startService(t, here, on(0));
    t.match(service.log(), /expires in 19 days.*platen cert install/);
    t.equal(await shown('127.0.0.1', service.port), first);
    await here.cert('install');
    const { thumbprintSha1: next } = await statusOf(here);
    t.not(next, first);
    service.signal('SIGUSR2');
    await until(async () => (await shown('127.0.0.1', service.port)) === next);
  });
}
